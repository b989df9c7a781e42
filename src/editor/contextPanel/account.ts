import { type Budget, effectiveBudget } from '../../contextWindow/budget';
import { blocksInWindow, type ContextWindow } from '../../contextWindow/window';
import { balance, categoryOfBlock, type Balance } from '../../contextWindow/account/balance';
import { measure, weightOf, type Measurement } from '../../contextWindow/account/measure';
import type { Estimate } from '../../contextWindow/truncate';
import { estimatesIn, type Estimates } from './state';

/** How full the window is: the one account that panel, status bar and gauge read (I8). */
export interface Account {
  readonly measured: Measurement;
  readonly balance: Balance;
}

/** Draws up the account under the budget in force, including a step-down after an overflow. */
export function accountOf(window: ContextWindow, budget: Budget, estimate: Estimate): Account {
  const measured = measure(window, estimate);
  return { measured, balance: balance(window, measured, effectiveBudget(window, budget)) };
}

/** How much of each category is estimated. */
export function estimatesOf(window: ContextWindow, { measured }: Account): Estimates {
  return estimatesIn(
    blocksInWindow(window).map((block) => ({
      category: categoryOfBlock(window, block),
      tokens: weightOf(measured, block.id),
    })),
  );
}

/** How full the window is in words: "64 %", or "≈64 %" where the number is an estimate. */
export function percentText({ used, inputBudget }: Balance): string {
  return `${used.exact ? '' : '≈'}${Math.round((used.tokens / inputBudget) * 100)} %`;
}
