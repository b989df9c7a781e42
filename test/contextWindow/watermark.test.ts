import { assert, double, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  withInputBudget,
  type BudgetSettings,
  isWatermark,
  notBelow,
  watermarkFraction,
  watermarkTokens,
} from '../../src/contextWindow/budget';

const SETTINGS: BudgetSettings = {
  contextWindowTokens: 2_000_000,
  maxReplyTokens: 1,
  safetyHeadroomTokens: 0,
  toolResultHeadroomTokens: 0,
  highWatermark: 0.8,
  lowWatermark: 0.5,
};

describe('a watermark', () => {
  it.each<[number, boolean]>([
    [0, false],
    [-0.5, false],
    [0.001, true],
    [0.999_999, true],
    [1, false],
    [1.5, false],
    [80, false],
    [999, false],
    [1_000, true],
    [1_000.5, false],
    [120_000, true],
    [Number.NaN, false],
    [Number.POSITIVE_INFINITY, false],
  ])('is %d: %s', (mark, is) => {
    expect(isWatermark(mark)).toBe(is);
  });

  it('set in tokens is stored as a fraction that gives exactly those tokens', () => {
    assert(
      property(
        integer({ min: 1_001, max: 2_000_000 }),
        double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (budget, at) => {
          const tokens = 1_000 + Math.floor((budget - 1_001) * at);
          const fraction = watermarkFraction(tokens, budget);
          expect(fraction).toBeLessThan(1);
          expect(Math.floor(budget * fraction)).toBe(tokens);
          const made = withInputBudget({ ...SETTINGS, highWatermark: tokens }, budget);
          expect([made.highWatermark, made.highTokens]).toEqual([fraction, tokens]);
          // A step-down to the same budget moves nothing.
          expect(withInputBudget(made, budget)).toEqual(made);
        },
      ),
      { numRuns: 2_000, seed: 7 },
    );
  });

  it('moves with a step-down of the budget, in either unit', () => {
    const set = withInputBudget({ ...SETTINGS, highWatermark: 80_000 }, 100_000);
    expect(withInputBudget(set, 90_000)).toMatchObject({ highTokens: 72_000, lowTokens: 45_000 });
  });

  it.each<[number, number, string | undefined]>([
    [0.5, 0.8, undefined],
    [79_999, 0.8, undefined],
    [0.799_99, 80_000, undefined],
    [0.8, 0.8, 'below the high watermark (0.8), not 0.8.'],
    [90_000, 80_000, 'below the high watermark (80000), not 90000.'],
    [80_000, 0.8, 'below the high watermark (0.8, here 80,000 tokens), not 80000.'],
    [0.9, 80_000, 'below the high watermark (80000), not 0.9, here 90,000 tokens.'],
    [
      0.8,
      0.800_001,
      'below the high watermark (0.800001, here 80,000 tokens), not 0.8, here 80,000 tokens.',
    ],
  ])('of %d is compared with one of %d in tokens of 100,000', (mark, high, words) => {
    expect(notBelow(mark, high, 100_000)).toBe(words);
  });

  it('as a fraction is rounded down to whole tokens; in tokens it is exact', () => {
    expect(watermarkTokens(0.8, 185_664)).toBe(148_531);
    expect(watermarkTokens(148_531, 185_664)).toBe(148_531);
  });
});
