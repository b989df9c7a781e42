import type { ContextWindow, LedgerEntry } from '../contextWindow/contextWindow';
import type { Amount } from '../contextWindow/plan';
import type { PassView } from '../protocol/contextPanel';

/** Draws the ledger of passes, newest first. */
export function passViews(window: ContextWindow): readonly PassView[] {
  return window.ledger.map((entry) => passView(entry, window.step)).toReversed();
}

/** What was in the window after a pass: the API's count where it was taken, else the estimate. */
export function tokensAfter({ pass, certifiedTokens }: LedgerEntry): Amount {
  return certifiedTokens === undefined ? pass.after : { tokens: certifiedTokens, exact: true };
}

function passView(entry: LedgerEntry, step: number): PassView {
  const { pass } = entry;
  return {
    number: pass.number,
    beforeStep: pass.beforeStep,
    trigger: pass.trigger,
    before: pass.before,
    after: tokensAfter(entry),
    target: pass.target,
    highTokens: pass.budget.highTokens,
    inputBudget: pass.budget.inputBudget,
    rungs: pass.rungs,
    decisions: pass.decisions.map(({ blockId, label, action, reason, before, after }) => ({
      blockId,
      label,
      action,
      reason,
      before,
      after,
    })),
    rewrittenTokens: pass.cache.rewrittenTokens,
    freedTokens: pass.cache.freedTokens,
    breakEvenRequests: pass.cache.breakEvenRequests,
    requestsSince: step - pass.beforeStep + 1,
  };
}
