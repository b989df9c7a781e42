/** Longest line of a search result, characters. */
const LONGEST = 500;

/** How much stands before the match in a line that is cut, characters. */
const BEFORE = 150;

/** Cuts a long line around the match that begins at `at` (characters). */
export function excerpt(line: string, at: number): string {
  if (line.length <= LONGEST) return line;
  const start = Math.max(0, Math.min(at - BEFORE, line.length - LONGEST));
  const end = start + LONGEST;
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
}
