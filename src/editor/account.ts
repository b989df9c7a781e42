import { balance, type Balance } from '../contextWindow/account/balance';
import { measure, type Measurement } from '../contextWindow/account/measure';
import { type Budget, effectiveBudget } from '../contextWindow/budget';
import type { Estimate } from '../contextWindow/truncate';
import type { ContextWindow, LedgerEntry } from '../contextWindow/window';
import type { Amount } from '../contextWindow/plan';

/** How full the window is: the one account that panel, status bar and gauge read (I8). */
export interface Account {
  readonly measured: Measurement;
  readonly balance: Balance;
}

/** Measures the window with the current budget, including its reduction after an overflow. */
export function accountOf(window: ContextWindow, budget: Budget, estimate: Estimate): Account {
  const measured = measure(window, estimate);
  return { measured, balance: balance(window, measured, effectiveBudget(window, budget)) };
}

/** How full the window is: "64 %", or "≈64 %" for an estimate. */
export function percentText({ used, inputBudget }: Balance): string {
  return `${used.exact ? '' : '≈'}${Math.round((used.tokens / inputBudget) * 100)} %`;
}

/** The size of the window after a pass: the API's count if there is one, else the estimate. */
export function tokensAfter({
  pass,
  certifiedTokens,
}: Pick<LedgerEntry, 'pass' | 'certifiedTokens'>): Amount {
  return certifiedTokens === undefined ? pass.after : { tokens: certifiedTokens, exact: true };
}
