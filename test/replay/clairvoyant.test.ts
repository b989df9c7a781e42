import { describe, expect, it } from 'vitest';
import { edit, filler, prompt, read, run, said, type Move } from './support/recording';
import { replayed } from './support/replayed';

const text = (n: number) => `const limit${n} = 1;`;
const reads = (...numbers: readonly number[]): readonly Move[] =>
  numbers.map((n) => read(`f${n}.ts`, filler(text(n), 400)));
const edits = (...numbers: readonly number[]): readonly Move[] =>
  numbers.map((n) => edit(`f${n}.ts`, text(n), `const limit${n} = 2;`));

async function visibleEdits(moves: readonly Move[], policy: 'clairvoyant' | 'tokenBudget') {
  const { totals } = await replayed(moves, policy, 3_000);
  expect(totals).toMatchObject({ overBudget: 0, invalid: 0 });
  return totals.groundedEdits;
}

describe('the clairvoyant policy', () => {
  it('keeps the oldest read if that file is edited later', async () => {
    const moves = [
      prompt('Go'),
      ...reads(0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
      ...edits(0),
      said('Done.'),
    ];
    expect(await visibleEdits(moves, 'clairvoyant')).toEqual({ visible: 1, total: 1 });
    expect(await visibleEdits(moves, 'tokenBudget')).toEqual({ visible: 0, total: 1 });
  });

  it('evicts a text that is read again before it is edited', async () => {
    const again = [...reads(0, 1, 2, 3, 4, 5, 6, 7, 8), ...reads(0), ...edits(0, 1)];
    const moves = [prompt('Go'), ...again, said('Done.')];
    expect(await visibleEdits(moves, 'clairvoyant')).toEqual({ visible: 2, total: 2 });
  });

  it.each([
    ['the newest are edited', [...reads(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), ...edits(8, 9)]],
    [
      'every other one is edited',
      [...reads(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), ...edits(0, 2, 4, 6, 8)],
    ],
    ['all are edited', [...reads(0, 1, 2, 3, 4, 5, 6, 7), ...edits(0, 1, 2, 3, 4, 5, 6, 7)]],
  ])('is never worse than the newest that fit: %s', async (_, work) => {
    const moves = [prompt('Go'), ...work, said('Done.')];
    const [best, newest] = [
      await visibleEdits(moves, 'clairvoyant'),
      await visibleEdits(moves, 'tokenBudget'),
    ];
    expect(best.visible).toBeGreaterThanOrEqual(newest.visible);
  });
});

describe('the clairvoyant policy that shows files', () => {
  it('shows evicted text again as soon as it is needed', async () => {
    // Each file alone is larger than the rest after a pass, and all are edited.
    const lines = (n: number) =>
      Array.from({ length: 60 }, (_, at) => `${at + 1}\tconst v${n}x${at} = ${at};`).join('\n');
    const numbers = [0, 1, 2, 3, 4, 5];
    const moves = [
      prompt('Go'),
      ...numbers.map((n) => read(`f${n}.ts`, lines(n))),
      run('npm test', filler('ok', 900)),
      ...numbers.map((n) => edit(`f${n}.ts`, `const v${n}x40 = 40;`, 'const gone = 1;')),
      said('Done.'),
    ];
    const seen = async (policy: 'clairvoyant' | 'clairvoyantExcerpts') => {
      const { totals } = await replayed(moves, policy, 3_000);
      expect(totals).toMatchObject({ overBudget: 0, invalid: 0 });
      return totals.groundedEdits;
    };
    expect((await seen('clairvoyant')).visible).toBeLessThan(6);
    expect(await seen('clairvoyantExcerpts')).toEqual({ visible: 6, total: 6 });
  });
});
