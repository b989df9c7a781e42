import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ReplayReport } from '../../../src/replay/replayReport';
import {
  edit,
  filler,
  prompt,
  read,
  recorded,
  said,
  type Move,
} from '../../replay/support/recording';
import { tempFolder } from '../../tools/support/tempFolder';
import { plimsoll } from './plimsoll';

/** Twenty files of 600 tokens are read, the first is edited; an input budget of 5,000 holds a part. */
export const LONG: readonly Move[] = [
  prompt('Mend the limit in f0.ts'),
  ...Array.from({ length: 20 }, (_, n) => read(`f${n}.ts`, filler(`const limit${n} = 1;`, 600))),
  edit('f0.ts', 'const limit0 = 1;', 'const limit0 = 2;'),
  prompt('Thanks. And now f1.ts'),
  edit('f1.ts', 'const limit1 = 1;', 'const limit1 = 2;'),
  said('Done.'),
];

/** A window that holds a part of it. */
export const SMALL: readonly string[] =
  '--window 5000 --max-reply 1000 --safety 0 --tool-headroom 0'.split(' ');

/** A folder with recordings, and `plimsoll replay` run in it; removed when the test ends. */
export function replayScene() {
  const folder = tempFolder();

  /** Writes a file and gives its path. */
  function file(name: string, content: unknown): string {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  const run = (...args: readonly string[]) => plimsoll(['replay', ...args], folder);

  return {
    folder,
    file,
    run,
    recording: (name = 'long.json', moves = LONG) =>
      file(name, { model: 'claude-sonnet-4-5', messages: recorded(...moves) }),
    async reportsOf(...args: readonly string[]): Promise<readonly ReplayReport[]> {
      const ran = await run(...args, '--json');
      expect(ran.code).toBe(0);
      return JSON.parse(ran.stdout) as readonly ReplayReport[];
    },
  };
}

/** Reads a file with one JSON value on each line. */
export function linesOf<T>(path: string): readonly T[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as T);
}
