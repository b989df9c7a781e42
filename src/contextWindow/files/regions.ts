import type { ShownLines } from '../block';
import type { Estimate } from '../truncate';
import { choiceAt, choiceBorders, type FileChoices } from './fileChoices';
import {
  type KnownFile,
  type KnownLine,
  knownLines,
  type KnownRun,
  type RegionCause,
  type RegionScore,
} from './knownFile';

/** The approximate number of lines in a region. */
const REGION_LINES = 12;

/** Half-lives in steps of a touched file, an edit and a sighting. */
const TOUCH_AGE = 12;
const EDIT_AGE = 15;
const SEEN_AGE = 48;

/**
 * Weight of a file that was read, relative to an edited one; and the least weight of a file that is
 * named.
 */
const READ_SHARE = 0.6;
const NAMED = 0.5;

/** The distance in lines over which an edit counts, decreasing. */
const NEAR_LINES = 60;
const NEAR_FALL = 20;

const LEAST_SEEN = 0.3;

/** How much a file's size counts against its regions: a small file is usually needed whole. */
const SIZE_POWER = 0.35;
const SMALLEST_SIZE = 20;

/** Lines of a file that are shown or omitted together. */
export interface Region extends RegionScore {
  readonly path: string;
  /** Number of the first line; absent if unknown. */
  readonly first?: number;
  /** Index of its run in the file, and of its first line in the run. */
  readonly run: number;
  readonly start: number;
  readonly lines: readonly KnownLine[];
}

/**
 * Splits what is known about a file into regions with their scores at a step; without lines that
 * the user never wants shown.
 */
export function regionsOf(
  file: KnownFile,
  now: number,
  isNamed: boolean,
  choices: FileChoices,
): readonly Region[] {
  const size = sizeOf(file);
  const touch = touchOf(file, now, isNamed);
  const { path } = file;
  const borders = choiceBorders(choices, path);
  const regions: Region[] = [];
  for (const [at, run] of file.runs.entries()) {
    for (const { start, lines, seenAt, edits } of piecesBetween(run, borders)) {
      const first = run.first === undefined ? undefined : run.first + start;
      const choice = choiceAt(choices, path, first);
      if (choice === 'never') continue;
      const isChosen = choice === 'always';
      const why = causeOf(file, isNamed, isChosen, seenAt, tellingMost(edits, now));
      const { near, seen } = placeFactorsAt(why, now);
      const score = (touch * (near + seen)) / size;
      const rest = { run: at, start, lines, why, score, touch, near, seen };
      regions.push(first === undefined ? { path, ...rest } : { path, first, ...rest });
    }
  }
  return regions;
}

/** Most of the thousands of regions are neither named nor chosen. */
function causeOf(
  { editedAt, readAt }: KnownFile,
  isNamed: boolean,
  isChosen: boolean,
  seenAt: number,
  edit: NearEdit | undefined,
): RegionCause {
  const cause =
    edit === undefined ? { editedAt, readAt, seenAt } : { editedAt, readAt, edit, seenAt };
  if (!isNamed && !isChosen) return cause;
  return { ...(isChosen ? { chosen: true } : {}), ...(isNamed ? { named: true } : {}), ...cause };
}

/**
 * An upper bound for the score of a file's regions at a step, as if all of it had just been seen.
 */
export function highestScore(file: KnownFile, now: number, isNamed: boolean): number {
  const near = age(now, file.editedAt, EDIT_AGE);
  return (touchOf(file, now, isNamed) * (near + 1)) / sizeOf(file);
}

/** The factors of a region's score at a step that depend on its place in the file; each 0..1. */
export function placeFactorsAt(
  why: Pick<RegionCause, 'edit' | 'seenAt'>,
  now: number,
): Pick<RegionScore, 'near' | 'seen'> {
  return {
    near: why.edit === undefined ? 0 : nearnessOf(why.edit, now),
    seen: Math.max(LEAST_SEEN, age(now, why.seenAt, SEEN_AGE)),
  };
}

/** The weight of each touch of a file at a step, 0..1; the greatest counts. */
export function touchesAt(
  { editedAt, readAt, named }: Pick<RegionCause, 'editedAt' | 'readAt' | 'named'>,
  now: number,
): { readonly edited: number; readonly read: number; readonly named: number } {
  return {
    edited: age(now, editedAt, TOUCH_AGE),
    read: READ_SHARE * age(now, readAt, TOUCH_AGE),
    named: named === true ? NAMED : 0,
  };
}

function nearnessOf({ step, distance }: NonNullable<RegionCause['edit']>, now: number): number {
  return Math.exp(-distance / NEAR_FALL) * age(now, step, EDIT_AGE);
}

/** How recently a file was edited, read or named, 0..1. */
export function touchOf(
  { editedAt, readAt }: Pick<KnownFile, 'editedAt' | 'readAt'>,
  now: number,
  isNamed: boolean,
): number {
  const { edited, read, named } = touchesAt(
    { editedAt, readAt, ...(isNamed ? { named: true as const } : {}) },
    now,
  );
  return Math.max(edited, read, named);
}

/** 1 for the newest step, halved every `half` steps; 0 for never. */
function age(now: number, step: number, half: number): number {
  return step === 0 ? 0 : 1 / (1 + Math.max(0, now - step) / half);
}

/** A cache: each plan needs every file, and most have not changed for a long time. */
const SIZES = new WeakMap<KnownFile, number>();

function sizeOf(file: KnownFile): number {
  const known = SIZES.get(file);
  if (known !== undefined) return known;
  const size = Math.max(SMALLEST_SIZE, knownLines(file)) ** SIZE_POWER;
  SIZES.set(file, size);
  return size;
}

/** The edit of a step that is nearest to these lines. */
type NearEdit = NonNullable<RegionCause['edit']>;

function tellingMost(edits: readonly NearEdit[], now: number): NearEdit | undefined {
  if (edits.length < 2) return edits[0];
  let best: NearEdit | undefined;
  for (const edit of edits) {
    if (best === undefined || nearnessOf(edit, now) > nearnessOf(best, now)) best = edit;
  }
  return best;
}

function editsNear(run: KnownRun, start: number, end: number): readonly NearEdit[] {
  const distances = new Map<number, number>();
  const from = Math.max(0, start - NEAR_LINES);
  const to = Math.min(run.lines.length, end + NEAR_LINES);
  for (let at = from; at < to; at += 1) {
    const { edited } = run.lines[at] as KnownLine;
    if (edited === 0) continue;
    const distance = at < start ? start - at : Math.max(0, at - end + 1);
    distances.set(edited, Math.min(distance, distances.get(edited) ?? Infinity));
  }
  return [...distances].map(([step, distance]) => ({ step, distance }));
}

/**
 * The texts of all regions of a file as they are weighed, to be warmed before a pass is planned.
 */
export function piecesOf({ runs }: KnownFile): readonly { readonly lines: readonly KnownLine[] }[] {
  return runs.flatMap(pieces);
}

/**
 * Lines of a run with the parts of their score that are the same at every step; `start` is the
 * index of the first line in the run.
 */
export interface Piece {
  readonly start: number;
  readonly lines: readonly KnownLine[];
  readonly seenAt: number;
  readonly edits: readonly NearEdit[];
}

const PIECES = new WeakMap<KnownRun, readonly Piece[]>();

/** Splits a run at the same line numbers each time, so that regions of two passes are the same. */
export function pieces(run: KnownRun): readonly Piece[] {
  const known = PIECES.get(run);
  if (known !== undefined) return known;
  const found: Piece[] = [];
  const offset = ((run.first ?? 1) - 1) % REGION_LINES;
  for (let start = 0; start < run.lines.length;) {
    const end = start === 0 ? REGION_LINES - offset : start + REGION_LINES;
    found.push(pieceOf(run, start, end));
    start = end;
  }
  PIECES.set(run, found);
  return found;
}

function pieceOf(run: KnownRun, start: number, end: number): Piece {
  const lines = run.lines.slice(start, end);
  const seenAt = lines.reduce((most, line) => Math.max(most, line.seen.step), 0);
  return { start, lines, seenAt, edits: editsNear(run, start, start + lines.length) };
}

/**
 * Also splits pieces where a choice of the user begins or ends, so that it applies to whole
 * regions.
 */
function piecesBetween(run: KnownRun, borders: readonly number[]): readonly Piece[] {
  if (run.first === undefined || borders.length === 0) return pieces(run);
  return pieces(run).flatMap((piece) => cutAt(run, piece, borders));
}

function cutAt(run: KnownRun, piece: Piece, borders: readonly number[]): readonly Piece[] {
  if (run.first === undefined) return [piece];
  const begin = run.first + piece.start;
  const cuts = borders
    .map((border) => border - begin)
    .filter((cut) => cut > 0 && cut < piece.lines.length);
  if (cuts.length === 0) return [piece];
  const bounds = [0, ...new Set(cuts.toSorted((a, b) => a - b)), piece.lines.length];
  return bounds
    .slice(1)
    .map((end, index) => pieceOf(run, piece.start + (bounds[index] ?? 0), piece.start + end));
}

/** Shown lines, with the best score of their regions. */
type ScoredLines = ShownLines & RegionScore;

/** A region with its `regionTokens`. */
interface WeighedRegion {
  readonly region: Region;
  readonly tokens: number;
}

/**
 * Takes regions in the given order until one does not fit; `room` and `estimate` are in tokens.
 */
export function bestRegions(
  regions: Iterable<Region>,
  room: number,
  estimate: Estimate,
): readonly WeighedRegion[] {
  const chosen: WeighedRegion[] = [];
  let left = room;
  const around = estimate('\n');
  for (const region of regions) {
    const tokens = tokensOf(region, estimate, around);
    left -= tokens;
    if (left < 0) break;
    chosen.push({ region, tokens });
  }
  return chosen;
}

/** Orders regions that the user wants shown first, then by score. */
export function byWish(a: Region, b: Region): number {
  return Number(b.why.chosen ?? false) - Number(a.why.chosen ?? false) || b.score - a.score;
}

/**
 * Estimated tokens of a region among others, without the overhead around a text, which is counted
 * once for all of them.
 */
export function regionTokens(region: Region, estimate: Estimate): number {
  return tokensOf(region, estimate, estimate('\n'));
}

/** `around` is the overhead in tokens around each text. */
function tokensOf(region: Region, estimate: Estimate, around: number): number {
  return Math.max(1, estimate(regionText(region)) - around);
}

/** A cache: a run is split into the same pieces each time, and each plan weighs them. */
const TEXTS = new WeakMap<Region['lines'], string>();

/** The lines of a region as they are weighed. */
export function regionText({ lines }: Pick<Region, 'lines'>): string {
  const known = TEXTS.get(lines);
  if (known !== undefined) return known;
  const text = `${textOf(lines)}\n`;
  TEXTS.set(lines, text);
  return text;
}

function textOf(lines: Region['lines']): string {
  return lines.map(({ text }) => text).join('\n');
}

/** Joins adjacent regions of a file; sorted by path, then by position. */
export function joinedRegions(regions: readonly Region[]): readonly ScoredLines[] {
  return groupsOf(regions).map(linesOf);
}

/** The results of `joinedRegions` without their texts. */
export function headingsOf(regions: readonly Region[]): readonly ShownLines[] {
  return groupsOf(regions).map(([one]) => ({ path: one.path, ...firstOf(one), text: '' }));
}

/** Adjacent regions, at least one. */
type Group = readonly [Region, ...Region[]];

function groupsOf(regions: readonly Region[]): readonly Group[] {
  const sorted = regions.toSorted(
    (a, b) => comparePaths(a.path, b.path) || a.run - b.run || a.start - b.start,
  );
  const groups: [Region, ...Region[]][] = [];
  for (const region of sorted) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && follows(last, region)) group.push(region);
    else groups.push([region]);
  }
  return groups;
}

function follows(one: Region, next: Region): boolean {
  const isSameRun = one.path === next.path && one.run === next.run;
  const isSameWish = one.why.chosen === next.why.chosen;
  return isSameRun && isSameWish && one.start + one.lines.length === next.start;
}

function firstOf({ first }: Region): Pick<ShownLines, 'first'> {
  return first === undefined ? {} : { first };
}

function linesOf(group: Group): ScoredLines {
  const [first] = group;
  const best = group.reduce((most, each) => (each.score > most.score ? each : most), first);
  return {
    path: first.path,
    ...firstOf(first),
    text: group.map(({ lines }) => textOf(lines)).join('\n'),
    why: best.why,
    score: best.score,
    touch: best.touch,
    near: best.near,
    seen: best.seen,
  };
}

function comparePaths(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The extent of some excerpts. */
export interface ExcerptsSize {
  readonly lines: number;
  readonly files: number;
}

/** Counts the lines and files of some excerpts. */
export function excerptsSize(shown: readonly ShownLines[]): ExcerptsSize {
  const lines = shown.reduce((sum, region) => sum + lineCount(region), 0);
  return { lines, files: new Set(shown.map(({ path }) => path)).size };
}

export function lineCount({ text }: Pick<ShownLines, 'text'>): number {
  return text.split('\n').length;
}

/** Formats an extent: "47 lines of 2 files". */
export function excerptsSizeText({ lines, files }: ExcerptsSize): string {
  return `${lines} ${lines === 1 ? 'line' : 'lines'} of ${files} ${files === 1 ? 'file' : 'files'}`;
}
