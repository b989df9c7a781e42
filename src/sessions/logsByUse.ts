import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { summarizeLog } from './logSummary';

/** File systems keep times as coarsely as this; ms. */
const COARSE_MS = 2_000;

/**
 * Gives the logs of a folder, the one used last first, without reading them all: no log was used
 * later than it was written to, so the first few decide.
 */
export function* logsByUse(folder: string, names: readonly string[]): Generator<string> {
  const byTime = names
    .map((name) => join(folder, name))
    .flatMap((file) => {
      const writtenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
      return writtenAt === undefined ? [] : [{ file, writtenAt }];
    })
    .toSorted((a, b) => b.writtenAt - a.writtenAt);
  let read: Used[] = [];
  let newest = 0;
  for (const { file, writtenAt } of byTime) {
    const isCertain = ({ usedAt }: { readonly usedAt: number }) => usedAt > writtenAt + COARSE_MS;
    if (isCertain({ usedAt: newest })) {
      yield* inOrder(read.filter(isCertain));
      read = read.filter((used) => !isCertain(used));
      newest = Math.max(0, ...read.map(({ usedAt }) => usedAt));
    }
    const summary = summarizeLog(file, readFileSync(file));
    if (summary === undefined) continue;
    read.push({ file, usedAt: summary.usedAt });
    newest = Math.max(newest, summary.usedAt);
  }
  yield* inOrder(read);
}

interface Used {
  readonly file: string;
  readonly usedAt: number;
}

function inOrder(read: readonly Used[]): readonly string[] {
  return read
    .toSorted((a, b) => b.usedAt - a.usedAt || (a.file < b.file ? -1 : 1))
    .map(({ file }) => file);
}
