import type { Budget } from '../../../../src/contextWindow/budget';
import type { ContextWindow } from '../../../../src/contextWindow/window';
import type { PolicySettings } from '../../../../src/contextWindow/passes/rungs/policyInput';
import { accountOf } from '../../../../src/editor/session/derive';
import { DEFAULT_SETTINGS } from '../../../../src/settings/settings';
import { POLICY_SETTINGS } from '../../../support/agentSettings';
import { budgetOf, countDots } from '../../../support/drawing';
import { play, type Action } from '../../../support/randomSession';
import { inspectedOf, viewNow } from './inspectedScene';

/** The panel's state of a window, and the account it comes from. */
export function viewOf(
  window: ContextWindow,
  budget: Budget,
  estimate = countDots,
  settings = DEFAULT_SETTINGS,
) {
  const account = accountOf(window, budget, estimate);
  return { account, view: viewNow(inspectedOf(window, budget, { settings }), estimate) };
}

/** The panel's state of a session played in a window of this many tokens, and that window. */
export function playedView(
  script: readonly Action[],
  windowTokens: number,
  settings: PolicySettings = POLICY_SETTINGS,
) {
  const budget = budgetOf(windowTokens);
  const { window } = play(script, budget, settings);
  return { window, ...viewOf(window, budget, (text) => Math.ceil(text.length / 4)) };
}
