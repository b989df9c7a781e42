import type { BlockId, ToolUseId } from '../block';
import type { LineRange, Replacement } from '../callEffect';
import type { PersistentMap } from '../persistentMap';
import { beforeUnreadEdit, inOrder, moved, withoutNumbers, withoutRead } from './movedRuns';

/** For lines of the file that nothing has shown yet. */
export const UNSEEN: Sighting = { step: 0, use: '' as ToolUseId, in: 'unseen' };

/** A file about which nothing is known yet. */
export function unknownFile(path: string): KnownFile {
  return { path, runs: [], readAt: 0, editedAt: 0 };
}

/** The number of known lines of a file. */
export function knownLines({ runs }: KnownFile): number {
  return runs.reduce((sum, { lines }) => sum + lines.length, 0);
}

/** The known lines in a range, or of the whole file. */
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
 * Records what a read showed. `texts` are the admitted parts of its result, with a number before
 * every line; lines without a number say nothing about the file.
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

/** Records that the whole file was written. */
export function afterWrite(file: KnownFile, text: string, by: Sighting): KnownFile {
  const lines = linesOfFile(text).map((line) => ({ text: line, seen: by, edited: by.step }));
  return { ...file, runs: lines.length === 0 ? [] : [{ first: 1, lines }], editedAt: by.step };
}

/**
 * Applies exact replacements, one after another. After a replacement in unread text its new lines
 * are known without numbers, and so are lines that it may have moved.
 */
export function afterEdit(
  file: KnownFile,
  replacements: readonly Replacement[],
  by: Sighting,
): KnownFile {
  const runs = replacements.reduce((before, each) => replacedIn(before, each, by), file.runs);
  return { ...file, runs, editedAt: by.step };
}

/** A final line break ends the last line and begins no other. */
export function linesOfFile(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Overlays the known lines with lines that were read, at their numbers. */
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
    for (let at = Math.max(start, first); at <= Math.min(end, last); at += 1) {
      former.set(at, run.lines[at - start] as KnownLine);
    }
    return [
      { first: start, lines: run.lines.slice(0, Math.max(0, first - start)) },
      { first: last + 1, lines: run.lines.slice(Math.max(0, last + 1 - start)) },
    ].filter(({ lines }) => lines.length > 0);
  });
  const lines = texts.map((text, index): KnownLine => {
    const known = former.get(first + index);
    if (known?.text !== text) return { text, seen: by, edited: 0 };
    return { text, seen: by.in === 'cut' ? cutAgain(known.seen, by) : by, edited: known.edited };
  });
  return inOrder([...around, { first, lines }]);
}

/** A cut line stays seen where it had been shown, so that its loss still counts. */
function cutAgain(seen: Sighting, by: Sighting): Sighting {
  return seen.in === 'cut' || seen.in === 'unseen' ? by : { ...seen, step: by.step };
}

/** The position of a text in the known lines: the run, and the offset in its text in characters. */
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
  // With `all`, some occurrences may be in unread lines.
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

/** A cache: runs are immutable, and each edit searches those of its file. */
const TEXTS = new WeakMap<KnownRun, string>();

function textOf(run: KnownRun): string {
  const known = TEXTS.get(run);
  if (known !== undefined) return known;
  // The last line ends with a line break too, which a replacement may name.
  const text = run.lines.map((line) => `${line.text}\n`).join('');
  TEXTS.set(run, text);
  return text;
}

/** Replaces a text within a run; later runs move by the difference in lines. */
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
  // A text at the end of the run leaves no line after it.
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

/** The new lines; lines that the replacement only repeats are seen, not edited. */
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
  // If lines were only deleted, the line at the seam counts as edited.
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
 * The last call that showed a line. `cut`: only truncated parts of results have held the line. A
 * later truncated result changes only `step` of a line that was shown. `excerpts`: the excerpts show
 * it; `use` is their block and `step` the earlier sighting. `unseen`: nothing has shown the line yet.
 */
export interface Sighting {
  readonly step: number;
  readonly use: ToolUseId | BlockId;
  readonly in: 'call' | 'result' | 'cut' | 'excerpts' | 'unseen';
}

/** A line of a file as it was last seen. */
export interface KnownLine {
  readonly text: string;
  readonly seen: Sighting;
  /** The step that changed it last; 0 for none. */
  readonly edited: number;
}

/** Consecutive lines. */
export interface KnownRun {
  /** Number of the first line, counted from 1; absent if unknown. */
  readonly first?: number;
  readonly lines: readonly KnownLine[];
}

/** What calls have shown of one file, and changed in it. An immutable value. */
export interface KnownFile {
  readonly path: string;
  /** Numbered runs in ascending order, then the others, oldest first. */
  readonly runs: readonly KnownRun[];
  /** The steps that last read and last changed it; 0 for none. */
  readonly readAt: number;
  readonly editedAt: number;
  /**
   * The result of a comparison with the file on disk: known lines are missing although no call here
   * changed them, the file is deleted, or it is unreadable, so that nothing of it may be shown.
   */
  readonly onDisk?: 'changedOutside' | 'deleted' | 'unreadable';
}

/** What the calls of a session have shown of files and changed in them, by path. */
export type FileModel = PersistentMap<string, KnownFile>;

/** The facts behind the score of a region; steps are 0 for none. */
export interface RegionCause {
  /** The user always wants it shown. */
  readonly chosen?: true;
  /** The newest prompt or the scratchpad names the file. */
  readonly named?: true;
  /** The steps that last edited and last read the file. */
  readonly editedAt: number;
  readonly readAt: number;
  /** The most relevant edit, and its distance in lines; absent if none is near. */
  readonly edit?: { readonly step: number; readonly distance: number };
  /** The last step that showed any of its lines. */
  readonly seenAt: number;
}

/** The score of a region, and the facts behind it. */
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

/** A line in the result of a file-reading tool: its number, a separator, its text. */
const NUMBERED = /^[ \t]*(\d+)(?:→|\t|: ?| ?\| ?)(.*)$/;

/** Consecutive lines of a file with the number of the first one, counted from 1. */
interface NumberedLines {
  readonly first: number;
  readonly lines: readonly string[];
}

/** Characters of a result that are searched for the first numbered line. */
const BEGINNING = 4_000;

/** Says whether a result shows numbered lines of a file. */
export function hasNumberedLines(text: string): boolean {
  return numberedLines(text.slice(0, BEGINNING)).length > 0;
}

/** Lines of heading that may precede the numbered ones. */
const LONGEST_HEADING = 2;

/**
 * Finds the lines of a file in a tool's result: from the first numbered line on, as long as the
 * numbers are consecutive.
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
