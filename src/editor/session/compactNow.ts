import type { AgentDeps } from '../../agent/agentDeps';
import type { AgentEvent } from '../../agent/agentEvent';
import { amountText } from '../../contextWindow/amount';
import { textsOf } from '../../contextWindow/account/measure';
import { summariseEarlier } from '../../contextWindow/passes/policies/policies';
import { passTitle } from '../../contextWindow/passes/passName';
import type { Pass } from '../../contextWindow/plan';
import { loadPart } from '../loading';
import { refused, type Result } from '../../contextWindow/result';

/** The result of Compact Now in a sentence; `ok` is false if nothing was removed. */
export type CompactedNow = Result<{ readonly message: string }>;

const NOTHING_TO_GAIN =
  'There was nothing to free: the remaining blocks must stay, or removing them would free nothing.';

const NOTHING_EARLIER = 'There was nothing that a summary would shorten: nothing was removed.';

/**
 * Which blocks the pass removes: those the policy decides on, or everything older than the newest
 * turns.
 */
export type RoomOf = 'policy' | 'earlierTurns';

/** Runs a pass at the user's request, outside a turn. */
export async function* compactNow(
  deps: AgentDeps,
  signal: AbortSignal,
  instructions = '',
  of: RoomOf = 'policy',
): AsyncGenerator<AgentEvent, CompactedNow> {
  const { runManualPass } = await loadPart('The agent', import('../../agent/runPass'));
  await deps.estimator.warm(textsOf(deps.session.window));
  const policy = of === 'earlierTurns' ? summariseEarlier : undefined;
  const pass = yield* runManualPass(deps, deps.settings(), signal, instructions, policy);
  if (pass !== undefined) return { ok: true, message: whatItFreed(pass) };
  if (signal.aborted) return refused('Stopped: nothing was removed from the window.');
  return of === 'policy' ? refused(NOTHING_TO_GAIN) : { ok: true, message: NOTHING_EARLIER };
}

function whatItFreed(pass: Pass): string {
  const { before, after } = pass;
  return `${passTitle(pass)} took the window from ${amountText(before)} to ${amountText(after)} tokens.`;
}
