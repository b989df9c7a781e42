import { diffArrays } from 'diff';
import type { HunkView } from '../checkpoints/state';

/** Lines that are compared to find a hunk in an edited file; beyond that none is found. */
const MOST_COMPARED = 4_000;

/** Longest comparison, ms; it runs in the extension host. */
const LONGEST_MS = 50;

/** Where a hunk is in the current text; lines are counted from 0. */
export interface PlacedHunk {
  /** The changed lines; `end` is exclusive, and equal to `start` if lines were only removed. */
  readonly start: number;
  readonly end: number;
  readonly added: readonly number[];
  /** The removed lines, in order; untrusted. */
  readonly removed: readonly string[];
}

/** The lines of a text as an editor shows them. */
export function linesOf(text: string): readonly string[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
}

/**
 * Finds the hunks of a turn in the current lines of its file; undefined for each that no longer
 * holds what the agent wrote.
 */
export function placedHunks(
  hunks: readonly HunkView[],
  written: readonly string[],
  now: readonly string[],
): readonly (PlacedHunk | undefined)[] {
  const lineNow = lineNowOf(written, now);
  return hunks.map((hunk) => placed(hunk, written.length, now.length, lineNow));
}

function placed(
  { line, lines }: HunkView,
  linesWritten: number,
  linesNow: number,
  lineNow: (line: number) => number | undefined,
): PlacedHunk | undefined {
  const changed: number[] = [];
  const removed: string[] = [];
  const added: number[] = [];
  let at = Math.max(0, line - 1);
  for (const text of lines) {
    const [mark] = text;
    // The line about a missing final line break is none of the file.
    if (mark === '\\') continue;
    if (mark === '-') removed.push(text.slice(1));
    if (mark === '+') added.push(at);
    if (mark !== ' ') changed.push(at);
    if (mark !== '-') at += 1;
  }
  const first = changed[0];
  if (first === undefined) return undefined;
  const end = Math.max(first, ...added.map((one) => one + 1), ...changed);
  // The lines around it show that nothing was inserted where lines were removed.
  const before = first === 0 ? -1 : lineNow(first - 1);
  const after = end >= linesWritten ? linesNow : lineNow(end);
  const start = added.length > 0 ? lineNow(first) : before === undefined ? undefined : before + 1;
  if (start === undefined) return undefined;
  const shift = start - first;
  const isSame = (one: number): boolean => lineNow(one) === one + shift;
  for (let one = first; one < end; one += 1) if (!isSame(one)) return undefined;
  if (added.length === 0 && after !== end + shift) return undefined;
  return { start, end: end + shift, added: added.map((one) => one + shift), removed };
}

/** Says where each line of a text is now; undefined for a line that is gone or changed. */
function lineNowOf(
  written: readonly string[],
  now: readonly string[],
): (line: number) => number | undefined {
  let head = 0;
  while (head < written.length && head < now.length && written[head] === now[head]) head += 1;
  let tail = 0;
  const most = Math.min(written.length, now.length) - head;
  while (tail < most && written.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const between = compared(
    written.slice(head, written.length - tail),
    now.slice(head, now.length - tail),
  );
  return (line) => {
    if (line < head) return line;
    if (line >= written.length - tail) return line - written.length + now.length;
    const found = between.get(line - head);
    return found === undefined ? undefined : found + head;
  };
}

function compared(written: readonly string[], now: readonly string[]): ReadonlyMap<number, number> {
  const lines = new Map<number, number>();
  if (written.length + now.length > MOST_COMPARED) return lines;
  let [from, to] = [0, 0];
  const parts = diffArrays([...written], [...now], { timeout: LONGEST_MS });
  for (const { added, removed, count } of parts ?? []) {
    for (let one = 0; !added && !removed && one < count; one += 1) lines.set(from + one, to + one);
    if (!added) from += count;
    if (!removed) to += count;
  }
  return lines;
}
