import type { ContextWindow } from '../../contextWindow/contextWindow';
import type { Decision, Pass, Plan, PolicyName } from '../../contextWindow/plan';
import type { LeavingView, NextView } from '../../protocol/nextView';
import { whyNothing } from './plannedPass';

/** Draws what would leave now; a policy that only a replay knows has no plan. */
export function nextNow(plan: Plan | undefined, policy: PolicyName): NextView {
  if (plan === undefined) {
    const why = `The policy ${policy} exists in a replay only: it plans nothing ahead.`;
    return { type: 'notWorkedOut', why };
  }
  if (whyNothing(plan) !== undefined) return { type: 'nothing' };
  const { before, estimatedAfter } = plan;
  return { type: 'planned', ...leaving(plan, before.tokens - estimatedAfter) };
}

/** Draws what left right after a step that is past: what would have left is known where a pass ran. */
export function nextThen(ran: Pass | undefined): NextView {
  if (ran === undefined) return { type: 'notWorkedOut', why: NONE_RAN };
  return { type: 'ran', pass: ran.number, ...leaving(ran, ran.cache.freedTokens) };
}

const NONE_RAN =
  'No pass ran right after this step, and what one would have taken then is not known.';

/** The pass that ran between a step and the next; what the user changed by hand made no room. */
export function passAfter({ ledger }: ContextWindow, step: number): Pass | undefined {
  return ledger.find(({ pass }) => pass.beforeStep === step + 1 && pass.trigger !== 'byHand')?.pass;
}

function leaving({ decisions, rungs }: Pick<Pass, 'decisions' | 'rungs'>, freedTokens: number) {
  const view: LeavingView = { blocks: decisions.filter(isChange).length, freedTokens, rungs };
  return view;
}

function isChange({ action }: Decision): boolean {
  return action !== 'keep';
}
