/**
 * Gives the shortest end of a path that no other of the paths ends with: `a.ts`, or `src/a.ts` where
 * there is another `a.ts`. One path may stand in both its forms, from the root and from the folder.
 */
export function shortName(path: string, paths: Iterable<string>): string {
  const mine = partsOf(path);
  const others = [...paths].map(partsOf).filter((other) => !isEnd(mine, other));
  for (let count = 1; count < mine.length; count += 1) {
    const end = mine.slice(-count);
    if (!others.some((other) => isEnd(end, other))) return end.join('/');
  }
  return mine.join('/');
}

function partsOf(path: string): readonly string[] {
  return path.split(/[\\/]+/).filter((part) => part !== '' && part !== '.');
}

/** Says whether the shorter of two paths is the end of the longer one. */
function isEnd(one: readonly string[], other: readonly string[]): boolean {
  const count = Math.min(one.length, other.length);
  return one.slice(-count).join('/') === other.slice(-count).join('/');
}
