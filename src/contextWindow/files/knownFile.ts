import type { BlockId, ToolUseId } from '../block';
import type { LineRange, Replacement } from '../callEffect';
import type { PersistentMap } from '../persistentMap';
import { beforeUnreadEdit, inOrder, moved, withoutNumbers, withoutRead } from './movedRuns';

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

/**
 * The call that showed a line last: in its result, or in what it wrote; `cut`: its result holds the
 * line, but it was cut when it entered the window; `view`: a view shows it, `use` being the id of that
 * block and `step` the one that had shown it before; `unseen`: the file has the line, and nothing has
 * shown it.
 */
export interface Sighting {
  readonly step: number;
  readonly use: ToolUseId | BlockId;
  readonly in: 'call' | 'result' | 'cut' | 'view' | 'unseen';
}

/** One line of a file as it was seen last. */
export interface KnownLine {
  readonly text: string;
  readonly seen: Sighting;
  /** The step that changed it last; 0 for none. */
  readonly edited: number;
}

/** Lines that follow one another. */
export interface KnownRun {
  /** The number of the first one, counted from 1; absent where it is not known. */
  readonly first?: number;
  readonly lines: readonly KnownLine[];
}

/** What calls have shown of one file and made of it; an immutable value. */
export interface KnownFile {
  readonly path: string;
  /** Those with numbers in ascending order, then the others, oldest first. */
  readonly runs: readonly KnownRun[];
  /** The step that read it last, and the one that changed it last; 0 for none. */
  readonly readAt: number;
  readonly editedAt: number;
  /**
   * Where it was compared with the file as it is now: lines of it are not there any more, though no
   * call here changed them; the file is gone; it cannot be read, so nothing of it may be shown.
   */
  readonly onDisk?: 'changedOutside' | 'deleted' | 'unreadable';
}

/** What the calls of a session have shown of files, and made of them, by path. */
export type FileModel = PersistentMap<string, KnownFile>;

/** What the score of a region was worked out from; steps are 0 for none. */
export interface RegionCause {
  /** The user wants it shown, whatever its score. */
  readonly chosen?: true;
  /** The newest prompt or the scratchpad names the file. */
  readonly named?: true;
  /** The step that edited the file last, and the one that read it last. */
  readonly editedAt: number;
  readonly readAt: number;
  /** The edit that says most of the region, and how many lines away it is; absent where none is near. */
  readonly edit?: { readonly step: number; readonly distance: number };
  /** The step that showed any of its lines last. */
  readonly seenAt: number;
}

/** How likely a region is to be needed, and what that was worked out from. */
export interface RegionScore {
  readonly why: RegionCause;
  readonly score: number;
  /** How recently the file was edited, read or named, 0..1. */
  readonly touch: number;
  /** How near to a recent edit it is, 0..1. */
  readonly near: number;
  /** How recently it was seen, 0..1. */
  readonly seen: number;
}

/** A line as tools for reading files answer it: its number, a mark, its text. */
const NUMBERED = /^[ \t]*(\d+)(?:→|\t|: ?| ?\| ?)(.*)$/;

/** Lines of a file with the number of the first one, counted from 1. */
interface NumberedLines {
  readonly first: number;
  readonly lines: readonly string[];
}

/** So many characters of a result tell whether lines with numbers begin in it. */
const BEGINNING = 4_000;

/** Says whether a result shows lines of a file, each behind its number. */
export function hasNumberedLines(text: string): boolean {
  return numberedLines(text.slice(0, BEGINNING)).length > 0;
}

/** A heading may come before the lines; a text that begins otherwise has none. */
const LONGEST_HEADING = 2;

/**
 * Finds the lines of a file in the answer of a tool: from the first line with a number on, as long as
 * numbers follow one another. What comes behind them is not of the file.
 */
export function numberedLines(text: string): readonly NumberedLines[] {
  const all = text.split(/\r?\n/);
  const start = all.slice(0, LONGEST_HEADING + 1).findIndex((line) => NUMBERED.test(line));
  if (start === -1) return [];
  const lines: string[] = [];
  let first = 0;
  for (const line of all.slice(start)) {
    const [, digits, rest] = NUMBERED.exec(line) ?? [];
    if (digits === undefined || rest === undefined) break;
    if (lines.length === 0) first = Number(digits);
    else if (Number(digits) !== first + lines.length) break;
    lines.push(rest);
  }
  return first === 0 ? [] : [{ first, lines }];
}
