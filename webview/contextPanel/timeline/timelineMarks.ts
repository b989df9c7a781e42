import { byStretch } from '../../../src/editor/chunks';
import type { MarkKind, TimelinePoint } from '../../../src/editor/contextPanel/timeline/state';

/** A mark with its position along the plot. */
export interface PlacedMark {
  readonly kind: MarkKind;
  /** 0 at the timeline's beginning, 1 at its end. */
  readonly place: number;
  /** Written below its line; '' for a mark without a label. */
  readonly label: string;
}

/** Kinds that change the window are lines across the plot; the others are signs above it. */
const LINES: ReadonlySet<MarkKind> = new Set<MarkKind>(['pass', 'undo', 'compacted', 'overflow']);

/** Says whether a kind is painted as a line. */
export function isLine(kind: MarkKind): boolean {
  return LINES.has(kind);
}

/** Every mark of the timeline, in order. */
export function placedMarks(points: readonly TimelinePoint[]): readonly PlacedMark[] {
  return points.flatMap(({ step, marks }) =>
    marks.map(({ kind, name }) => ({
      kind,
      place: placeOf(points, step),
      label: labelOf(kind, name),
    })),
  );
}

/** The kinds that have marks, in the order in which they first occur. */
export function kindsIn(points: readonly TimelinePoint[]): readonly MarkKind[] {
  return [...new Set(kindsInStretches(points).flat())];
}

const kindsInStretches = byStretch((points: readonly TimelinePoint[]) => [
  ...new Set(points.flatMap(({ marks }) => marks.map(({ kind }) => kind))),
]);

/** Runs of points whose tokens are estimates: first and last step of each. */
export function estimatedRuns(
  points: readonly TimelinePoint[],
): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  let open: [number, number] | undefined;
  for (const { step, exact } of points) {
    if (exact) open = undefined;
    else if (open === undefined) runs.push((open = [step, step]));
    else open[1] = step;
  }
  return runs;
}

/** The recorded agent's own requests, by step and tokens; a run ends at an uncounted step. */
export function recordedRuns(
  points: readonly TimelinePoint[],
): readonly (readonly (readonly [number, number])[])[] {
  const runs: [number, number][][] = [];
  let open: [number, number][] | undefined;
  for (const { step, recordedTokens } of points) {
    if (recordedTokens === undefined) open = undefined;
    else if (open === undefined) runs.push((open = [[step, recordedTokens]]));
    else open.push([step, recordedTokens]);
  }
  return runs;
}

/** Omits marks that would overlap a painted one of the same kind; distances in pixels. */
export function withoutOverlaps(
  marks: readonly PlacedMark[],
  width: number,
  least: number,
): readonly PlacedMark[] {
  const painted = new Map<MarkKind, number>();
  return marks.filter(({ kind, place }) => {
    const at = place * width;
    const before = painted.get(kind);
    if (before !== undefined && at - before < least) return false;
    painted.set(kind, at);
    return true;
  });
}

function labelOf(kind: MarkKind, name: string | undefined): string {
  if (kind === 'pass') return name ?? 'pass';
  if (kind === 'undo') return 'undo';
  if (kind === 'overflow') return 'overflow';
  return kind === 'compacted' ? 'compacted' : '';
}

type Points = readonly Pick<TimelinePoint, 'step'>[];

/** The position of a step along the timeline: 0 at its beginning, 1 at its end. */
export function placeOf(points: Points, step: number): number {
  const first = points[0]?.step ?? 0;
  const last = points.at(-1)?.step ?? 0;
  if (last === first) return 0.5;
  return Math.min(1, Math.max(0, (step - first) / (last - first)));
}

/** Index of the point nearest to a position along the timeline, 0..1; -1 if there is none. */
export function indexAt(points: Points, place: number): number {
  const first = points[0]?.step ?? 0;
  const last = points.at(-1)?.step ?? 0;
  return nearestIndex(points, first + place * (last - first));
}

/** Index of the point nearest to a step, which may have been lost; -1 if there is none. */
export function nearestIndex(points: Points, step: number): number {
  let low = 0;
  let high = points.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((points[middle]?.step ?? 0) < step) low = middle + 1;
    else high = middle;
  }
  const before = points[low - 1];
  const after = points[low];
  if (before === undefined || after === undefined) return Math.min(low, points.length - 1);
  return step - before.step < after.step - step ? low - 1 : low;
}
