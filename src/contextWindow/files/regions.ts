import { knownLines, type KnownFile, type KnownLine, type KnownRun } from './knownFile';

/** About so many lines are shown or left out together. */
const REGION_LINES = 12;

/** Ages are in steps: after so many, a file, an edit, a look counts half. */
const TOUCH_AGE = 12;
const EDIT_AGE = 15;
const SEEN_AGE = 48;

/** A file that was read counts so much of one that was edited; one that is named, at least so much. */
const READ_SHARE = 0.6;
const NAMED = 0.5;

/** An edit says something of the lines so near to it, falling with the distance. */
const NEAR_LINES = 60;
const NEAR_FALL = 20;

const LEAST_SEEN = 0.3;

/** How much the size of a file counts against its regions: a small one is mostly needed whole. */
const SIZE_POWER = 0.35;
const SMALLEST_SIZE = 20;

/** How likely a region is to be needed, and what that was worked out from. */
export interface RegionScore {
  readonly score: number;
  /** How recently the file was edited, read or named, 0..1. */
  readonly touch: number;
  /** How near to a recent edit it is, 0..1. */
  readonly near: number;
  /** How recently it was seen, 0..1. */
  readonly seen: number;
}

/** Some lines of a file, shown or left out together. */
export interface Region extends RegionScore {
  readonly path: string;
  /** Number of the first line; absent where that is not known. */
  readonly first?: number;
  /** Place of its run among those of the file, and of its first line in the run. */
  readonly run: number;
  readonly start: number;
  readonly lines: readonly KnownLine[];
}

/** Cuts what is known of a file into regions, each with its score at a step. */
export function regionsOf(file: KnownFile, now: number, isNamed: boolean): readonly Region[] {
  const touch = touchOf(file, now, isNamed);
  const size = Math.max(SMALLEST_SIZE, knownLines(file)) ** SIZE_POWER;
  return file.runs.flatMap((run, at) => {
    const edits = editsIn(run);
    return pieces(run).map(({ start, lines }): Region => {
      const near = nearness(edits, start, start + lines.length - 1, now);
      const newest = lines.reduce((most, line) => Math.max(most, line.seen.step), 0);
      const seen = Math.max(LEAST_SEEN, age(now, newest, SEEN_AGE));
      return {
        path: file.path,
        ...(run.first === undefined ? {} : { first: run.first + start }),
        run: at,
        start,
        lines,
        score: (touch * (near + seen)) / size,
        touch,
        near,
        seen,
      };
    });
  });
}

/** How recently a file was edited, read or named, 0..1. */
export function touchOf(
  { editedAt, readAt }: Pick<KnownFile, 'editedAt' | 'readAt'>,
  now: number,
  isNamed: boolean,
): number {
  return Math.max(
    age(now, editedAt, TOUCH_AGE),
    READ_SHARE * age(now, readAt, TOUCH_AGE),
    isNamed ? NAMED : 0,
  );
}

/** 1 for the newest step, half after `half` steps; 0 for what never was. */
function age(now: number, step: number, half: number): number {
  return step === 0 ? 0 : 1 / (1 + Math.max(0, now - step) / half);
}

interface Edited {
  readonly at: number;
  readonly step: number;
}

const EDITS = new WeakMap<KnownRun, readonly Edited[]>();

function editsIn(run: KnownRun): readonly Edited[] {
  const known = EDITS.get(run);
  if (known !== undefined) return known;
  const found = run.lines.flatMap(({ edited }, at) => (edited === 0 ? [] : [{ at, step: edited }]));
  EDITS.set(run, found);
  return found;
}

function nearness(edits: readonly Edited[], first: number, last: number, now: number): number {
  let most = 0;
  for (const { at, step } of edits) {
    const distance = at < first ? first - at : Math.max(0, at - last);
    if (distance > NEAR_LINES) continue;
    most = Math.max(most, Math.exp(-distance / NEAR_FALL) * age(now, step, EDIT_AGE));
  }
  return most;
}

/** Some lines of a run; `start` is the place of the first one in it. */
export interface Piece {
  readonly start: number;
  readonly lines: readonly KnownLine[];
}

const PIECES = new WeakMap<KnownRun, readonly Piece[]>();

/** Cuts a run at the same line numbers each time, so that regions of two views are the same. */
export function pieces(run: KnownRun): readonly Piece[] {
  const known = PIECES.get(run);
  if (known !== undefined) return known;
  const found: Piece[] = [];
  const offset = ((run.first ?? 1) - 1) % REGION_LINES;
  for (let start = 0; start < run.lines.length;) {
    const end = start === 0 ? REGION_LINES - offset : start + REGION_LINES;
    found.push({ start, lines: run.lines.slice(start, end) });
    start = end;
  }
  PIECES.set(run, found);
  return found;
}
