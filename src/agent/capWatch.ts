import { reachedCap, turnSpend } from '../contextWindow/account/turnSpend';
import type { TurnOutcome } from '../contextWindow/turnOutcome';
import type { AgentDeps } from './agentDeps';
import type { AgentEvent } from './agentEvent';

/** Watches the limits of the user on what a turn may spend, from now on. */
export class CapWatch {
  readonly #from: number;
  #hasToldPrice = false;

  constructor({ events }: AgentDeps['session']) {
    this.#from = events.length;
  }

  /** The end of the turn, where a limit is reached; it goes on if the user says so. */
  *reached({ session, settings }: AgentDeps): Generator<AgentEvent, TurnOutcome | undefined> {
    const { caps, costOf, model } = settings();
    const spent = turnSpend(session.events.slice(this.#from), costOf);
    const cap = reachedCap(caps, spent);
    if (cap !== undefined) return { type: 'capReached', cap, most: caps[cap] ?? 0, spent };
    if (caps.usd !== undefined && spent.usd === undefined && !this.#hasToldPrice) {
      this.#hasToldPrice = true;
      const message = `plimsoll.turn.maxCost cannot hold: the price of ${model} is not known.`;
      yield { type: 'warning', message };
    }
    return undefined;
  }
}
