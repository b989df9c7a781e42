import type { ToolUseId } from '../block';
import type { LineRange, Replacement } from '../callEffect';
import type { KnownFile, KnownLine, KnownRun, Sighting } from '../fileFacts';
import { inOrder, moved } from './movedRuns';
import { beforeUnreadEdit, withoutNumbers, withoutRead } from './unreadEdit';
import { numberedLines } from './numberedLines';

export type { KnownFile, KnownLine, KnownRun, Sighting } from '../fileFacts';

/** Of lines that a file has and that nothing has shown. */
export const UNSEEN: Sighting = { step: 0, use: '' as ToolUseId, in: 'unseen' };

/** A file of which nothing is known yet. */
export function unknownFile(path: string): KnownFile {
  return { path, runs: [], readAt: 0, editedAt: 0 };
}

/** How many lines of a file are known. */
export function knownLines({ runs }: KnownFile): number {
  return runs.reduce((sum, { lines }) => sum + lines.length, 0);
}

/** The known lines of a part of a file, or of all of it. */
export function linesWithin(
  { runs }: KnownFile,
  range: LineRange | undefined,
): readonly KnownLine[] {
  const { first = 1, last = Infinity } = range ?? {};
  return runs.flatMap(({ first: begin, lines }) =>
    begin === undefined
      ? []
      : lines.filter((_, index) => begin + index >= first && begin + index <= last),
  );
}

/**
 * Takes in what a read has shown: `texts` are the parts of its result that were admitted, each with
 * a number before every line. Lines without a number say nothing of the file.
 */
export function afterRead(file: KnownFile, texts: readonly string[], by: Sighting): KnownFile {
  const read = texts.flatMap(numberedLines);
  if (read.length === 0) return file;
  return {
    ...file,
    runs: read.reduce(
      (runs, { first, lines }) => overlaid(moved(runs, first, lines), first, lines, by),
      file.runs,
    ),
    readAt: by.step,
  };
}

/** Takes in that the whole file was written. */
export function afterWrite(file: KnownFile, text: string, by: Sighting): KnownFile {
  const lines = linesOfFile(text).map((line) => ({ text: line, seen: by, edited: by.step }));
  return { ...file, runs: lines.length === 0 ? [] : [{ first: 1, lines }], editedAt: by.step };
}

/**
 * Takes in exact replacements, one after another. What is replaced in text that nobody has read is
 * known from then on, without the number of its lines, and so is what may have moved by it.
 */
export function afterEdit(
  file: KnownFile,
  replacements: readonly Replacement[],
  by: Sighting,
): KnownFile {
  const runs = replacements.reduce((before, each) => replacedIn(before, each, by), file.runs);
  return { ...file, runs, editedAt: by.step };
}

/** A last line break ends the last line, and begins none. */
export function linesOfFile(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Lays lines that were read over what was known: they hold for their numbers. */
function overlaid(
  runs: readonly KnownRun[],
  first: number,
  texts: readonly string[],
  by: Sighting,
): readonly KnownRun[] {
  const last = first + texts.length - 1;
  const former = new Map<number, KnownLine>();
  const around = runs.flatMap((run): KnownRun[] => {
    if (run.first === undefined) return [...withoutRead(run, texts)];
    const start = run.first;
    const end = start + run.lines.length - 1;
    if (end < first || start > last) return [run];
    for (const [index, line] of run.lines.entries()) former.set(start + index, line);
    return [
      { first: start, lines: run.lines.slice(0, Math.max(0, first - start)) },
      { first: last + 1, lines: run.lines.slice(Math.max(0, last + 1 - start)) },
    ].filter(({ lines }) => lines.length > 0);
  });
  const lines = texts.map((text, index): KnownLine => {
    const known = former.get(first + index);
    return { text, seen: by, edited: known?.text === text ? known.edited : 0 };
  });
  return inOrder([...around, { first, lines }]);
}

/** Where a text stands in the known lines; places are of the run and of its text, in characters. */
interface Place {
  readonly run: number;
  readonly start: number;
}

function replacedIn(
  runs: readonly KnownRun[],
  { before, after, all }: Replacement,
  by: Sighting,
): readonly KnownRun[] {
  const [wanted, given] = [before.replaceAll('\r\n', '\n'), after.replaceAll('\r\n', '\n')];
  let next = runs;
  let found = false;
  let from: Place = { run: 0, start: 0 };
  for (;;) {
    const place = placeOf(next, wanted, from);
    if (place === undefined) break;
    found = true;
    next = replacedAt(next, place, wanted, given, by);
    from = { run: place.run, start: place.start + given.length };
    if (all !== true) break;
  }
  const grows = breaksIn(given) - breaksIn(wanted);
  if (!found) {
    const kept = beforeUnreadEdit(next, wanted, grows);
    return [...kept, { lines: linesWritten(given, by) }].filter(isNotEmpty);
  }
  // Of all places, some may be in lines that nobody has read.
  const isPlaced = all !== true && next[from.run]?.first !== undefined;
  return grows === 0 || isPlaced ? next : withoutNumbers(next);
}

function isNotEmpty({ lines }: KnownRun): boolean {
  return lines.length > 0;
}

function linesWritten(text: string, by: Sighting): readonly KnownLine[] {
  return linesOfFile(text).map((line) => ({ text: line, seen: by, edited: by.step }));
}

function placeOf(runs: readonly KnownRun[], text: string, from: Place): Place | undefined {
  for (let run = from.run; run < runs.length; run += 1) {
    const start = textOf(runs[run] as KnownRun).indexOf(text, run === from.run ? from.start : 0);
    if (start !== -1) return { run, start };
  }
  return undefined;
}

/** A cache: runs are immutable, and each edit looks through those of its file. */
const TEXTS = new WeakMap<KnownRun, string>();

function textOf(run: KnownRun): string {
  const known = TEXTS.get(run);
  if (known !== undefined) return known;
  // Behind the last line there is a line break too, which a replacement may name.
  const text = run.lines.map((line) => `${line.text}\n`).join('');
  TEXTS.set(run, text);
  return text;
}

/** Replaces a text within a run; the runs behind it move by as many lines as it has grown. */
function replacedAt(
  runs: readonly KnownRun[],
  { run: at, start }: Place,
  before: string,
  after: string,
  by: Sighting,
): readonly KnownRun[] {
  const run = runs[at] as KnownRun;
  const text = textOf(run);
  const first = breaksIn(text.slice(0, start));
  const count = breaksIn(before) + 1;
  const old = run.lines.slice(first, first + count);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const end = start + before.length;
  const lineEnd = text.indexOf('\n', end);
  const whole = `${text.slice(lineStart, start)}${after}${text.slice(end, lineEnd === -1 ? end : lineEnd)}`;
  // What ends at the end of the run's text leaves no line behind it.
  const texts = lineEnd === -1 ? linesOfFile(whole) : whole.split('\n');
  const lines = [
    ...run.lines.slice(0, first),
    ...rewritten(old, texts, by),
    ...run.lines.slice(first + count),
  ];
  const shift = texts.length - old.length;
  return runs.map((other, index): KnownRun => {
    if (index === at) return { ...run, lines };
    const isBehind = run.first !== undefined && (other.first ?? 0) > run.first;
    return isBehind && other.first !== undefined ? { ...other, first: other.first + shift } : other;
  });
}

/** The new lines; those that the replacement only names are seen, and not edited. */
function rewritten(
  old: readonly KnownLine[],
  texts: readonly string[],
  by: Sighting,
): readonly KnownLine[] {
  const most = Math.min(old.length, texts.length);
  let head = 0;
  while (head < most && old[head]?.text === texts[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail)?.text === texts.at(-1 - tail)) tail += 1;
  // Where lines only went, the one at the seam tells of it.
  const isRemoval = head + tail >= texts.length;
  return texts.map((text, index): KnownLine => {
    const same =
      index < head
        ? old[index]
        : index >= texts.length - tail
          ? old.at(index - texts.length)
          : undefined;
    const isSeam = isRemoval && index === Math.max(0, head - 1);
    return { text, seen: by, edited: same === undefined || isSeam ? by.step : same.edited };
  });
}

function breaksIn(text: string): number {
  return text.split('\n').length - 1;
}
