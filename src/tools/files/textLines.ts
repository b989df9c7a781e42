import { maskedText } from '../../agent/secrets/secrets';
import { refused, type Result } from '../../contextWindow/result';
import { decoded, type DecodedText } from './encoding';

/** Splits a text into lines; a final line break starts no further line. */
export function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Makes every line break a plain `\n`. */
export function withPlainBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** The line break that most of the text uses. */
export function mainLineBreak(text: string): '\n' | '\r\n' {
  const all = text.split('\n').length - 1;
  const windows = text.split('\r\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}

/** Numbers lines, with a tab between: `12\ttext`. */
export function numbered(lines: readonly string[], firstNumber: number): string {
  return lines.map((line, index) => `${firstNumber + index}\t${line}`).join('\n');
}

/** Longest line of a search result, characters. */
const LONGEST = 500;

/** Characters before the match in a line that is cut. */
const BEFORE = 150;

/** Cuts a long line around the match that begins at character `at`. */
export function excerpt(line: string, at: number): string {
  if (line.length <= LONGEST) return line;
  // A secret that is cut in two is not recognised any more.
  const clean = maskedText(line);
  const start = Math.max(0, Math.min(at - BEFORE, clean.length - LONGEST));
  const end = start + LONGEST;
  return `${start > 0 ? '…' : ''}${clean.slice(start, end)}${end < clean.length ? '…' : ''}`;
}

/** Larger files are not read whole; bytes. */
export const LARGEST_FILE = 10_000_000;

/** Decodes text, or says why it cannot; keeps a byte order mark. */
export function decodeText(bytes: Buffer, path: string): Result<DecodedText> {
  const read = decoded(bytes);
  return read === undefined
    ? refused(`${path} is a binary file, not text.`)
    : { ok: true, ...read };
}
