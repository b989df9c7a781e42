import { Session } from '../agent/session';
import type { ToolUse } from '../contextWindow/block';
import type { SessionEvent } from '../contextWindow/event';
import { openLog, SessionLog } from './sessionLog';
import { readSessionLog } from './readSessionLog';

/** A session whose events go to a file. */
export interface StoredSession {
  readonly session: Session;
  readonly file: string;
  /** Gives the file back; the session must not be used after that. */
  close(): void;
}

export type OpenSessionResult =
  | {
      readonly ok: true;
      readonly stored: StoredSession;
      /** For the user: a torn last line was left out. */
      readonly warning?: string;
      /** The calls Plimsoll ended in the middle of; each has an error result now. */
      readonly interrupted: readonly ToolUse[];
    }
  | { readonly ok: false; readonly message: string };

/** Starts a session in a file that does not exist yet; throws a `SessionLogError` if it cannot. */
export function newSession(start: {
  readonly file: string;
  /** Unique: `crypto.randomUUID()`. */
  readonly sessionId: string;
  readonly pinTaskAnchor: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}): StoredSession {
  const { file, sessionId, pinTaskAnchor, now } = start;
  const log = openLog(file);
  const stored = storedSession(file, log, now, []);
  stored.session.append({ type: 'sessionStarted', version: 1, sessionId, pinTaskAnchor });
  return stored;
}

/** Opens a stored session, mends a torn end, and gives every interrupted tool call its result. */
export function openSession(file: string, now: () => number): OpenSessionResult {
  const read = readSessionLog(file);
  if (!read.ok) return read;
  let log: SessionLog | undefined;
  try {
    log = SessionLog.open(file, read.goodBytes);
    if (read.lineOpen) log.endLine();
    const stored = storedSession(file, log, now, read.events);
    return {
      ok: true,
      stored,
      interrupted: closeInterruptedCalls(stored.session),
      ...(read.warning === undefined ? {} : { warning: read.warning }),
    };
  } catch (error) {
    log?.close();
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

function storedSession(
  file: string,
  log: SessionLog,
  now: () => number,
  events: readonly SessionEvent[],
): StoredSession {
  return { session: new Session(log, now, events), file, close: () => log.close() };
}

/** Gives each call without a result one that says so; the API takes no request without it. */
export function closeInterruptedCalls(session: Session): readonly ToolUse[] {
  const open = session.window.blocks.flatMap((block) =>
    block.kind === 'step'
      ? block.pairs.flatMap(({ use, result }) => (result === undefined ? [use] : []))
      : [],
  );
  for (const use of open) {
    session.append({
      type: 'toolFinished',
      toolUseId: use.id,
      text:
        `Interrupted: Plimsoll ended while ${use.name} was waiting or running. Its effects are ` +
        'unknown: it may have happened not at all, in part or completely. Check before doing it again.',
      isError: true,
      origin: 'interrupted',
      durationMs: 0,
      admission: { form: 'whole' },
    });
  }
  return open;
}
