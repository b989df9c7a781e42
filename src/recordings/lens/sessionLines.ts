import { isObject } from '../../contextWindow/json';
import { parsed } from '../readJson';
import { tokensIn } from '../recordedItem';

type Fields = Readonly<Record<string, unknown>>;

const LINE_END = 10;

/** Longest title made from a prompt; characters. */
const LONGEST_TITLE = 80;

/** The objects of complete lines, from the first one on. */
export function* linesOf(lines: Buffer): Generator<Fields> {
  for (let start = 0; start < lines.length;) {
    const end = lines.indexOf(LINE_END, start);
    const value = parsed(lines.toString('utf8', start, end));
    if (isObject(value)) yield value;
    start = end + 1;
  }
}

/** The objects of the lines that contain a text, the last one first. */
export function* linesWith(lines: Buffer, text: string): Generator<Fields> {
  let end = lines.length;
  while (end > 0) {
    const at = lines.lastIndexOf(text, end - 1);
    if (at === -1) return;
    const start = lines.lastIndexOf(LINE_END, at) + 1;
    const value = parsed(lines.toString('utf8', start, lines.indexOf(LINE_END, at)));
    if (isObject(value)) yield value;
    end = start;
  }
}

/** How often a text occurs. */
export function occurrences(lines: Buffer, text: string): number {
  let found = 0;
  for (let at = lines.indexOf(text); at !== -1; at = lines.indexOf(text, at + text.length)) {
    found += 1;
  }
  return found;
}

/** The first words of a prompt, on one line. */
export function titleOfPrompt(prompt: string): string {
  const line = prompt.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_TITLE ? line : `${line.slice(0, LONGEST_TITLE - 1).trimEnd()}…`;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Adds up those of the values that are numbers of tokens; undefined if the sum is 0. */
export function sumOf(...values: readonly unknown[]): number | undefined {
  const sum = values.reduce<number>((total, value) => total + tokensIn(value), 0);
  return sum === 0 ? undefined : sum;
}

/** Whether a line of a session is older than the session: a fork begins with copies of its origin's. */
export function isCopy({ timestamp }: Fields, begunAt: string | undefined): boolean {
  return typeof timestamp === 'string' && begunAt !== undefined && timestamp < begunAt;
}
