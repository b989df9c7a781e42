import { describe, expect, it } from 'vitest';
import { identifiersIn } from '../../../../src/contextWindow/passes/rungs/identifiers';
import { FAR_TOO_LONG_CPU_MS, ticking } from '../../../support/ticking';

describe('identifiersIn', () => {
  it.each<[string, readonly string[]]>([
    ['Fix src/sum.ts, please.', ['src/sum.ts']],
    [
      'Why does parseConfig fail? See test_config and Http2Server.',
      ['parseConfig', 'test_config', 'Http2Server'],
    ],
    ['Look at ./lib/a.ts.', ['lib/a.ts']],
    ['Plain words name nothing here', []],
    ['a.b is too short', []],
    ['src/a.ts and src/a.ts again', ['src/a.ts']],
    ['version 1.2.3 of it', []],
    ['Version2 alone ends in its mark', []],
  ])('%j', (text, names) => {
    expect(identifiersIn(text)).toEqual(names);
  });

  it('takes the first 40 names', () => {
    const many = Array.from({ length: 50 }, (_, index) => `src/file${index}.ts`).join(' ');
    expect(identifiersIn(many)).toHaveLength(40);
  });

  it('B7: is quick on a run of letters without a break', async () => {
    const { value, cpuMs } = await ticking(() =>
      ['a', 'a/', 'aA'].map((piece) => identifiersIn(piece.repeat(200_000))),
    );
    expect(value[0]).toEqual([]);
    expect(cpuMs).toBeLessThan(FAR_TOO_LONG_CPU_MS);
  });
});
