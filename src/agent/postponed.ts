import { measure } from '../contextWindow/measure';
import { effectiveBudget } from '../contextWindow/stepDown';
import type { AgentDeps, AgentSettings } from './agentDeps';
import type { Session } from './session';

/** The user is asked again once the window has grown by this share of the input budget. */
const GROWN_SHARE = 0.05;

/** How full each session was when its user postponed a pass; tokens. */
const POSTPONED_AT = new WeakMap<Session, number>();

/** Remembers that the user does not want a pass now. */
export function postponed({ session, estimator }: AgentDeps): void {
  const measured = measure(session.window, (text) => estimator.estimate(text));
  POSTPONED_AT.set(session, measured.used.tokens);
}

/** Says whether the user may be asked: not again for the same fill, and always when it must be. */
export function mayAsk({ session, estimator }: AgentDeps, settings: AgentSettings): boolean {
  const at = POSTPONED_AT.get(session);
  if (at === undefined) return true;
  const { inputBudget } = effectiveBudget(session.window, settings.budget);
  const used = measure(session.window, (text) => estimator.estimate(text)).used.tokens;
  return used > inputBudget || used < at || used - at > inputBudget * GROWN_SHARE;
}
