import type { ShownLines } from '../block';
import { UNSEEN, type KnownFile, type KnownLine, type KnownRun, type Sighting } from './knownFile';
import { inOrder, moved } from './movedRuns';
import { withoutRead } from './unreadEdit';

/**
 * Takes in that lines were shown, by what `by` makes of each. What was shown with its number is the
 * file as it was then, whatever was known of it before.
 */
export function afterShown(
  file: KnownFile,
  shown: readonly ShownLines[],
  by: (line: KnownLine) => Sighting,
): KnownFile {
  const runs = shown.reduce((before, lines) => shownIn(before, lines, by), file.runs);
  return runs === file.runs ? file : { ...file, runs };
}

function shownIn(
  before: readonly KnownRun[],
  { first, text }: ShownLines,
  by: (line: KnownLine) => Sighting,
): readonly KnownRun[] {
  const texts = text.split('\n');
  const runs = first === undefined ? before : withLinesAt(before, first, texts);
  for (const [at, run] of runs.entries()) {
    const start = startIn(run, first, texts);
    if (start === undefined) continue;
    const lines = run.lines.map((line, index) =>
      index >= start && index < start + texts.length ? { ...line, seen: by(line) } : line,
    );
    return runs.with(at, { ...run, lines });
  }
  return runs;
}

/** Where lines stand in a run; undefined where it has others there. */
function startIn(
  { first: begin, lines }: KnownRun,
  first: number | undefined,
  texts: readonly string[],
): number | undefined {
  if ((begin === undefined) !== (first === undefined)) return undefined;
  const start = (first ?? 0) - (begin ?? 0);
  if (start < 0) return undefined;
  return stand(lines, start, texts) ? start : undefined;
}

function stand(lines: KnownRun['lines'], start: number, texts: readonly string[]): boolean {
  return texts.every((text, index) => lines[start + index]?.text === text);
}

/** The runs with lines at their number; where they were known at another, the rest moves along. */
function withLinesAt(
  before: readonly KnownRun[],
  first: number,
  texts: readonly string[],
): readonly KnownRun[] {
  if (before.some((run) => startIn(run, first, texts) !== undefined)) return before;
  const runs = moved(before, first, texts);
  const last = first + texts.length - 1;
  const lines: KnownLine[] = texts.map((text) => ({ text, seen: UNSEEN, edited: 0 }));
  const keep = (at: number, line: KnownLine): void => {
    if (lines[at]?.text === line.text) lines[at] = line;
  };
  const around = runs.flatMap((run): KnownRun[] => {
    const begin = run.first;
    if (begin === undefined) {
      const start = texts.findIndex((_, at) =>
        run.lines.every(({ text }, index) => texts[at + index] === text),
      );
      if (start === -1) return [...withoutRead(run, texts)];
      for (const [index, line] of run.lines.entries()) keep(start + index, line);
      return [];
    }
    for (const [index, line] of run.lines.entries()) keep(begin + index - first, line);
    return [
      { first: begin, lines: run.lines.slice(0, Math.max(0, first - begin)) },
      { first: Math.max(begin, last + 1), lines: run.lines.slice(Math.max(0, last + 1 - begin)) },
    ].filter(({ lines: of }) => of.length > 0);
  });
  return inOrder([...around, { first, lines }]);
}
