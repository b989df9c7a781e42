import { Session, type EventStore } from '../agent/session';
import type { ToolUse } from '../contextWindow/block';
import type { ContextWindow } from '../contextWindow/window';
import { LOG_VERSION, type EventOf, type SessionEvent } from '../contextWindow/event';
import { damageNote } from './damage';
import { closeInterruptedCalls, closeLostCommands } from './interruptedCalls';
import { lockLog, type LogLock } from './logLock';
import { readSessionLog, type SessionLogResult } from './readSessionLog';
import { openLog, SessionLog, SessionLogError } from './sessionLog';
import { errorText, type Refused } from '../contextWindow/result';

/** A session whose log only this window can write. */
export interface StoredSession {
  readonly session: Session;
  readonly file: string;
  /** Releases the file; nothing can be appended until `reopen`. */
  close(): void;
  /** Takes the file again; throws a `SessionLogError` if another window holds it or wrote to it. */
  reopen(): void;
}

export type OpenSessionResult =
  | {
      readonly ok: true;
      readonly stored: StoredSession;
      /** For the user: the skipped lines of the log. */
      readonly warning?: string;
      /** The calls that were interrupted when Plimsoll ended; each has an error result now. */
      readonly interrupted: readonly ToolUse[];
    }
  | NotOpened;

export interface NotOpened extends Refused {
  /** `locked`: open in another window; `empty`: it has no events. */
  readonly cause: 'locked' | 'empty' | 'unreadable';
}

export interface SessionStart extends Pick<
  EventOf<'sessionStarted'>,
  'sessionId' | 'pinTaskAnchor' | 'standingRules' | 'forkedFrom' | 'handedOverFrom'
> {
  /** A file that does not exist yet. */
  readonly file: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** The events of a fork. */
  readonly events?: readonly SessionEvent[];
  readonly wake?: Wake;
}

/**
 * Called before an event is appended to a session whose file was released, to take the file again.
 */
type Wake = () => void;

/** Starts a session in its own file; throws a `SessionLogError` if it cannot. */
export function newSession(given: SessionStart): StoredSession {
  const { file, now, events = [], wake, ...start } = given;
  const locked = lockLog(file);
  if (!locked.ok) throw new SessionLogError(locked.message);
  try {
    const log = openLog(file);
    const begun: SessionEvent = {
      at: now(),
      type: 'sessionStarted',
      version: LOG_VERSION,
      ...start,
    };
    const all = [begun, ...events];
    log.appendAll(all);
    return storedSession({ file, log, lock: locked.lock, now, events: all, wake });
  } catch (error) {
    locked.lock.release();
    throw error;
  }
}

/**
 * Opens a stored session, repairs a torn end, and gives every interrupted tool call its result.
 * Damaged lines stay in the file; the log records them, so that they are always read the same way.
 */
export function openSession(file: string, now: () => number, wake?: Wake): OpenSessionResult {
  const locked = lockLog(file);
  if (!locked.ok) return { ok: false, cause: 'locked', message: locked.message };
  const { lock } = locked;
  try {
    return opened({ file, lock, now, wake }, readSessionLog(file));
  } catch (error) {
    return notOpened(lock, error);
  }
}

/**
 * Opens a stored session like `openSession`, while `load` reads its log elsewhere. The log is locked
 * meanwhile.
 */
export async function loadSession(
  file: string,
  now: () => number,
  load: (file: string) => Promise<LoadedLog>,
  wake?: Wake,
): Promise<OpenSessionResult> {
  const locked = lockLog(file);
  if (!locked.ok) return { ok: false, cause: 'locked', message: locked.message };
  const { lock } = locked;
  try {
    return opened({ file, lock, now, wake }, await load(file));
  } catch (error) {
    return notOpened(lock, error);
  }
}

/** A log as read, with its fold if that is known. */
export type LoadedLog = SessionLogResult & { readonly window?: ContextWindow };

function notOpened(lock: LogLock, error: unknown): NotOpened {
  lock.release();
  return { ok: false, cause: 'unreadable', message: errorText(error) };
}

interface Opening {
  readonly file: string;
  readonly lock: LogLock;
  readonly now: () => number;
  readonly wake: Wake | undefined;
}

function opened({ file, lock, now, wake }: Opening, read: LoadedLog): OpenSessionResult {
  if (!read.ok) {
    lock.release();
    const { isEmpty, message } = read;
    return { ok: false, cause: isEmpty ? 'empty' : 'unreadable', message };
  }
  const { events, window } = read;
  const log = SessionLog.open(file, read.goodBytes, read.lines);
  if (read.lineOpen) log.endLine();
  const stored = storedSession({ file, log, lock, now, events, window, wake });
  const note = damageNote(events, read.damaged);
  if (note !== undefined) stored.session.append(note);
  closeLostCommands(stored.session, 'lost');
  // The originals were only in memory.
  if (stored.session.window.sentSecrets !== undefined) {
    stored.session.append({ type: 'secretsSent', marks: [] });
  }
  const cause = read.damaged.length > 0 ? 'damaged' : 'ended';
  return {
    ok: true,
    stored,
    interrupted: closeInterruptedCalls(stored.session, cause),
    warning: read.warning,
  };
}

/** Makes a session of a log that another window writes: it is read-only here. */
export function lookAtSession(
  file: string,
  now: () => number,
  read: LoadedLog,
): { readonly ok: true; readonly session: Session } | NotOpened {
  if (!read.ok) return { ok: false, cause: 'unreadable', message: read.message };
  const store: EventStore = {
    append() {
      throw new SessionLogError(`The session log ${file} is read-only here.`);
    },
  };
  return { ok: true, session: new Session(store, now, read.events, read.window) };
}

function storedSession(parts: {
  readonly file: string;
  readonly log: SessionLog;
  readonly lock: LogLock;
  readonly now: () => number;
  readonly events: readonly SessionEvent[];
  readonly window?: ContextWindow | undefined;
  readonly wake: Wake | undefined;
}): StoredSession {
  const { file, log, now, events, window, wake } = parts;
  let { lock } = parts;
  let isOpen = true;
  const store: EventStore = {
    append(event) {
      if (!isOpen) wake?.();
      log.append(event);
    },
  };
  return {
    session: new Session(store, now, events, window),
    file,
    close() {
      isOpen = false;
      log.close();
      lock.release();
    },
    reopen() {
      const locked = lockLog(file);
      if (!locked.ok) throw new SessionLogError(locked.message);
      try {
        log.reopen();
      } catch (error) {
        locked.lock.release();
        throw error;
      }
      ({ lock } = locked);
      isOpen = true;
    },
  };
}
