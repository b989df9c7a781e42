import type { ContextWindow } from '../../../contextWindow/window';
import type { Summary } from '../../../contextWindow/plan';
import { summaryTokens } from '../../../contextWindow/passes/rungs/summary';
import type { Estimate } from '../../../contextWindow/truncate';
import type { ProposedSummaryView, ReviewView } from './state';
import type { PendingPass } from '../inspected';
import { decisionView } from './derive';
import { excerptsView } from '../files/derive';

/** Draws the pass that waits for the user's answer. */
export function reviewView(
  { id, proposed }: PendingPass,
  window: ContextWindow,
  estimate: Estimate,
): ReviewView {
  const { plan, summaries } = proposed;
  const { trigger, policy, before, target, budget } = plan;
  // The plan assumes the largest summaries; these are the written ones.
  const reserved = plan.summaries.reduce((sum, { maxTokens }) => sum + maxTokens, 0);
  const written = summaries.reduce(
    (sum, summary) => sum + summaryTokens(summary, window, estimate),
    0,
  );
  return {
    proposedPassId: id,
    trigger,
    policy,
    before,
    after: { tokens: plan.estimatedAfter - reserved + written, exact: false },
    target,
    highTokens: budget.highTokens,
    inputBudget: budget.inputBudget,
    decisions: plan.decisions.filter(({ action }) => action !== 'keep').map(decisionView),
    summaries: summaries.map(summaryView),
    ...(plan.view === undefined ? {} : { shows: excerptsView(plan.view, window.fileChoices) }),
  };
}

function summaryView({ id, covers, text, writtenBy }: Summary): ProposedSummaryView {
  return {
    id,
    covers: covers.length,
    text,
    writtenBy:
      writtenBy.by === 'model'
        ? `written by ${writtenBy.model}`
        : `a work note, because ${writtenBy.because}`,
  };
}
