import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ExtensionContext, Memento } from 'vscode';
import type { SessionRun } from './sessionRun';
import type { ShownBefore } from './shownLog';

/** The properties of VS Code's context that name Plimsoll's storage of a workspace. */
type Storage = Pick<ExtensionContext, 'storageUri' | 'globalStorageUri'>;

/** A log with more bytes is long: reading and folding it takes a tenth of a second or more. */
const LONG_BYTES = 4_000_000;

/** The folder of the logs of the workspace's sessions; those without a workspace share one. */
export function sessionsFolder({ storageUri, globalStorageUri }: Storage): string {
  return join((storageUri ?? globalStorageUri).fsPath, 'sessions');
}

/** The folder with the prompt being typed. */
export function draftFolder({ storageUri, globalStorageUri }: Storage): string {
  return join((storageUri ?? globalStorageUri).fsPath, 'draft');
}

/** The folder with the contents of files from before the agent changed them. */
export function checkpointsFolder({ storageUri, globalStorageUri }: Storage): string {
  return join((storageUri ?? globalStorageUri).fsPath, 'checkpoints');
}

/** Whether an earlier window left a session to continue. */
export function isWorkLeft(storage: Storage): boolean {
  return logsLeft(storage).length > 0;
}

/** Whether an earlier window left a session whose log takes noticeable time to open. */
export function isLongSessionLeft(storage: Storage): boolean {
  return logsLeft(storage).some(isLongLog);
}

/** Whether a log takes noticeable time to open. */
export function isLongLog(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LONG_BYTES;
}

function logsLeft(storage: Storage): readonly string[] {
  const folder = sessionsFolder(storage);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
}

/** The keys for the session shown, and for the sessions at work in the background. */
const SHOWN = 'plimsoll.sessionShown';
const AT_WORK = 'plimsoll.sessionsAtWork';

/** Stores, across a reload, which session was shown and which others were at work. */
export class LeftOpen {
  readonly shown: ShownBefore;
  #noted: string;
  #isClosing = false;

  constructor(
    private readonly memento: Pick<Memento, 'get' | 'update'>,
    private readonly run: (work: () => PromiseLike<unknown>) => void,
  ) {
    this.#noted = this.atWork.join(' ');
    this.shown = {
      get: () => memento.get<string>(SHOWN),
      set: (name) => {
        if (memento.get<string>(SHOWN) !== name) run(() => memento.update(SHOWN, name));
      },
    };
  }

  /** The ids of the background sessions that were at work or waited. */
  get atWork(): readonly string[] {
    return this.memento.get<readonly string[]>(AT_WORK, []);
  }

  /** Freezes the note, because the window closes and ends every turn. */
  close(): void {
    this.#isClosing = true;
  }

  /** Notes which background sessions are at work. */
  noteWork(background: readonly Pick<SessionRun, 'window'>[]): void {
    const ids = background.map(({ window }) => window.sessionId);
    if (this.#isClosing || ids.join(' ') === this.#noted) return;
    this.#noted = ids.join(' ');
    this.run(() => this.memento.update(AT_WORK, ids));
  }
}
