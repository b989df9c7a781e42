import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { checkStoredEvent } from './storedEvent';

/** What a list of sessions shows of one; times in milliseconds since the epoch. */
export interface SessionListing {
  readonly sessionId: string;
  readonly file: string;
  /** The first prompt on one line, shortened; empty before there is one. */
  readonly title: string;
  readonly startedAt: number;
  /** When its log was last written to. */
  readonly changedAt: number;
}

const ENDING = '.jsonl';

/** Longest title, characters. */
const LONGEST_TITLE = 80;

/** The first prompt stands behind the preamble; it is not looked for further than this; bytes. */
const FARTHEST_PROMPT = 4_000_000;

/** Where the log of a session stands; ids come from `crypto.randomUUID()`. */
export function sessionFile(folder: string, sessionId: string): string {
  if (!/^[\w-]+$/.test(sessionId)) throw new Error(`${sessionId} is no session id.`);
  return join(folder, sessionId + ENDING);
}

/** Lists the sessions of a folder, the latest used first; what is no session log is passed over. */
export function listSessions(folder: string): readonly SessionListing[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(ENDING))
    .flatMap((name) => listingOf(join(folder, name)) ?? [])
    .toSorted((a, b) => b.changedAt - a.changedAt || (a.sessionId < b.sessionId ? -1 : 1));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // No session was stored yet.
  }
}

function listingOf(file: string): SessionListing | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(file, 'r');
    const changedAt = fstatSync(fd).mtimeMs;
    let started: { readonly sessionId: string; readonly startedAt: number } | undefined;
    for (const line of firstLines(fd)) {
      const read = checkStoredEvent(JSON.parse(line));
      if (!read.ok) break;
      const { event } = read;
      if (event.type === 'sessionStarted') {
        started = { sessionId: event.sessionId, startedAt: event.at };
      }
      if (started === undefined) break;
      if (event.type === 'promptSubmitted') {
        return { ...started, file, changedAt, title: titleOf(event.text) };
      }
    }
    return started === undefined ? undefined : { ...started, file, changedAt, title: '' };
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Reads whole lines from the beginning, a piece of the file at a time. */
function* firstLines(fd: number): Generator<string> {
  let rest = Buffer.alloc(0);
  for (let at = 0; at < FARTHEST_PROMPT;) {
    const piece = Buffer.alloc(65_536);
    const length = readSync(fd, piece, 0, piece.length, at);
    if (length === 0) return;
    at += length;
    rest = Buffer.concat([rest, piece.subarray(0, length)]);
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      yield rest.subarray(0, end).toString('utf8');
      rest = rest.subarray(end + 1);
    }
  }
}

function titleOf(prompt: string): string {
  const line = prompt.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_TITLE ? line : `${line.slice(0, LONGEST_TITLE - 1)}…`;
}
