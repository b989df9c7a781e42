import { type Budget, effectiveBudget } from '../contextWindow/budget';
import { estimateAll } from '../contextWindow/account/guesses';
import { measure, type Measurement, textsOf } from '../contextWindow/account/measure';
import { isSameRequest, sendableContextEdits } from '../contextWindow/request/request';
import { wantsCertificate, wantsCount } from '../contextWindow/passes/pipeline';
import { whyTooLarge } from '../contextWindow/account/balance';
import type { Trigger } from '../contextWindow/plan';
import { estimateOf, type AgentDeps, type AgentSettings } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import {
  asksToCompact,
  contextEditsNow,
  isCountOfOtherContextEdits,
  isCompactedByApi,
  requestNow,
} from './nextRequest';
import type { CountResult } from './model';
import { passesDue, runPass } from './runPass';
import type { ContextEdit } from '../contextWindow/contextEditing';
import { refused } from '../contextWindow/result';

type Fit = { readonly fits: true } | { readonly fits: false; readonly message: string };

/** Makes the next request fit: counts where it matters, and runs the passes that are due. */
export async function* fitWindow(
  deps: AgentDeps,
  settings: AgentSettings,
  signal: AbortSignal,
  trigger?: Trigger,
): AsyncGenerator<AgentEvent, Fit> {
  const budgetNow = () => effectiveBudget(deps.session.window, settings.budget);
  let measured = await measureNow(deps);
  const isStale = isCountOfOtherContextEdits(deps.session.window, contextEditsNow(deps, settings));
  if (trigger === undefined && (isStale || wantsCount(measured, budgetNow()))) {
    measured = yield* countNow(deps, settings, signal);
  }
  if (settings.compaction === 'off') return unaided(deps, measured, budgetNow(), trigger);
  let isShorter = false;
  for await (const planned of passesDue(deps, settings, trigger)) {
    if (signal.aborted) break;
    const pass = yield* runPass(deps, settings, planned, signal);
    if (pass === undefined) break;
    isShorter = true;
    measured = await measureNow(deps);
    // After an overflow the estimates have just been wrong.
    if (trigger === 'overflow' || wantsCertificate(measured, budgetNow())) {
      measured = yield* countNow(deps, settings, signal);
    }
  }
  // The API said the request is too long. Whatever the estimate says, never send the same bytes
  // again (I5).
  if (trigger === 'overflow' && !isShorter) return full(deps, measured, budgetNow(), trigger);
  const budget = budgetNow();
  return measured.used.tokens <= budget.inputBudget ? { fits: true } : full(deps, measured, budget);
}

/**
 * With passes off, nothing is removed automatically: a request that does not fit ends the turn,
 * with the numbers.
 */
function unaided(deps: AgentDeps, measured: Measurement, budget: Budget, trigger?: Trigger): Fit {
  if (trigger === undefined && measured.used.tokens <= budget.inputBudget) return { fits: true };
  const message = whyTooLarge(deps.session.window, measured, budget, trigger, ADVICE.off);
  return { fits: false, message };
}

function full(deps: AgentDeps, measured: Measurement, budget: Budget, due?: Trigger): Fit {
  const { window } = deps.session;
  const isPostponed = window.postponed?.blocks === window.blocks;
  const advice = isPostponed ? ADVICE.postponed : undefined;
  const message = whyTooLarge(window, measured, budget, due, advice);
  return { fits: false, message };
}

async function measureNow(deps: AgentDeps): Promise<Measurement> {
  const { window } = deps.session;
  await deps.estimator.warm(textsOf(window));
  return measure(window, estimateOf(deps));
}

/** Asks the API for a count. Without a count it uses the estimate, and tells the user. */
async function* countNow(
  deps: AgentDeps,
  settings: AgentSettings,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Measurement> {
  yield { type: 'counting' };
  const { window } = deps.session;
  const request = requestNow(deps, settings);
  const counted = await deps.counter.count(request, signal);
  const result = believed(deps, counted);
  if (result.ok && isSameRequest(window, deps.session.window)) {
    const before = await measureNow(deps);
    const { contextEdits = [] } = request;
    const whole = contextEdits.length === 0 ? result.tokens : result.beforeContextEdits;
    if (whole !== undefined) calibrate(deps, whole, contextEdits);
    deps.session.append({
      type: 'windowCounted',
      tokens: result.tokens,
      source: 'countTokens',
      estimatedTokens: before.used.tokens,
      serverEdits: sendableContextEdits(request),
      ...(whole === result.tokens ? {} : { edited: true }),
      ...(whole === undefined || whole === result.tokens ? {} : { beforeEdits: whole }),
    });
  } else if (!result.ok && result.isKnown !== true && !signal.aborted) {
    const { events } = deps.session;
    const before = events.findLast((event) => event.type === 'countFailed')?.message;
    deps.session.append({ type: 'countFailed', message: result.message });
    // Report the same failure once, not at every step.
    if (result.message === UNDERREPORTED) yield* warnOnce(deps, [UNDERREPORTED]);
    else if (before !== result.message) {
      yield { type: 'notice', message: `Tokens are estimated: ${result.message}` };
    }
  }
  return measureNow(deps);
}

/** A count, or a failure if it is too low to be true. */
function believed(deps: AgentDeps, counted: CountResult): CountResult {
  if (!counted.ok) return counted;
  const whole = counted.beforeContextEdits ?? counted.tokens;
  return isUnderreported(deps, whole) ? refused(UNDERREPORTED) : counted;
}

/** A smaller difference may only be the estimate's allowance for the parts of a request; tokens. */
const LEAST_DOUBTED = 2_000;

/** For the user, once a session. */
export const UNDERREPORTED =
  'The server reports less than half of the tokens that Plimsoll estimates for the request. Plimsoll uses its ' +
  'own estimate, marked ≈; costs follow the report.';

/**
 * Whether a server's count of a whole request is too low to be true. The window would grow without
 * a limit under a server that reports 10 tokens for every request. Compares with an estimate that no
 * earlier count corrects.
 */
export function isUnderreported(
  { session: { window }, estimator }: Pick<AgentDeps, 'session' | 'estimator'>,
  tokens: number,
): boolean {
  // The request sends the blocks that an API summary replaces, but the API does not count them.
  if (isCompactedByApi(window)) return false;
  const estimated = estimateAll(window, estimator.estimate);
  return tokens < estimated / 2 && estimated - tokens > LEAST_DOUBTED;
}

/** Warns about a server, each problem once a session. */
export function* warnOnce(
  { session: { memo } }: AgentDeps,
  problems: readonly string[],
): Generator<AgentEvent, void> {
  for (const message of problems) {
    if (memo.reported.has(message)) continue;
    memo.reported.add(message);
    yield { type: 'warning', message };
  }
}

/** The user's setting or answer that prevented a pass. */
type WhyNoPass = 'off' | 'postponed';

const ADVICE: Readonly<Record<WhyNoPass, string>> = {
  off:
    'plimsoll.context.compaction is off, so nothing was removed: run Compact Now, or set it ' +
    'to auto or ask.',
  postponed:
    'You postponed the pass, so nothing was removed: send a prompt to be asked ' +
    'again, or run Compact Now.',
};

/**
 * Calibrates the estimates with the API's count of a whole request. `edits` are the context edits
 * it asked for.
 */
export function calibrate(
  { session, estimator }: Pick<AgentDeps, 'session' | 'estimator'>,
  tokens: number,
  edits: readonly ContextEdit[],
): void {
  const { window } = session;
  // The request sends the blocks that an API summary replaces, but the API does not count them.
  if (asksToCompact(edits) && isCompactedByApi(window)) return;
  // Images, documents and thinking have their own token counts: there is no text to learn from.
  const given = estimateAll(window, () => 0);
  const estimated = estimateAll(window, estimator.estimate);
  estimator.learn(estimated - given, tokens - given);
}
