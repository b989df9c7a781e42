import type { TimelinePoint } from '../../../src/protocol/timeline';

/** Columns of numbers as a plot takes them; the first is the steps. */
export type Columns = [number[], ...(number | null)[][]];

/**
 * Stacks the tiers: all tokens, those of system and archive, those of system. Painted in this order
 * each leaves of the one before what lies above it.
 */
export function tierColumns(points: readonly TimelinePoint[]): Columns {
  return columns(points, [
    ({ system, archive, working }) => system + archive + working,
    ({ system, archive }) => system + archive,
    ({ system }) => system,
  ]);
}

/** Stacks the billed input tokens: all of them, those read or written, those read from the cache. */
export function billedColumns(points: readonly TimelinePoint[]): Columns {
  return columns(points, [
    ({ billed }) => billed && billed.fresh + billed.cacheWrite + billed.cacheRead,
    ({ billed }) => billed && billed.cacheWrite + billed.cacheRead,
    ({ billed }) => billed && billed.cacheRead,
  ]);
}

function columns(
  points: readonly TimelinePoint[],
  values: readonly ((point: TimelinePoint) => number | null)[],
): Columns {
  const [only] = points;
  if (points.length === 1 && only !== undefined) {
    // One point makes no area: it is drawn as wide as the plot.
    const { step } = only;
    return [[step - 0.5, step + 0.5], ...values.map((value) => [value(only), value(only)])];
  }
  return [points.map(({ step }) => step), ...values.map((value) => points.map(value))];
}
