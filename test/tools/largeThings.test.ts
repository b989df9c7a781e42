import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editText, occurrences } from '../../src/tools/files/editText';
import { makeLineSearch } from '../../src/tools/search/lineSearch';
import { listFiles } from '../../src/tools/search/listFiles';
import { readFile } from '../../src/tools/files/readFile';
import { runs } from '../support/runs';
import { FAR_TOO_LONG_CPU_MS, ticking } from '../support/ticking';
import { call } from './support/callTool';
import { tempFolder } from './support/tempFolder';

const once = { newText: 'c', replaceAll: false };

describe('an edit designed to be slow', () => {
  const equalLines = 'a\n'.repeat(200_000);
  const longLine = 'a'.repeat(2_000_000);
  it.each<[string, string, string, boolean]>([
    ['many equal lines', equalLines, `${'a \n'.repeat(20_000)}b`, false],
    ['a long text that nearly matches everywhere', longLine, `b${'a'.repeat(500_000)}`, false],
    ['a text with a match at every letter', longLine, 'a', true],
    ['overlapping matches', longLine, 'a'.repeat(900_000), false],
    [
      'long lines that are a little alike',
      `${'ab cd '.repeat(2_000)}\n`.repeat(150),
      'ab ce',
      false,
    ],
    ['as many lines as letters', '\n'.repeat(2_000_000), `${'\n'.repeat(1_000)}b`, false],
  ])('with %s is answered quickly', async (_, text, oldText, replaceAll) => {
    const edit = { ...once, oldText, replaceAll };
    const { value, cpuMs } = await ticking(() => editText(text, edit));
    expect(value).toMatchObject({ ok: false });
    expect(cpuMs).toBeLessThan(FAR_TOO_LONG_CPU_MS);
  });

  it('finds what a plain search finds', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 30 });
    fc.assert(
      fc.property(
        text,
        fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 5 }),
        (all, one) => {
          const plain: number[] = [];
          if (one !== '') {
            for (let at = all.indexOf(one); at !== -1; at = all.indexOf(one, at + 1))
              plain.push(at);
          }
          expect(occurrences(all, one, 1_000)).toEqual(plain);
          expect(occurrences([...all], [...one], 1_000)).toEqual(plain);
        },
      ),
      { numRuns: runs(300, 30_000) },
    );
  });
});

describe('a slow pattern', () => {
  it('is given up, and not tried on further files', async () => {
    const search = makeLineSearch('(a+)+$');
    if (!search.ok) throw new Error(search.message);
    const lines = [`${'a'.repeat(40)}b`];
    const { value, cpuMs } = await ticking(() =>
      Array.from({ length: 50 }, () => search.matchesIn(lines)),
    );
    expect(new Set(value)).toEqual(new Set(['tooSlow']));
    expect(cpuMs).toBeLessThan(FAR_TOO_LONG_CPU_MS);
  });
});

describe('a large or deep file or folder', () => {
  it('is listed in parts, while everything else continues, and read quickly', async () => {
    const root = tempFolder({ 'long.txt': 'line\n'.repeat(1_500_000) });
    mkdirSync(join(root, 'd/'.repeat(300)), { recursive: true });
    const list = await ticking(() => call(listFiles, {}, root));
    expect(list.value.text).toContain('long.txt');
    expect(list.cpuMs).toBeLessThan(FAR_TOO_LONG_CPU_MS);
    expect(list.longestGapCpuMs).toBeLessThan(list.cpuMs / 2);
    const read = await ticking(() => call(readFile, { path: 'long.txt', start_line: 9 }, root));
    expect(read.value.text).toContain('lines 9-2008 of 1500000');
    expect(read.cpuMs).toBeLessThan(FAR_TOO_LONG_CPU_MS);
  });
});
