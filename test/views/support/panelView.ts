import type { Budget } from '../../../src/contextWindow/budget';
import type { ContextWindow } from '../../../src/contextWindow/contextWindow';
import { accountOf } from '../../../src/views/account';
import { DEFAULT_SETTINGS } from '../../../src/settings/settings';
import { countDots } from '../../support/drawing';
import { inspectedOf, viewNow } from './inspectedScene';

/** What the panel shows of a window, and the account it is drawn from. */
export function viewOf(
  window: ContextWindow,
  budget: Budget,
  estimate = countDots,
  settings = DEFAULT_SETTINGS,
) {
  const account = accountOf(window, budget, estimate);
  return { account, view: viewNow(inspectedOf(window, budget, { settings }), estimate) };
}
