import type { TurnOutcome } from '../contextWindow/event';
import {
  MOST_STEP_DOWNS,
  effectiveBudget,
  stepDown,
  type Overflow,
} from '../contextWindow/account/stepDown';
import { promptTokens, type Usage } from '../contextWindow/usage';
import type { AgentDeps, AgentSettings } from './agentDeps';
import { contextEditsNow } from './contextEditing';
import type { ModelFailure } from './model';

/** What a reply that ended at the window's end says about the window: its size. */
export function windowEnd(usage: Usage): Overflow {
  const tokens = promptTokens(usage);
  return {
    message: 'The reply reached the end of the model’s context window.',
    ...(tokens > 0 ? { limitTokens: tokens + usage.outputTokens } : {}),
  };
}

/** Lowers the input budget after an overflow; the third in a row was the last. */
export function takeStepDown(
  deps: AgentDeps,
  settings: AgentSettings,
  overflow: Overflow,
): TurnOutcome | undefined {
  const { session } = deps;
  const attempt = (session.window.stepDown?.attempt ?? 0) + 1;
  if (attempt > MOST_STEP_DOWNS) {
    return {
      type: 'contextFull',
      message:
        `The API refused the request as too long ${attempt} times, the last time with an input ` +
        `budget of ${session.window.stepDown?.inputBudget ?? 0} tokens: ${overflow.message}. ` +
        `Set plimsoll.context.windowTokens to the model's real window, or start a new session.`,
    };
  }
  if (overflow.actualTokens !== undefined) {
    const contextEdits = contextEditsNow(deps, settings);
    session.append({
      type: 'windowCounted',
      tokens: overflow.actualTokens,
      source: 'overflowError',
      serverEdits: contextEdits,
      ...(contextEdits.length === 0 ? {} : { edited: true }),
    });
  }
  const budget = effectiveBudget(session.window, settings.budget);
  session.append({ type: 'budgetSteppedDown', ...stepDown(budget, overflow, attempt) });
  return undefined;
}

/** What a failure says about a request that is too long; undefined where it failed otherwise. */
export function overflowOf(failure: ModelFailure): Overflow | undefined {
  switch (failure.type) {
    case 'overflow':
      return failure;
    case 'replyTooLong':
      return {
        actualTokens: failure.inputTokens,
        limitTokens: failure.limitTokens,
        message: failure.message,
      };
    case 'rateLimited':
    case 'overloaded':
    case 'invalidRequest':
    case 'authentication':
    case 'billing':
    case 'permission':
    case 'notFound':
    case 'requestTooLarge':
    case 'server':
    case 'network':
    case 'redirected':
    case 'unavailable':
    case 'streamCut':
    case 'aborted':
      return undefined;
  }
}
