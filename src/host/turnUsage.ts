import type { SessionEvent } from '../contextWindow/event';
import { costOf } from '../counting/pricing';
import { promptTokens, type Usage } from '../contextWindow/usage';
import type { UsageView } from '../protocol/agentView';

interface Response {
  readonly model: string;
  readonly usage: Usage;
}

/** Adds up what the responses of a turn used, the summaries' included; `now` in ms. */
export function usageOfTurn(
  events: readonly SessionEvent[],
  facts: { readonly offline: boolean; readonly now: number },
  isRunning: boolean,
): UsageView {
  const responses = events.flatMap(responsesOf);
  const sum = (of: (usage: Usage) => number) =>
    responses.reduce((total, { usage }) => total + of(usage), 0);
  const began = events[0]?.at ?? facts.now;
  // A block pinned after the end belongs to the log of the turn, not to its time.
  const last = events.find(({ type }) => type === 'turnEnded') ?? events.at(-1);
  const ended = isRunning ? facts.now : (last?.at ?? began);
  return {
    inputTokens: sum(promptTokens),
    cacheReadTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    cost: costText(responses, facts.offline),
    elapsedMs: Math.max(0, ended - began),
  };
}

function responsesOf(event: SessionEvent): readonly Response[] {
  if (event.type === 'replyReceived') return [event];
  if (event.type !== 'passApplied') return [];
  return event.pass.summaries.flatMap(({ writtenBy }) =>
    writtenBy.by === 'model' ? [writtenBy] : [],
  );
}

function costText(responses: readonly Response[], offline: boolean): string {
  if (offline) return 'no charge (offline)';
  let dollars = 0;
  for (const { model, usage } of responses) {
    const cost = costOf(model, usage);
    if (cost === 'unknown') return 'price unknown';
    dollars += cost.usd;
  }
  return `$${dollars.toFixed(4)}`;
}
