import { diffLines } from 'diff';

/** How many lines one text has that another has not, and the other way round. */
export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Longest that lines are compared, ms. */
const LONGEST_MS = 500;

/** Counts the lines between two texts; undefined over the time limit, rather than guessed. */
export function lineCounts(before: string, after: string): LineCounts | undefined {
  const changes = diffLines(before, after, { timeout: LONGEST_MS });
  if (changes === undefined) return undefined;
  const count = (kind: keyof LineCounts) =>
    changes.reduce((sum, change) => sum + (change[kind] ? change.count : 0), 0);
  return { added: count('added'), removed: count('removed') };
}
