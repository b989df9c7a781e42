import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { SessionEvent } from '../contextWindow/event';
import { checkStoredEvent } from './storedEvent';

/** The version of log this Plimsoll reads and writes. */
const VERSION = 1;

const LINE_BREAK = 0x0a;

export type SessionLogResult =
  | {
      readonly ok: true;
      readonly events: readonly SessionEvent[];
      /** For the user: a torn last line was left out. */
      readonly warning?: string;
      /** Length of the good part of the file; bytes. */
      readonly goodBytes: number;
      /** True when the last event is whole but its line break is missing. */
      readonly lineOpen: boolean;
    }
  /** `message` names the file and, where one is at fault, the line. */
  | { readonly ok: false; readonly message: string };

/** Reads a log; changes nothing on disk, whatever it finds. */
export function readSessionLog(file: string): SessionLogResult {
  const refuse = (why: string): SessionLogResult => ({
    ok: false,
    message: `The session log ${file} cannot be read: ${why}`,
  });
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
  const events: SessionEvent[] = [];
  let start = 0;
  for (let line = 1; start < bytes.length; line++) {
    const lineBreak = bytes.indexOf(LINE_BREAK, start);
    const end = lineBreak === -1 ? bytes.length : lineBreak;
    const read = readLine(bytes.subarray(start, end), events.length === 0);
    if (!read.ok) {
      // A whole line that is wrong is somebody's mistake; half a line is a writer that was killed.
      if (lineBreak !== -1 || events.length === 0 || read.isWhole) {
        return refuse(`line ${line}: ${read.message}`);
      }
      const warning =
        `The last line of ${file} was cut off while it was being written ` +
        `(${end - start} bytes); it is left out.`;
      return { ok: true, events, warning, goodBytes: start, lineOpen: false };
    }
    events.push(read.event);
    start = end + 1;
  }
  if (events.length === 0) return refuse('it is empty.');
  const lineOpen = bytes.at(-1) !== LINE_BREAK;
  return { ok: true, events, goodBytes: bytes.length, lineOpen };
}

type LineResult =
  | { readonly ok: true; readonly event: SessionEvent }
  /** `isWhole`: the line is JSON, so it was not cut off. */
  | { readonly ok: false; readonly isWhole: boolean; readonly message: string };

function readLine(bytes: Buffer, isFirst: boolean): LineResult {
  const value = isUtf8(bytes) ? parse(bytes.toString('utf8')) : undefined;
  if (value === undefined) return { ok: false, isWhole: false, message: 'it is not JSON.' };
  const problem = isFirst ? openingProblem(value) : undefined;
  if (problem !== undefined) return { ok: false, isWhole: true, message: problem };
  const checked = checkStoredEvent(value);
  if (!checked.ok) return { ok: false, isWhole: true, message: `${checked.message}.` };
  if (!isFirst && checked.event.type === 'sessionStarted') {
    return { ok: false, isWhole: true, message: 'a second session begins here.' };
  }
  return checked;
}

function openingProblem(value: object): string | undefined {
  const { type, version } = value as { readonly type?: unknown; readonly version?: unknown };
  if (type !== 'sessionStarted') return 'it does not begin a session; this is no session log.';
  if (version === VERSION) return undefined;
  return `it has version ${JSON.stringify(version)}, and this Plimsoll reads version ${VERSION}. Update Plimsoll to open it.`;
}

function parse(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
