import type { ContextWindow, LedgerEntry } from '../contextWindow/contextWindow';
import type { Amount, Decision } from '../contextWindow/plan';
import { whyNotUndone } from '../contextWindow/undoPass';
import type { DecisionView, PassView } from '../protocol/contextPanel';

/** Draws the ledger of passes, newest first. */
export function passViews(window: ContextWindow): readonly PassView[] {
  return window.ledger.map((entry) => passView(entry, window)).toReversed();
}

/** What was in the window after a pass: the API's count where it was taken, else the estimate. */
export function tokensAfter({ pass, certifiedTokens }: LedgerEntry): Amount {
  return certifiedTokens === undefined ? pass.after : { tokens: certifiedTokens, exact: true };
}

/** Draws what was decided for one block. */
export function decisionView(decision: Decision): DecisionView {
  const { blockId, label, action, reason, before, after } = decision;
  return { blockId, label, action, reason, before, after };
}

function passView(entry: LedgerEntry, window: ContextWindow): PassView {
  const { pass } = entry;
  const undone = entry.undone === true;
  const why = undone ? undefined : whyNotUndone(window, pass.number);
  return {
    number: pass.number,
    beforeStep: pass.beforeStep,
    trigger: pass.trigger,
    policy: pass.policy,
    undone,
    ...(why === undefined ? {} : { whyNotUndone: why }),
    before: pass.before,
    after: tokensAfter(entry),
    target: pass.target,
    highTokens: pass.budget.highTokens,
    inputBudget: pass.budget.inputBudget,
    rungs: pass.rungs,
    decisions: pass.decisions.map(decisionView),
    rewrittenTokens: pass.cache.rewrittenTokens,
    freedTokens: pass.cache.freedTokens,
    breakEvenRequests: pass.cache.breakEvenRequests,
    requestsSince: window.step - pass.beforeStep + 1,
  };
}
