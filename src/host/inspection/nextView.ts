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
export function nextThen(ran: readonly Pass[]): NextView {
  if (ran.length === 0) return { type: 'notWorkedOut', why: NONE_RAN };
  const all = { decisions: lastDecisions(ran), rungs: ran.flatMap(({ rungs }) => rungs) };
  const freed = ran.reduce((sum, { cache }) => sum + cache.freedTokens, 0);
  return { type: 'ran', passes: ran.map(({ number }) => number), ...leaving(all, freed) };
}

/** What several passes did to each block in the end. */
export function lastDecisions(passes: readonly Pass[]): readonly Decision[] {
  const changes = passes.flatMap(({ decisions }) => decisions.filter(isChange));
  return [...new Map(changes.map((decision) => [decision.blockId, decision])).values()];
}

const NONE_RAN =
  'No pass ran right after this step, and what one would have taken then is not known.';

/**
 * The passes that ran between a step and the next, and hold; what the user changed by hand made no
 * room.
 */
export function passesAfter({ ledger }: ContextWindow, step: number): readonly Pass[] {
  return ledger
    .filter(({ undone }) => undone !== true)
    .map(({ pass }) => pass)
    .filter(({ beforeStep, trigger }) => beforeStep === step + 1 && trigger !== 'byHand');
}

function leaving({ decisions, rungs }: Pick<Pass, 'decisions' | 'rungs'>, freedTokens: number) {
  const view: LeavingView = { blocks: decisions.filter(isChange).length, freedTokens, rungs };
  return view;
}

function isChange({ action }: Decision): boolean {
  return action !== 'keep';
}
