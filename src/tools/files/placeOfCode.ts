import { refused, type Result } from '../../contextWindow/result';

/** The lines of a file that a piece of code replaces; counted from 0, without the line at `end`. */
interface CodePlace {
  readonly start: number;
  readonly end: number;
  /** The code with the indentation of those lines; ends with a line break. */
  readonly text: string;
}

/** Below this share of common lines, code is not a revision; 0..1. */
const LEAST_ALIKE = 0.3;
/** Most lines compared with one piece of code, from each possible start. */
const LONGEST = 2_000;

/**
 * Finds the lines of a file that code from a reply revises: they begin and end as it does and have
 * the most lines in common. Refuses when there are none, or two such places.
 */
export function placeOfCode(file: string, code: string): Result<{ readonly place: CodePlace }> {
  const lines = linesOf(file);
  const wanted = trimBlank(linesOf(code));
  const [first, last] = [wanted[0], wanted.at(-1)];
  if (first === undefined || last === undefined) return refused('This code has no text.');
  const places = lines.flatMap((line, start) =>
    line.trim() === first.trim() ? bestFrom(lines, start, wanted) : [],
  );
  const best = Math.max(0, ...places.map(({ alike }) => alike));
  const bests = places.filter(({ alike }) => alike === best);
  const [place] = bests;
  if (place === undefined || best < LEAST_ALIKE) {
    return refused('no lines in it begin and end as this code does');
  }
  if (bests.length > 1) {
    const at = bests.map(({ start }) => start + 1).join(' and ');
    return refused(`this code fits equally well at lines ${at}`);
  }
  const { start, end } = place;
  const lead = indentOf(lines[start] ?? '').slice(indentOf(first).length);
  const text = wanted.map((line) => (line.trim() === '' ? '' : `${lead}${line}`)).join('\n');
  return { ok: true, place: { start, end, text: `${text}\n` } };
}

interface Candidate {
  readonly start: number;
  readonly end: number;
  readonly alike: number;
}

/**
 * The end at which lines from `start` have the most in common with the code; undefined when no line
 * matches its end.
 */
function bestFrom(
  lines: readonly string[],
  start: number,
  wanted: readonly string[],
): readonly Candidate[] {
  const last = wanted.at(-1) ?? '';
  const deeper = indentOf(last).length - indentOf(wanted[0] ?? '').length;
  const depth = indentOf(lines[start] ?? '').length + deeper;
  const left = countsOf(wanted);
  let common = 0;
  let best: Candidate | undefined;
  for (let at = start; at < Math.min(lines.length, start + LONGEST); at++) {
    const line = lines[at] ?? '';
    const count = left.get(line.trim()) ?? 0;
    if (count > 0) {
      left.set(line.trim(), count - 1);
      common += 1;
    }
    if (line.trim() !== last.trim() || indentOf(line).length !== depth) continue;
    const alike = common / Math.max(wanted.length, at + 1 - start);
    if (best === undefined || alike > best.alike) best = { start, end: at + 1, alike };
  }
  return best === undefined ? [] : [best];
}

function countsOf(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
  return counts;
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

function trimBlank(lines: readonly string[]): readonly string[] {
  const isText = (line: string): boolean => line.trim() !== '';
  return lines.slice(Math.max(0, lines.findIndex(isText)), lines.findLastIndex(isText) + 1);
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
