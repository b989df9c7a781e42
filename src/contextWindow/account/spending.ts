import { TURN_CAPS, type SessionEvent, type TurnCaps, type TurnSpend } from '../event';
import type { Summary } from '../plan';

/** What one answer took, and which model gave it. */
export interface Charge {
  readonly model: string;
  readonly usage: Usage;
}

/**
 * Says what an event was charged. In the sum over a log every answer counts once, where it came: a
 * summary written ahead in one turn is not charged again when a pass applies it in the next.
 */
export function chargesOf(event: SessionEvent): readonly Charge[] {
  switch (event.type) {
    case 'replyReceived': {
      const { model, usage, compactionUsage } = event;
      const compacted = compactionUsage === undefined ? [] : [{ model, usage: compactionUsage }];
      return [{ model, usage }, ...compacted];
    }
    case 'modelAsked':
      return [{ model: event.model, usage: event.usage }];
    case 'passApplied':
      return event.pass.summaries.flatMap(chargesOfSummary);
    default:
      return [];
  }
}

/**
 * Says what a summary was charged where only its pass records it: in an older log, and in a replay.
 */
export function chargesOfSummary({ writtenBy }: Summary): readonly Charge[] {
  switch (writtenBy.by) {
    case 'model': {
      const { model, usage } = writtenBy;
      return usage === undefined ? [] : [{ model, usage }];
    }
    case 'workNote':
      return writtenBy.asked === undefined ? [] : [writtenBy.asked];
  }
}

/** Says what one answer cost in US dollars; undefined where its price is not known. */
export type CostOf = (charge: Charge) => number | undefined;

/** Adds up what these events of a turn were charged, summaries and ratings included. */
export function turnSpend(events: readonly SessionEvent[], costOf: CostOf): TurnSpend {
  const charges = events.flatMap(chargesOf);
  const costs = charges.map(costOf);
  const known = costs.filter((cost) => cost !== undefined);
  return {
    steps: events.filter(({ type }) => type === 'replyReceived').length,
    tokens: sum(charges.map(({ usage }) => promptTokens(usage) + usage.outputTokens)),
    ...(known.length === costs.length ? { usd: sum(known) } : {}),
  };
}

/** The limit that a turn has reached, if any. */
export function reachedCap(caps: TurnCaps, spent: TurnSpend): keyof TurnCaps | undefined {
  return TURN_CAPS.find((name) => {
    const [most, so] = [caps[name], spent[name]];
    return most !== undefined && so !== undefined && so >= most;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Tokens as the Messages API reports them for one response. */
export interface Usage {
  /** The uncached rest of the prompt, not all of it. */
  readonly inputTokens: number;
  readonly cacheCreationTokens: number;
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
  /** The part of `outputTokens` that is thinking; absent where there was none, or nobody says. */
  readonly thinkingTokens?: number;
}

/** Adds up what occupied the window on the way in: uncached, written and read. */
export function promptTokens(usage: Usage): number {
  return usage.inputTokens + usage.cacheCreationTokens + usage.cacheReadTokens;
}

/**
 * Tokens of the next request by tier; tools, system prompt, memory and scratchpad belong to the
 * system tier.
 */
export interface TierTokens {
  readonly system: number;
  readonly working: number;
  readonly archive: number;
  /** What summaries take of the archive; absent where there is none, and in older logs. */
  readonly summary?: number;
  /** False where any of it is an estimate. */
  readonly exact: boolean;
}
