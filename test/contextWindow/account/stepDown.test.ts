import { describe, expect, it } from 'vitest';
import { effectiveBudget, stepDown } from '../../../src/contextWindow/budget';
import { budgetOf, drawnEvents, foldNew } from '../../support/drawing';

const BUDGET = { ...budgetOf(100_000), contextWindowTokens: 120_000 };

describe('budget step-down', () => {
  it('lowers the budget by a tenth if the error has no numbers', () => {
    expect(stepDown(BUDGET, { message: 'too long' }, 1).inputBudget).toBe(90_000);
  });

  it('lowers the budget by what the window lacks, if the error says so and that is more', () => {
    const overflow = { message: 'too long', actualTokens: 110_000, limitTokens: 80_000 };
    expect(stepDown(BUDGET, overflow, 1).inputBudget).toBe(60_000);
  });

  it('lowers the budget by a tenth if the error names a larger window than the setting', () => {
    const overflow = { message: 'too long', limitTokens: 200_000 };
    expect(stepDown(BUDGET, overflow, 1).inputBudget).toBe(90_000);
  });

  it('stays until the window setting changes', () => {
    const window = foldNew([
      ...drawnEvents('1 anchor task 1'),
      {
        type: 'budgetSteppedDown',
        attempt: 1,
        contextWindowTokens: 120_000,
        inputBudget: 60_000,
        message: 'too long',
      },
    ]);
    expect(effectiveBudget(window, BUDGET)).toMatchObject({
      inputBudget: 60_000,
      highTokens: 48_000,
    });
    const raised = { ...BUDGET, contextWindowTokens: 150_000 };
    expect(effectiveBudget(window, raised).inputBudget).toBe(100_000);
  });
});
