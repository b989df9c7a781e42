import type { AgentDeps } from '../agent/agentDeps';
import type { AgentEvent } from '../agent/agentEvent';
import { runPass } from '../agent/runPass';
import { amountText, tokenText } from '../contextWindow/amountText';
import { measure, textsOf } from '../contextWindow/measure';
import type { Pass } from '../contextWindow/plan';
import { effectiveBudget } from '../contextWindow/stepDown';

/** What came of making room by hand, in a sentence. */
export interface MadeRoom {
  /** False when nothing left the window. */
  readonly freed: boolean;
  readonly message: string;
}

/** Runs a pass because the user asked for it, outside a turn. */
export async function* makeRoom(
  deps: AgentDeps,
  signal: AbortSignal,
  instructions = '',
): AsyncGenerator<AgentEvent, MadeRoom> {
  const { session, estimator } = deps;
  await estimator.warm(textsOf(session.window));
  const pass = yield* runPass(deps, deps.settings(), 'manual', signal, instructions);
  if (pass !== undefined) return { freed: true, message: whatItFreed(pass) };
  return {
    freed: false,
    message: signal.aborted ? 'Stopped: nothing has left the window.' : whyNothing(deps),
  };
}

function whatItFreed({ number, before, after }: Pass): string {
  return `Pass ${number} took the window from ${amountText(before)} to ${amountText(after)} tokens.`;
}

function whyNothing({ session, estimator, settings }: AgentDeps): string {
  const { window } = session;
  const { used } = measure(window, (text) => estimator.estimate(text));
  const { lowTokens } = effectiveBudget(window, settings().budget);
  const why =
    used.tokens <= lowTokens
      ? `the window is at or below the low watermark (${tokenText(lowTokens)} tokens)`
      : 'what is left in the window may not leave, or would free nothing';
  return `There was nothing to gain: ${why}.`;
}
