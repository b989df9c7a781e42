import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

/** Open files with this flag are closed in a new program. */
const CLOSES_ON_EXEC = 0o2000000;

/**
 * Calls `start` with streams for a new process that gets none of this process's other open files. Node opens its
 * own so that they close, but not those that it was started with: an open folder among them leads out of a sandbox.
 * Only Linux passes them on.
 */
export function withoutInherited<T>(
  streams: readonly ('pipe' | 'ignore' | number)[],
  start: (streams: ('pipe' | 'ignore' | number)[]) => T,
): T {
  const inherited = inheritedFiles().filter((one) => one >= streams.length);
  if (inherited.length === 0) return start([...streams]);
  const empty = openSync('/dev/null', 'r+');
  try {
    // Each is covered; `ignore` leaves a number as it is.
    const all: ('pipe' | 'ignore' | number)[] = [...streams];
    for (const one of inherited) {
      while (all.length < one) all.push('ignore');
      all.push(empty);
    }
    return start(all);
  } finally {
    closeSync(empty);
  }
}

/** The numbers of the open files that a new process would get, in order. */
function inheritedFiles(): readonly number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter((one) => (flagsOf(one) & CLOSES_ON_EXEC) === 0)
    .sort((a, b) => a - b);
}

function flagsOf(file: number): number {
  try {
    const info = readFileSync(`/proc/self/fdinfo/${file}`, 'utf8');
    return parseInt(/^flags:\s*(\d+)/m.exec(info)?.[1] ?? '0', 8);
  } catch {
    return CLOSES_ON_EXEC; // It was the list itself.
  }
}
