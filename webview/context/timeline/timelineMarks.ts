import type { MarkKind, TimelinePoint } from '../../../src/protocol/timeline';
import { placeOf } from './timelinePlace';

/** A mark as it is painted: over the plot, at a place along it. */
export interface PlacedMark {
  readonly kind: MarkKind;
  /** 0 at the timeline's beginning, 1 at its end. */
  readonly place: number;
  /** Written below its line; '' for a mark that has none. */
  readonly label: string;
}

/** The kinds that change the window are lines across the plot; the others are signs above it. */
const LINES: ReadonlySet<MarkKind> = new Set<MarkKind>(['pass', 'undo', 'compacted', 'overflow']);

/** Says whether a kind is painted as a line. */
export function isLine(kind: MarkKind): boolean {
  return LINES.has(kind);
}

/** Every mark of the timeline, in order. */
export function placedMarks(points: readonly TimelinePoint[]): readonly PlacedMark[] {
  return points.flatMap(({ step, marks }) =>
    marks.map(({ kind, number }) => ({
      kind,
      place: placeOf(points, step),
      label: labelOf(kind, number),
    })),
  );
}

/** The kinds there are marks of, in the order they first come. */
export function kindsIn(points: readonly TimelinePoint[]): readonly MarkKind[] {
  const kinds = new Set<MarkKind>();
  for (const { marks } of points) for (const { kind } of marks) kinds.add(kind);
  return [...kinds];
}

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

/** Leaves out marks that would lie on one of the same kind already painted; distances in pixels. */
export function thinned(
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

function labelOf(kind: MarkKind, number: number | undefined): string {
  if (kind === 'pass') return number === undefined ? 'pass' : `pass ${number}`;
  if (kind === 'undo') return 'undo';
  if (kind === 'overflow') return 'overflow';
  return kind === 'compacted' ? 'compacted' : '';
}
