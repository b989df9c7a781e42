import { utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { logsByUse } from '../../src/sessions/logSummary';
import { tempFolder } from '../tools/support/tempFolder';
import { asLog, dated, prompt, started } from './support/sampleEvents';

const SECOND = 1_000;

/** Logs by name, each with when it was used and when it was written to last; seconds. */
function folderOf(logs: Readonly<Record<string, readonly [number, number]>>): string {
  const folder = tempFolder();
  for (const [name, [usedAt, writtenAt]] of Object.entries(logs)) {
    const file = join(folder, name);
    const at = usedAt * SECOND;
    writeFileSync(file, asLog(dated(started, prompt('x')).map((event) => ({ ...event, at }))));
    utimesSync(file, writtenAt, writtenAt);
  }
  return folder;
}

const names = (files: Iterable<string>) => [...files].map((file) => basename(file));

it('yields the most recently used log first, whichever was written last', () => {
  const folder = folderOf({ a: [100, 900], b: [500, 500], c: [300, 800], d: [10, 10] });
  expect(names(logsByUse(folder, ['a', 'b', 'c', 'd', 'gone']))).toEqual(['b', 'c', 'a', 'd']);
});

it('reads only as many logs as needed', () => {
  const folder = folderOf({ new: [900, 900], newer: [950, 955], old: [10, 10] });
  const logs = logsByUse(folder, ['old', 'new', 'newer']);
  // Logs written before the newest use need not be read; this one could not be.
  writeFileSync(join(folder, 'old'), '');
  utimesSync(join(folder, 'old'), 10, 10);
  expect(names([logs.next().value, logs.next().value].map(String))).toEqual(['newer', 'new']);
  expect(logs.next().done).toBe(true);
});
