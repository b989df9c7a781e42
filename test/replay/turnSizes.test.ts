import { describe, expect, it } from 'vitest';
import { turnReportOf, turnsOf, type RecordedTurns } from '../../src/replay/turnSizes';
import { prompt, read, said } from './support/recording';
import { budgetOf, estimate, replayed } from './support/replayed';

/** A recording with turns of these tokens, one step each. */
const turnsWith = (fixedTokens: number, ...tokens: readonly number[]): RecordedTurns => ({
  fixedTokens,
  turns: tokens.map((each) => ({ steps: 1, tokens: each })),
});

/** The high watermark is at 4,000 tokens, the low one at 2,500. */
const BUDGET = budgetOf(5_000);

describe('the turns of a recording', () => {
  it('have their steps, and the tokens of their prompt and steps', async () => {
    const moves = [prompt('Go'), read('a.ts', 'A'.repeat(300)), said('Done.'), prompt('Thanks')];
    const { window } = await replayed([...moves, said('Yes.')], 'none', 10_000);
    const { turns, fixedTokens } = turnsOf(window, estimate);
    expect(turns.map(({ steps }) => steps)).toEqual([2, 1]);
    expect(turns[0]!.tokens).toBeGreaterThan(100);
    // "Thanks" and "Yes." at three characters a token.
    expect(turns[1]!.tokens).toBe(2 + 2);
    expect(fixedTokens).toBeGreaterThan(0);
  });

  it('are counted over all files', () => {
    const report = turnReportOf([turnsWith(0, 5, 1, 3), turnsWith(0, 2, 4)], BUDGET);
    expect(report.turnsPerFile).toEqual({ count: 2, least: 2, median: 2, p90: 3, most: 3 });
    expect(report.tokensPerTurn).toEqual({ count: 5, least: 1, median: 3, p90: 5, most: 5 });
    expect(report.stepsPerTurn).toMatchObject({ count: 5, least: 1, most: 1 });
  });
});

describe('the proposed limits', () => {
  const proposed = (...recordings: readonly RecordedTurns[]) => {
    const { keepRecentTurns, maxHistoryTurns } = turnReportOf(recordings, BUDGET);
    return [keepRecentTurns, maxHistoryTurns];
  };

  it('are absent if all turns fit', () => {
    expect(proposed(turnsWith(500, 1_000, 1_000))).toEqual([undefined, 0]);
  });

  it('are what fits next to tools and system prompt, to the token', () => {
    const turns = Array.from({ length: 20 }, () => 500);
    expect(proposed(turnsWith(500, ...turns))).toEqual([4, 7]);
    expect(proposed(turnsWith(501, ...turns))).toEqual([3, 6]);
    expect(proposed(turnsWith(0, ...turns))).toEqual([5, 8]);
  });

  it('follow nine in ten of the ends of turns where not all fit', () => {
    // Each large turn is followed by nine ends where it is too large to stay.
    const nine = Array.from({ length: 9 }, () => 100);
    expect(proposed(turnsWith(0, 5_000, ...nine))).toEqual([0, 8]);
    expect(proposed(turnsWith(0, 5_000, ...nine, 100))).toEqual([1, 9]);
  });
});
