import { describe, expect, it } from 'vitest';
import { makeBudget, type BudgetSettings } from '../../src/contextWindow/budget';

const SETTINGS: BudgetSettings = {
  contextWindowTokens: 200_000,
  maxReplyTokens: 4_096,
  safetyHeadroomTokens: 2_048,
  toolResultHeadroomTokens: 8_192,
  highWatermark: 0.8,
  lowWatermark: 0.5,
};

function problemsOf(change: Partial<BudgetSettings>): readonly string[] {
  const result = makeBudget({ ...SETTINGS, ...change });
  return result.ok ? [] : result.problems.map(({ setting }) => setting);
}

describe('budget', () => {
  it('is the window minus reply, safety and tool-result headroom', () => {
    const result = makeBudget(SETTINGS);
    expect(result.ok && result.budget).toMatchObject({
      inputBudget: 185_664,
      highTokens: 148_531,
      lowTokens: 92_832,
    });
  });

  it('reports a high watermark at or above 1 and clamps nothing', () => {
    expect(problemsOf({ highWatermark: 1 })).toEqual(['highWatermark']);
    expect(problemsOf({ highWatermark: 0.999 })).toEqual([]);
  });

  it('reports a low watermark that is not below the high one', () => {
    expect(problemsOf({ lowWatermark: 0.8 })).toEqual(['lowWatermark']);
    expect(problemsOf({ lowWatermark: 0 })).toEqual(['lowWatermark']);
  });

  it('accepts watermarks in tokens, and stores them as fractions', () => {
    const result = makeBudget({ ...SETTINGS, highWatermark: 120_000, lowWatermark: 0.4 });
    expect(result.ok && result.budget).toMatchObject({
      highTokens: 120_000,
      highWatermark: expect.closeTo(120_000 / 185_664, 12),
      lowTokens: 74_265,
      lowWatermark: 0.4,
    });
  });

  it('reports a watermark that is neither a fraction nor tokens, and explains both forms', () => {
    const result = makeBudget({ ...SETTINGS, highWatermark: 80, lowWatermark: 999 });
    expect(result.ok ? [] : result.problems.map(({ message }) => message)).toEqual([
      'must be a fraction of the input budget below 1, for example 0.8, or a number of tokens of ' +
        'at least 1,000, not 80.',
      'must be a fraction of the input budget below 1, for example 0.5, or a number of tokens of ' +
        'at least 1,000, not 999.',
    ]);
  });

  it('reports watermarks in tokens that leave no room below the input budget', () => {
    const problems = (change: Partial<BudgetSettings>) => {
      const result = makeBudget({ ...SETTINGS, ...change });
      return result.ok ? [] : result.problems;
    };
    expect(problems({ highWatermark: 185_663 })).toEqual([]);
    expect(problems({ highWatermark: 185_664 })).toEqual([
      {
        setting: 'highWatermark',
        message: 'must be below the input budget of 185,664 tokens, not 185664.',
      },
    ]);
    expect(problems({ lowWatermark: 148_530 })).toEqual([]);
    expect(problems({ lowWatermark: 148_531 })).toEqual([
      {
        setting: 'lowWatermark',
        message: 'must be below the high watermark (0.8, here 148,531 tokens), not 148531.',
      },
    ]);
  });

  it('reports numbers that are not whole tokens', () => {
    expect(problemsOf({ maxReplyTokens: 0 })).toEqual(['maxReplyTokens']);
    expect(problemsOf({ contextWindowTokens: 1.5 })).toEqual(['contextWindowTokens']);
    expect(problemsOf({ safetyHeadroomTokens: -1 })).toEqual(['safetyHeadroomTokens']);
    expect(problemsOf({ toolResultHeadroomTokens: Number.NaN })).toEqual([
      'toolResultHeadroomTokens',
    ]);
  });

  it('reports a window that leaves no input budget, with the sum', () => {
    const result = makeBudget({ ...SETTINGS, contextWindowTokens: 15_335 });
    expect(result.ok ? '' : result.problems[0]!.message).toContain('input budget of 999 tokens');
    expect(problemsOf({ contextWindowTokens: 15_336 })).toEqual([]);
  });
});
