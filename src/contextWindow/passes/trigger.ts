import { passStart, type PolicyFacts, type PolicySettings } from './rungs/policyInput';
import type { Budget } from '../budget';
import type { ContextWindow } from '../window';
import type { Measurement } from '../account/measure';
import { changesWindow, type Plan, type Trigger } from '../plan';
import { messagesIn, turnsIn } from './rungs/cap';

/** Each pass breaks the prompt cache, so one that frees less than this share is not run. */
const SMALLEST_GAIN_SHARE = 0.05;

/** Above this share of the high watermark a pass is near: an estimate is no longer good enough. */
export const NEAR_HIGH = 0.9;

/** Says why a pass is due now; undefined when none is. */
export function dueTrigger({
  window,
  measured,
  budget,
  settings,
}: Omit<PolicyFacts, 'estimate'>): Trigger | undefined {
  if (measured.used.tokens > passStart(budget, settings)) return 'highWatermark';
  return isOverCap(window, settings) ? 'cap' : undefined;
}

function isOverCap(window: ContextWindow, settings: PolicySettings): boolean {
  const { policy, maxHistoryTurns, keepTurns, maxMessages } = settings;
  const turns = turnsIn(window);
  if (maxHistoryTurns > 0 && turns > maxHistoryTurns) return true;
  switch (policy) {
    case 'lastTurns':
      return turns > keepTurns;
    case 'slidingWindow':
    case 'headTail':
      return messagesIn(window) > maxMessages;
    case 'ladder':
    case 'tokenBudget':
    case 'salience':
    case 'summarise':
    case 'server':
      return false;
  }
}

/** Says whether the next request should be counted officially before it is decided upon. */
export function wantsCount(measured: Measurement, budget: Budget): boolean {
  if (measured.source === 'estimate' || measured.changed) return true;
  return !measured.used.exact && measured.used.tokens > budget.highTokens * NEAR_HIGH;
}

/** Says whether a plan frees enough to be applied; over the budget it always does. */
export function isWorthwhile(plan: Plan): boolean {
  // What the recorded agent did is done, whatever it was worth.
  if (plan.trigger === 'recorded') return changesWindow(plan);
  const gain = plan.before.tokens - plan.estimatedAfter;
  // A limit on turns or messages holds, even where the line that says so takes more than they did.
  if (plan.trigger === 'cap') return changesWindow(plan) && gain + Math.max(0, plan.gapGrowth) > 0;
  if (gain <= 0) return false;
  // Where nothing may leave, showing the scratchpad as it is now may be just enough.
  if (plan.before.tokens > plan.budget.inputBudget) return true;
  if (!changesWindow(plan)) return false;
  if (plan.trigger !== 'highWatermark') return true;
  return gain >= plan.budget.inputBudget * SMALLEST_GAIN_SHARE;
}
