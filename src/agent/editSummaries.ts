import type { Plan, Summary } from '../contextWindow/plan';
import { summaryTokens } from '../contextWindow/summaryTokens';
import type { Estimate } from '../contextWindow/truncate';
import type { AgentEvent } from './agentEvent';

/** Puts the user's texts, by summary id, in the place of the summaries; one too large is not taken. */
export function* edited(
  plan: Plan,
  summaries: readonly Summary[],
  texts: Readonly<Record<string, string>>,
  estimate: Estimate,
): Generator<AgentEvent, readonly Summary[]> {
  const taken: Summary[] = [];
  for (const summary of summaries) {
    const text = texts[summary.id]?.trim() ?? '';
    if (text === '' || text === summary.text) {
      taken.push(summary);
      continue;
    }
    const byUser: Summary = { ...summary, text, editedByUser: true };
    const tokens = summaryTokens(byUser, estimate);
    const most =
      plan.summaries.find(({ summaryId }) => summaryId === summary.id)?.tokensBefore ?? 0;
    // A summary as big as what it replaces is no progress (I5).
    taken.push(tokens < most ? byUser : summary);
    if (tokens >= most) {
      const message = `Your text for a summary was not used: it takes about ${tokens} tokens, what it stands for ${most}.`;
      yield { type: 'notice', message };
    }
  }
  return taken;
}
