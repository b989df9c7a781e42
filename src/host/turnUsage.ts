import { chargesOf, type Charge } from '../contextWindow/charges';
import type { SessionEvent } from '../contextWindow/event';
import { costOf } from '../counting/pricing';
import { promptTokens, type Usage } from '../contextWindow/usage';
import type { UsageView } from '../protocol/agentView';

/** Who answers now and whom the scripted model signs as; `now` in ms since the epoch. */
export interface AnswerFacts {
  readonly offline: boolean;
  readonly demoAuthor: string;
  readonly now: number;
}

/** Says whether the scripted model answered a turn; undefined while nobody has. */
export function wasOffline(
  events: readonly SessionEvent[],
  demoAuthor: string,
): boolean | undefined {
  const authors = paidFor(events).map(({ model }) => model);
  return authors.length === 0 ? undefined : authors.includes(demoAuthor);
}

/** Adds up what the responses of a turn used; those for summaries and ratings included. */
export function usageOfTurn(
  events: readonly SessionEvent[],
  facts: AnswerFacts,
  isRunning: boolean,
): UsageView {
  const responses = paidFor(events);
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
    cost: costText(responses, facts),
    elapsedMs: Math.max(0, ended - began),
  };
}

/** A reply that was stopped half-way carries no usage, nor the name of who wrote it. */
function paidFor(events: readonly SessionEvent[]): readonly Charge[] {
  return events
    .flatMap(chargesOf)
    .filter(({ usage }) => promptTokens(usage) + usage.outputTokens > 0);
}

function costText(responses: readonly Charge[], facts: AnswerFacts): string {
  const charged = responses.filter(({ model }) => model !== facts.demoAuthor);
  if (charged.length === 0 && (facts.offline || responses.length > 0)) {
    return 'no charge (offline)';
  }
  let dollars = 0;
  for (const { model, usage } of charged) {
    const cost = costOf(model, usage);
    if (cost === 'unknown') return 'price unknown';
    dollars += cost.usd;
  }
  return `$${dollars.toFixed(4)}`;
}
