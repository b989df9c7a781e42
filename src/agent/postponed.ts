import type { ContextWindow } from '../contextWindow/contextWindow';
import { measure } from '../contextWindow/account/measure';
import type { Trigger } from '../contextWindow/plan';
import { effectiveBudget } from '../contextWindow/account/stepDown';
import type { AgentDeps, AgentSettings } from './agentDeps';
import type { Session } from './session';

/** The user is asked again once the fill has changed by this share of the input budget. */
const CHANGED_SHARE = 0.05;

interface Postponed {
  /** How full the window was. */
  readonly tokens: number;
  readonly blocks: ContextWindow['blocks'];
}

/** The pass each session's user postponed last. */
const POSTPONED = new WeakMap<Session, Postponed>();

/** Remembers that the user does not want a pass now. */
export function postponed(deps: AgentDeps): void {
  const { session } = deps;
  POSTPONED.set(session, { tokens: usedNow(deps), blocks: session.window.blocks });
}

/** Says whether the user postponed the pass on the window as it stands. */
export function isPostponed({ session }: AgentDeps): boolean {
  return POSTPONED.get(session)?.blocks === session.window.blocks;
}

/** Says whether the user may be asked: not again for the same fill, and always when it must be. */
export function mayAsk(deps: AgentDeps, settings: AgentSettings, trigger: Trigger): boolean {
  const last = POSTPONED.get(deps.session);
  if (last === undefined || trigger === 'overflow') return true;
  const { inputBudget } = effectiveBudget(deps.session.window, settings.budget);
  const used = usedNow(deps);
  // An estimate that turns out a little too high is no other fill.
  return used > inputBudget || Math.abs(used - last.tokens) > inputBudget * CHANGED_SHARE;
}

function usedNow({ session, estimator }: AgentDeps): number {
  return measure(session.window, (text) => estimator.estimate(text)).used.tokens;
}
