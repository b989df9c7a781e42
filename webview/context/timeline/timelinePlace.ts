import type { TimelinePoint } from '../../../src/protocol/timeline';

type Points = readonly Pick<TimelinePoint, 'step'>[];

/** Where a step lies along the timeline: 0 at its beginning, 1 at its end. */
export function placeOf(points: Points, step: number): number {
  const first = points[0]?.step ?? 0;
  const last = points.at(-1)?.step ?? 0;
  if (last === first) return 0.5;
  return Math.min(1, Math.max(0, (step - first) / (last - first)));
}

/** Index of the point nearest to a place along the timeline, 0..1; -1 where there is none. */
export function indexAt(points: Points, place: number): number {
  const first = points[0]?.step ?? 0;
  const last = points.at(-1)?.step ?? 0;
  return nearestIndex(points, first + place * (last - first));
}

/** Index of the point nearest to a step, which may have been lost; -1 where there is none. */
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
