import type { JsonLine } from './readJson';

/** The time of each line that has one, ms since the epoch, by its number. */
export function timesOf(lines: readonly JsonLine[]): ReadonlyMap<number, number> {
  return new Map(
    lines.flatMap(({ line, value }) => {
      const at = timeOf(value['timestamp']);
      return at === undefined ? [] : [[line, at] as const];
    }),
  );
}

function timeOf(stamp: unknown): number | undefined {
  const at = typeof stamp === 'string' ? Date.parse(stamp) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
