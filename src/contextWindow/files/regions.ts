import { choiceAt, choiceBorders, type FileChoices } from './fileChoices';
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

/**
 * Cuts what is known of a file into regions, each with its score at a step; without what the user
 * wants never shown.
 */
export function regionsOf(
  file: KnownFile,
  now: number,
  isNamed: boolean,
  choices: FileChoices,
): readonly Region[] {
  const size = Math.max(SMALLEST_SIZE, knownLines(file)) ** SIZE_POWER;
  const borders = choiceBorders(choices, file.path);
  return file.runs.flatMap((run, at) => {
    const edits = editsIn(run);
    return pieces(run)
      .flatMap((piece) => cutAt(piece, run.first, borders))
      .flatMap(({ start, lines }): Region[] => {
        const first = run.first === undefined ? undefined : run.first + start;
        const choice = choiceAt(choices, file.path, first);
        if (choice === 'never') return [];
        const edit = nearest(edits, start, start + lines.length - 1, now);
        const why: RegionCause = {
          ...(choice === 'always' ? { chosen: true } : {}),
          ...(isNamed ? { named: true } : {}),
          editedAt: file.editedAt,
          readAt: file.readAt,
          ...(edit === undefined ? {} : { edit }),
          seenAt: lines.reduce((most, line) => Math.max(most, line.seen.step), 0),
        };
        const { touch, near, seen } = factorsAt(why, now);
        return [
          {
            path: file.path,
            ...(first === undefined ? {} : { first }),
            run: at,
            start,
            lines,
            why,
            score: (touch * (near + seen)) / size,
            touch,
            near,
            seen,
          },
        ];
      });
  });
}

/** What a cause comes to at a step; each 0..1. */
export function factorsAt(
  why: RegionCause,
  now: number,
): Pick<RegionScore, 'touch' | 'near' | 'seen'> {
  const { edited, read, named } = touchesAt(why, now);
  return {
    touch: Math.max(edited, read, named),
    near: why.edit === undefined ? 0 : nearnessOf(why.edit, now),
    seen: Math.max(LEAST_SEEN, age(now, why.seenAt, SEEN_AGE)),
  };
}

/** What each touch of a file counts at a step, 0..1; the greatest holds. */
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

function nearest(
  edits: readonly Edited[],
  first: number,
  last: number,
  now: number,
): RegionCause['edit'] {
  let best: RegionCause['edit'];
  let most = 0;
  for (const { at, step } of edits) {
    const distance = at < first ? first - at : Math.max(0, at - last);
    if (distance > NEAR_LINES) continue;
    const near = nearnessOf({ step, distance }, now);
    if (near <= most) continue;
    most = near;
    best = { step, distance };
  }
  return best;
}

interface Piece {
  readonly start: number;
  readonly lines: readonly KnownLine[];
}

const PIECES = new WeakMap<KnownRun, readonly Piece[]>();

/** Cuts a run at the same line numbers each time, so that regions of two views are the same. */
function pieces(run: KnownRun): readonly Piece[] {
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

/** Cuts a piece where the user's choice begins or ends, so that it holds for whole regions. */
function cutAt(
  piece: Piece,
  runFirst: number | undefined,
  borders: readonly number[],
): readonly Piece[] {
  if (runFirst === undefined || borders.length === 0) return [piece];
  const { start, lines } = piece;
  const cuts = borders
    .map((border) => border - runFirst - start)
    .filter((cut) => cut > 0 && cut < lines.length);
  if (cuts.length === 0) return [piece];
  const bounds = [0, ...new Set(cuts.toSorted((a, b) => a - b)), lines.length];
  return bounds.slice(1).map((end, index): Piece => {
    const begin = bounds[index] ?? 0;
    return { start: start + begin, lines: lines.slice(begin, end) };
  });
}
