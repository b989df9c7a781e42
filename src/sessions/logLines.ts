import { isUtf8 } from 'node:buffer';

const LINE_BREAK = 0x0a;

/** What some editors put in front of a text they save; no part of the first line. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** One line of a log as it stands on disk. */
export interface LogLine {
  /** Counted from 1. */
  readonly number: number;
  /** Without the line break. */
  readonly bytes: Buffer;
  /** Where it begins in the file; bytes. */
  readonly start: number;
  /** False for a last line without its line break: a writer may have been killed in it. */
  readonly isClosed: boolean;
}

/** Cuts the bytes of a log into its lines. */
export function* logLines(bytes: Buffer): Generator<LogLine> {
  let start = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? BYTE_ORDER_MARK.length
    : 0;
  for (let number = 1; start < bytes.length; number++) {
    const lineBreak = bytes.indexOf(LINE_BREAK, start);
    const end = lineBreak === -1 ? bytes.length : lineBreak;
    yield { number, bytes: bytes.subarray(start, end), start, isClosed: lineBreak !== -1 };
    start = end + 1;
  }
}

/** Reads a line as a JSON object; undefined when it is none. */
export function parseLine(bytes: Buffer): object | undefined {
  if (!isUtf8(bytes)) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Finds the lines in a line whose line breaks were damaged; only itself where there are none. */
export function seamsOpened(bytes: Buffer, eventTypes: readonly string[]): readonly Buffer[] {
  // Where one event ends and the next begins: no part of an event has the type of an event.
  const seam = new RegExp(
    `(?<=\\})[^]?(?=\\{(?:"at":[\\d.]+,)?"type":"(?:${eventTypes.join('|')})")`,
  );
  // Latin-1 keeps every byte as one character.
  return bytes
    .toString('latin1')
    .split(seam)
    .map((piece) => Buffer.from(piece, 'latin1'));
}
