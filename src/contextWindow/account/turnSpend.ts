import type { SessionEvent } from '../event';
import type { TurnCaps, TurnSpend } from '../turnOutcome';
import { promptTokens } from '../usage';
import { chargesOf, type Charge } from './charges';

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
  const names = ['steps', 'tokens', 'usd'] as const;
  return names.find((name) => {
    const [most, so] = [caps[name], spent[name]];
    return most !== undefined && so !== undefined && so >= most;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
