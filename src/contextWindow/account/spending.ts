import {
  TURN_CAPS,
  type SessionEvent,
  type TurnCaps,
  type TurnSpend,
  type WindowEvent,
} from '../event';
import type { Summary } from '../plan';

/** The usage of one answer, and its model. */
export interface Charge {
  readonly model: string;
  readonly usage: Usage;
  /** The price in US dollars that a recording names; absent where the list price applies. */
  readonly usd?: number;
  /** The server's counts do not confirm its usage, so the usage is only an estimate. */
  readonly isEstimate?: true;
}

/**
 * The charges of an event. In the sum over a log every answer counts once, when it arrives: a
 * summary written ahead in one turn is not charged again when a pass applies it in the next.
 */
export function chargesOf(event: SessionEvent): readonly Charge[] {
  switch (event.type) {
    case 'replyReceived': {
      const { model, usage, compactionUsage, uncounted, underreported } = event;
      const compacted = compactionUsage === undefined ? [] : [{ model, usage: compactionUsage }];
      const isEstimate = uncounted === true || underreported === true;
      return [{ model, usage, ...(isEstimate && { isEstimate }) }, ...compacted];
    }
    case 'modelAsked':
      return [{ model: event.model, usage: event.usage }];
    case 'passApplied':
      return event.pass.summaries.flatMap(chargesOfSummary);
    case 'subAgentEvent':
      return chargesOf(event.event);
    default:
      return [];
  }
}

/** The charge of a summary if only its pass records it, as in a replay. */
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

/** The cost of one answer in US dollars; undefined if its price is unknown. */
export type CostOf = (charge: Charge) => number | undefined;

/**
 * Adds up the charges of a turn's events, summaries and ratings included, for its spending limits.
 * Where the server reported far too few tokens, the estimate counts: a limit must hold whatever a
 * server reports.
 */
export function turnSpend(events: readonly SessionEvent[], costOf: CostOf): TurnSpend {
  const charges = events.flatMap(leastChargesOf);
  const costs = charges.map(costOf);
  const known = costs.filter((cost) => cost !== undefined);
  return {
    steps: events.filter((event) => withinSubAgent(event).type === 'replyReceived').length,
    tokens: sum(charges.map(({ usage }) => promptTokens(usage) + usage.outputTokens)),
    ...(known.length === costs.length ? { usd: sum(known) } : {}),
    ...(charges.some(({ isEstimate }) => isEstimate === true) ? { isEstimate: true } : {}),
  };
}

/** The event itself, or the one that a sub-agent's window got. */
function withinSubAgent(event: SessionEvent): WindowEvent {
  return event.type === 'subAgentEvent' ? event.event : event;
}

function leastChargesOf(given: SessionEvent): readonly Charge[] {
  const event = withinSubAgent(given);
  const charges = chargesOf(event);
  if (event.type !== 'replyReceived' || event.underreported !== true) return charges;
  const missing = (event.estimatedTokens ?? 0) - promptTokens(event.usage);
  return charges.map((charge, at) =>
    at > 0 || missing <= 0
      ? charge
      : {
          ...charge,
          usage: { ...charge.usage, inputTokens: charge.usage.inputTokens + missing },
        },
  );
}

/** The limit that a turn has reached; undefined for none. */
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
  /** The uncached rest of the prompt only. */
  readonly inputTokens: number;
  readonly cacheCreationTokens: number;
  /** The part of `cacheCreationTokens` written for 1 hour; the rest is for 5 minutes. */
  readonly cacheCreation1hTokens?: number;
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
  /**
   * The part of `outputTokens` that is thinking; absent if there was none, or if the server does
   * not report it.
   */
  readonly thinkingTokens?: number;
}

export const NO_USAGE: Usage = {
  inputTokens: 0,
  cacheCreationTokens: 0,
  cacheReadTokens: 0,
  outputTokens: 0,
};

/** Adds up two usages. */
export function plusUsage(one: Usage, other: Usage): Usage {
  const hour = (one.cacheCreation1hTokens ?? 0) + (other.cacheCreation1hTokens ?? 0);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cacheCreationTokens: one.cacheCreationTokens + other.cacheCreationTokens,
    ...(hour === 0 ? {} : { cacheCreation1hTokens: hour }),
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}

/** Adds up all input tokens: uncached, written to the cache and read from it. */
export function promptTokens(usage: Usage): number {
  return usage.inputTokens + usage.cacheCreationTokens + usage.cacheReadTokens;
}

/**
 * Tokens of the next request by tier. Tools, system prompt, memory and scratchpad belong to the
 * system tier.
 */
export interface TierTokens {
  readonly system: number;
  readonly working: number;
  readonly archive: number;
  /** The part of the archive that is summaries; absent for none. */
  readonly summary?: number;
  /** False if any of it is an estimate. */
  readonly exact: boolean;
}
