import { basename } from 'node:path';
import { LOG_VERSION, type EventOf, type SessionEvent } from '../contextWindow/event';
import {
  damageText,
  missingLines,
  typeOfDamaged,
  withoutLostRequests,
  type DamagedLine,
  type PlacedEvent,
} from './damage';
import { type LogBytes, withLogFile } from './logFile';
import { checkStoredEvent, EVENT_TYPES } from './storedEvent';
import { isUtf8 } from 'node:buffer';
import { errorText } from '../contextWindow/result';

export type SessionLogResult =
  | {
      readonly ok: true;
      readonly events: readonly SessionEvent[];
      /** For the user: the skipped lines. */
      readonly warning?: string;
      /** Length of the valid part of the file, after which the log continues; bytes. */
      readonly goodBytes: number;
      /** True if the last event is complete but lacks its line break. */
      readonly lineOpen: boolean;
      /** The number of the last line. */
      readonly lines: number;
      /** Skipped lines, which stay in the file. */
      readonly damaged: readonly DamagedLine[];
    }
  /** `message` names the file; `isEmpty`: the session has no events. */
  | { readonly ok: false; readonly isEmpty: boolean; readonly message: string };

/**
 * Reads a log without changing anything on disk. Skips a torn last line, since its event never took
 * effect, and every other unreadable line.
 */
export function readSessionLog(file: string): SessionLogResult {
  try {
    return withLogFile(file, (bytes) => readLogBytes(file, bytes));
  } catch (error) {
    return refusal(file, errorText(error));
  }
}

/**
 * Reads the bytes of a log. `file` is its name in messages, and gives the id if the first line is
 * lost. `take` gets each event as soon as it is read; the result then has no events, and holds only
 * if no line is damaged and the log begins with its start.
 */
export function readLogBytes(
  file: string,
  bytes: LogBytes,
  take?: (event: SessionEvent) => void,
): SessionLogResult {
  const placed: PlacedEvent[] = [];
  const damaged: DamagedLine[] = [];
  let torn: LogLine | undefined;
  let lines = 0;
  /** Where each line is: its bytes would keep the whole log in memory. */
  const numbered = new Map<number, { readonly start: number; readonly end: number }>();
  const repeated: number[] = [];
  for (const line of logLines(bytes)) {
    const value = parseLine(line.bytes);
    const own = numberOf(value);
    if (own !== undefined) {
      const other = numbered.get(own);
      if (other !== undefined && bytes.subarray(other.start, other.end).equals(line.bytes)) {
        repeated.push(line.number);
        continue;
      }
      numbered.set(own, { start: line.start, end: line.start + line.bytes.length });
    }
    const version = value === undefined ? undefined : versionOf(value);
    if (typeof version === 'number' && version !== LOG_VERSION) {
      return refusal(file, otherVersion(version));
    }
    const read = readLine(line.bytes, value);
    for (const { number: stored, event } of read.events) {
      const number = isPossible(stored, lines, bytes.length) ? stored : lines + 1;
      damaged.push(...missingLines(lines + 1, number, line.number));
      lines = Math.max(lines, number);
      if (event.type !== 'sessionStarted' || placed.length === 0) {
        take?.(event);
        if (take === undefined || placed.length === 0) placed.push({ line: number, event });
      } else if (!isSameSession(placed[0]?.event, event)) {
        return refusal(file, `a second session begins in line ${line.number}.`);
      }
    }
    if (read.problem === undefined) continue;
    if (!line.isClosed && value === undefined && read.events.length === 0) {
      torn = line;
      continue;
    }
    const type = typeOfDamaged(line.bytes);
    if (read.events.length === 0) lines += 1;
    const { number: place, bytes: text } = line;
    damaged.push({ number: lines, place, bytes: text.length, type, why: read.problem });
  }
  if (placed.length === 0) return nothingIn(file, damaged);
  const warnings = [
    ...(damaged.length === 0 ? [] : [damageText(file, damaged)]),
    ...(repeated.length === 0 ? [] : [repeatedText(file, repeated)]),
    ...(torn === undefined ? [] : [tornText(file, torn)]),
  ];
  return {
    ok: true,
    events: take === undefined ? withBeginning(file, withoutLostRequests(placed, damaged)) : [],
    ...(warnings.length === 0 ? {} : { warning: warnings.join(' ') }),
    goodBytes: torn?.start ?? bytes.length,
    lineOpen: torn === undefined && bytes.subarray(bytes.length - 1)[0] !== LINE_BREAK,
    lines,
    damaged,
  };
}

interface LineEvents {
  /** `number` is the stored number of its line, if there is one. */
  readonly events: readonly { readonly number?: number; readonly event: SessionEvent }[];
  /** The problem of the line, though it may still hold events. */
  readonly problem?: string;
}

function readLine(line: Buffer, value: object | undefined): LineEvents {
  if (value !== undefined) return readEvent(value);
  const pieces = seamsOpened(line, EVENT_TYPES);
  if (pieces.length === 1) return { events: [], problem: 'it is not JSON' };
  const found = pieces.map((piece): LineEvents => {
    const part = parseLine(piece);
    if (part !== undefined) return readEvent(part);
    return { events: [], problem: 'part of it is not JSON' };
  });
  const problem = found.find((piece) => piece.problem !== undefined)?.problem;
  return {
    events: found.flatMap(({ events }) => events),
    // If only a line break was damaged, nothing is lost.
    problem,
  };
}

function readEvent(value: object): LineEvents {
  const { line: _, ...rest } = value as { readonly line?: unknown };
  const number = numberOf(value);
  const checked = checkStoredEvent(rest);
  if (!checked.ok) return { events: [], problem: checked.message };
  const { event } = checked;
  return { events: [number === undefined ? { event } : { number, event }] };
}

/** The number a line was given when it was written. */
function numberOf(value: object | undefined): number | undefined {
  const { line } = (value ?? {}) as { readonly line?: unknown };
  return typeof line === 'number' ? line : undefined;
}

/**
 * Whether a line can have this number: no more lines can be missing before it than the file has bytes. Anything
 * else is damage, or was written to exhaust the memory.
 */
function isPossible(
  number: number | undefined,
  lines: number,
  fileBytes: number,
): number is number {
  return (
    number !== undefined &&
    Number.isSafeInteger(number) &&
    number > 0 &&
    number - lines <= fileBytes
  );
}

/** A repeated line would answer a tool call twice, and the API would refuse the request. */
function repeatedText(file: string, lines: readonly number[]): string {
  const places = lines.join(', ');
  return lines.length === 1
    ? `Line ${places} of ${file} repeats an earlier line and was left out; nothing is lost.`
    : `Lines ${places} of ${file} repeat earlier lines and were left out; nothing is lost.`;
}

function tornText(file: string, { bytes }: LogLine): string {
  return (
    `The last line of ${file} was cut off while it was written ` +
    `(${bytes.length} bytes) and was left out.`
  );
}

/** Adds a first event if it was lost; the file name holds the session's id. */
function withBeginning(file: string, events: readonly SessionEvent[]): readonly SessionEvent[] {
  const [first] = events;
  if (first === undefined || first.type === 'sessionStarted') return events;
  const start: EventOf<'sessionStarted'> = {
    at: first.at,
    type: 'sessionStarted',
    version: LOG_VERSION,
    sessionId: sessionIdIn(file),
    pinTaskAnchor: true,
  };
  return [start, ...events];
}

/** The id in the name of a log: `2026-11-21-<id>.jsonl`. */
export function sessionIdIn(file: string): string {
  return basename(file, '.jsonl').replace(/^\d{4}-\d\d-\d\d-/, '');
}

function isSameSession(first: SessionEvent | undefined, event: EventOf<'sessionStarted'>): boolean {
  return first?.type === 'sessionStarted' && first.sessionId === event.sessionId;
}

function versionOf(value: object): unknown {
  const { type, version } = value as { readonly type?: unknown; readonly version?: unknown };
  return type === 'sessionStarted' ? version : undefined;
}

function otherVersion(version: number): string {
  const advice =
    version > LOG_VERSION
      ? 'Update Plimsoll to open it.'
      : 'Start a new session, or open this one with the Plimsoll that wrote it.';
  return (
    `it has version ${version}, and this Plimsoll reads version ${LOG_VERSION} only. ` +
    `The file was not changed. ${advice}`
  );
}

function nothingIn(file: string, damaged: readonly DamagedLine[]): SessionLogResult {
  if (damaged.length > 0)
    return refusal(file, 'none of its lines is an event, so it is not a session log.');
  return { ...refusal(file, 'it is empty: the session has no events yet.'), isEmpty: true };
}

function refusal(file: string, why: string) {
  const message = `The session log ${file} cannot be read: ${why}`;
  return { ok: false as const, isEmpty: false, message };
}

const LINE_BREAK = 0x0a;

/** Some editors write this mark at the start of a file; it does not belong to the first line. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** One line of a log as it is on disk. */
export interface LogLine {
  /** Counted from 1. */
  readonly number: number;
  /** Without the line break. */
  readonly bytes: Buffer;
  /** Where it begins in the file; bytes. */
  readonly start: number;
  /** False for a last line without its line break: its writer may have been killed. */
  readonly isClosed: boolean;
}

/** Bytes of a log that are looked at together; more for a longer line. */
const PIECE = 1_000_000;

/** Cuts the bytes of a log into its lines. */
export function* logLines(bytes: LogBytes): Generator<LogLine> {
  let start = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? BYTE_ORDER_MARK.length
    : 0;
  let from = start;
  let piece = bytes.subarray(from, from + PIECE);
  for (let number = 1; start < bytes.length; number++) {
    let lineBreak = piece.indexOf(LINE_BREAK, start - from);
    while (lineBreak === -1 && from + piece.length < bytes.length) {
      const length = Math.max(PIECE, 2 * (from + piece.length - start));
      from = start;
      piece = bytes.subarray(from, from + length);
      lineBreak = piece.indexOf(LINE_BREAK);
    }
    const end = lineBreak === -1 ? bytes.length : from + lineBreak;
    const line = piece.subarray(start - from, end - from);
    yield { number, bytes: line, start, isClosed: lineBreak !== -1 };
    start = end + 1;
  }
}

/** Reads a line as a JSON object; undefined if it is anything else. */
export function parseLine(bytes: Buffer): object | undefined {
  if (!isUtf8(bytes)) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Splits a line whose line breaks were damaged into its lines; returns only itself if there are
 * none.
 */
function seamsOpened(bytes: Buffer, eventTypes: readonly string[]): readonly Buffer[] {
  // Where one event ends and the next begins: the only part of an event that has the type of an
  // event, a sub-agent's, follows a name.
  const seam = new RegExp(
    `(?<=\\})[^]?(?=\\{(?:"at":[\\d.]+,)?"type":"(?:${eventTypes.join('|')})")`,
  );
  // Latin-1 keeps every byte as one character.
  return bytes
    .toString('latin1')
    .split(seam)
    .map((piece) => Buffer.from(piece, 'latin1'));
}
