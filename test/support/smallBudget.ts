import { makeBudget, type Budget, type BudgetSettings } from '../../src/contextWindow/budget';

/** A window of 12,000 tokens with an input budget of 10,000, small enough to fill in a test. */
export function smallBudget(change: Partial<BudgetSettings> = {}): Budget {
  const result = makeBudget({
    contextWindowTokens: 12_000,
    maxReplyTokens: 1_000,
    safetyHeadroomTokens: 500,
    toolResultHeadroomTokens: 500,
    highWatermark: 0.8,
    lowWatermark: 0.5,
    ...change,
  });
  if (!result.ok) throw new Error(result.problems[0]!.message);
  return result.budget;
}
