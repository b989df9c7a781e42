import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Finds the session log of a folder that was written to last, readable or not; none without one. */
export function latestLog(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name))
    .map((file) => ({ file, at: statSync(file).mtimeMs }))
    .toSorted((a, b) => b.at - a.at || (a.file < b.file ? -1 : 1))[0]?.file;
}
