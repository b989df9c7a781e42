import { describe, expect, it } from 'vitest';
import { wholeResultsOf } from '../../../src/replay/measures/needsMet';
import { edit, filler, prompt, run, said, type Move } from '../support/recording';
import { replayed, replayedTurns } from '../support/replayed';

const found = (lost: number, total: number) => ({ lost, total });

/** A turn with one call. */
const turn = (move: Move): readonly Move[] => [prompt('Go on'), move, said('Done.')];

const LIST = run('ls', 'a.ts b.ts');

describe('repeated calls', () => {
  it('are lost if the first result was removed', async () => {
    const moves = [...turn(LIST), ...turn(run('pwd', '/x')), ...turn(LIST)];
    const none = await replayed(moves, 'none', 10_000);
    expect(none.totals.repeatedCalls).toEqual(found(0, 1));
    expect((await replayedTurns(moves, 2)).totals.repeatedCalls).toEqual(found(1, 1));
    expect((await replayedTurns(moves, 3)).totals.repeatedCalls).toEqual(found(0, 1));
  });

  it('are compared with the newest of the same calls', async () => {
    const moves = [...turn(LIST), ...turn(LIST), ...turn(LIST)];
    expect((await replayedTurns(moves, 2)).totals.repeatedCalls).toEqual(found(0, 2));
    expect((await replayedTurns(moves, 1)).totals.repeatedCalls).toEqual(found(2, 2));
  });

  it.each<[string, Move, Move]>([
    ['another result', LIST, run('ls', 'c.ts')],
    ['another input', LIST, run('ls .', 'a.ts b.ts')],
    ['no result to speak of', run('true', ' '), run('true', ' ')],
    ['an edit', edit('a.ts', 'old', 'new'), edit('a.ts', 'old', 'new')],
  ])('are not: %s', async (_, first, second) => {
    const { totals } = await replayedTurns([...turn(first), ...turn(second)], 1);
    expect(totals.repeatedCalls).toEqual(found(0, 0));
  });

  it('are also lost if the first result was cleared or truncated', async () => {
    const long = run('cat big', filler('big', 9_000));
    const moves = [...turn(long), ...turn(long)];
    // The cap for one result is 8,000 tokens.
    expect((await replayed(moves, 'ladder', 90_000)).totals.repeatedCalls).toEqual(found(1, 1));
    const { window } = await replayed([...turn(LIST)], 'none', 10_000);
    const step = window.blocks.find((block) => block.kind === 'step')!;
    expect(wholeResultsOf(step)).toEqual(['t1']);
    const pairs = step.pairs.map((pair) => ({ ...pair, cleared: true }));
    expect(wholeResultsOf({ ...step, pairs })).toEqual([]);
    expect(wholeResultsOf({ ...step, state: 'evicted' })).toEqual([]);
  });
});
