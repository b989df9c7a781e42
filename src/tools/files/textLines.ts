import { isUtf8 } from 'node:buffer';
import { refused, type Result } from '../../contextWindow/result';

/** Splits a text into its lines; a line break at the end does not start another line. */
export function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Makes every line break a plain `\n`. */
export function withPlainBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Names the line break most of the text uses. */
export function mainLineBreak(text: string): '\n' | '\r\n' {
  const all = text.split('\n').length - 1;
  const windows = text.split('\r\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}

/** Writes lines with their numbers, a tab between: `12\ttext`. */
export function numbered(lines: readonly string[], firstNumber: number): string {
  return lines.map((line, index) => `${firstNumber + index}\t${line}`).join('\n');
}

/** Longest line of a search result, characters. */
const LONGEST = 500;

/** How much stands before the match in a line that is cut, characters. */
const BEFORE = 150;

/** Cuts a long line around the match that begins at `at` (characters). */
export function excerpt(line: string, at: number): string {
  if (line.length <= LONGEST) return line;
  const start = Math.max(0, Math.min(at - BEFORE, line.length - LONGEST));
  const end = start + LONGEST;
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
}

/** Files larger than this are not read whole; bytes. */
export const LARGEST_FILE = 10_000_000;

/** Reads bytes as UTF-8 text, or says why they are not; a byte order mark stays. */
export function decodeText(bytes: Buffer, path: string): Result<{ readonly text: string }> {
  if (bytes.includes(0)) return refused(`${path} is a binary file, not text.`);
  if (!isUtf8(bytes)) return refused(`${path} is not UTF-8 text.`);
  return { ok: true, text: bytes.toString('utf8') };
}
