import { join } from 'node:path';
import type { Session } from '../agent/session';
import { latestLog } from '../sessions/latestLog';
import { newSession, openSession, type StoredSession } from '../sessions/openSession';

/** What the shelf needs from outside. */
export interface ShelfPlace {
  /** The folder of the logs of this workspace. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A new unique id. */
  makeId(): string;
}

/** The session to go on with, if any; `warning` is for the user. */
export interface LatestSession {
  readonly session: Session | undefined;
  readonly warning?: string;
}

/** Keeps the sessions of a workspace; at most one of them is open. */
export class SessionShelf {
  #open: StoredSession | undefined;

  constructor(private readonly place: ShelfPlace) {}

  /** The log of the open session. */
  get file(): string | undefined {
    return this.#open?.file;
  }

  /** Opens the session used last; none when there is none, or when its log cannot be read. */
  openLatest(): LatestSession {
    this.close();
    return this.#openFile(latestLog(this.place.folder));
  }

  /** Opens the log that is open once more, with what another window wrote to it. */
  reopen(): LatestSession {
    const { file } = this;
    this.close();
    return this.#openFile(file);
  }

  /** Begins a session in a log of its own, named after the day and its id. */
  start(pinTaskAnchor: boolean): Session {
    this.close();
    const sessionId = this.place.makeId();
    const day = new Date(this.place.now()).toISOString().slice(0, 10);
    this.#open = newSession({
      file: join(this.place.folder, `${day}-${sessionId}.jsonl`),
      sessionId,
      pinTaskAnchor,
      now: () => this.place.now(),
    });
    return this.#open.session;
  }

  /** Gives the open log back. */
  close(): void {
    this.#open?.close();
    this.#open = undefined;
  }

  #openFile(file: string | undefined): LatestSession {
    if (file === undefined) return { session: undefined };
    const opened = openSession(file, () => this.place.now());
    if (!opened.ok) return { session: undefined, warning: opened.message };
    this.#open = opened.stored;
    const { session } = opened.stored;
    return opened.warning === undefined ? { session } : { session, warning: opened.warning };
  }
}
