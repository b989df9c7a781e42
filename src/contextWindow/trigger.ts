import type { Budget } from './budget';
import type { Measurement } from './measure';
import { changesWindow, type Plan } from './plan';

/** Each pass breaks the prompt cache, so one that frees less than this share is not run. */
const SMALLEST_GAIN_SHARE = 0.05;

/** Above this share of the high watermark an estimate is no longer good enough: count. */
const NEAR_HIGH = 0.9;

/** Says whether a pass is due. */
export function isOverHigh(measured: Measurement, budget: Budget): boolean {
  return measured.used.tokens > budget.highTokens;
}

/** Says whether the next request should be counted officially before it is decided upon. */
export function wantsCount(measured: Measurement, budget: Budget): boolean {
  if (measured.source === 'estimate') return true;
  return !measured.used.exact && measured.used.tokens > budget.highTokens * NEAR_HIGH;
}

/** Says whether a plan frees enough to be applied; what exceeds the budget is always worth it. */
export function isWorthwhile(plan: Plan): boolean {
  const gain = plan.before.tokens - plan.estimatedAfter;
  if (gain <= 0 || !changesWindow(plan)) return false;
  if (plan.trigger !== 'highWatermark') return true;
  if (plan.before.tokens > plan.budget.inputBudget) return true;
  return gain >= plan.budget.inputBudget * SMALLEST_GAIN_SHARE;
}
