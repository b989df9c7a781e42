import type { Budget } from '../contextWindow/budget';
import { effectiveBudget } from '../contextWindow/stepDown';
import { estimateAll, measure, textsOf, type Measurement } from '../contextWindow/measure';
import { isSameRequest, toRequest } from '../contextWindow/request';
import { dueTrigger, wantsCount } from '../contextWindow/trigger';
import { serverEditsOf } from '../contextWindow/policies/server';
import { whyFull } from '../contextWindow/whyFull';
import type { Trigger } from '../contextWindow/plan';
import type { AgentDeps, AgentSettings } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import type { ModelRequest } from './model';
import { runPass } from './runPass';

/** More passes than this before one request would be a spiral. */
const MOST_PASSES = 2;

export type Fit = { readonly fits: true } | { readonly fits: false; readonly message: string };

/** Makes the next request fit: counts where it matters, runs a pass when one is due. */
export async function* fitWindow(
  deps: AgentDeps,
  settings: AgentSettings,
  signal: AbortSignal,
  trigger?: Trigger,
): AsyncGenerator<AgentEvent, Fit> {
  const budgetNow = () => effectiveBudget(deps.session.window, settings.budget);
  let measured = await measureNow(deps);
  if (trigger === undefined && wantsCount(measured, budgetNow())) {
    measured = yield* countNow(deps, settings, signal);
  }
  const dueNow = () => dueTrigger(deps.session.window, measured, budgetNow(), settings.policy);
  if (settings.compaction === 'off') return unaided(deps, measured, budgetNow(), trigger);
  let due = trigger ?? dueNow();
  for (let passes = 0; due !== undefined && passes < MOST_PASSES && !signal.aborted; passes++) {
    const pass = yield* runPass(deps, settings, due, signal);
    if (pass === undefined) {
      // The API said it is too long, whatever the estimate says: the same bytes go nowhere (I5).
      if (due === 'overflow') return full(deps, measured, budgetNow(), due);
      break;
    }
    // Certifies the pass: what was estimated of it becomes the API's own number.
    measured = yield* countNow(deps, settings, signal);
    due = dueNow();
  }
  const budget = budgetNow();
  return measured.used.tokens <= budget.inputBudget ? { fits: true } : full(deps, measured, budget);
}

/** With passes off nothing leaves by itself: what does not fit ends the turn, with the numbers. */
function unaided(deps: AgentDeps, measured: Measurement, budget: Budget, trigger?: Trigger): Fit {
  if (trigger === undefined && measured.used.tokens <= budget.inputBudget) return { fits: true };
  const why = whyFull(deps.session.window, measured, budget, trigger);
  const advice =
    'plimsoll.context.compaction is off, so nothing was taken out: make room by hand, or set it to auto or ask.';
  return { fits: false, message: `${why} ${advice}` };
}

function full(deps: AgentDeps, measured: Measurement, budget: Budget, due?: Trigger): Fit {
  return { fits: false, message: whyFull(deps.session.window, measured, budget, due) };
}

/** The request that would be sent now. */
export function requestNow(deps: AgentDeps, settings: AgentSettings): ModelRequest {
  return {
    model: settings.model,
    maxTokens: settings.budget.maxReplyTokens,
    ...toRequest(deps.session.window),
    ...editsBySetting(deps, settings),
  };
}

function editsBySetting(
  deps: AgentDeps,
  settings: AgentSettings,
): Pick<ModelRequest, 'serverEdits'> {
  if (settings.policy.policy !== 'server') return {};
  const budget = effectiveBudget(deps.session.window, settings.budget);
  const serverEdits = serverEditsOf(settings.serverEdits, budget);
  return serverEdits.length === 0 ? {} : { serverEdits };
}

/** Takes the API's number of a whole request into the calibration of the estimates. */
export function calibrate(deps: AgentDeps, tokens: number): void {
  const estimated = estimateAll(deps.session.window, (text) => deps.estimator.estimate(text));
  deps.estimator.learn(estimated, tokens);
}

async function measureNow(deps: AgentDeps): Promise<Measurement> {
  const { window } = deps.session;
  await deps.estimator.warm(textsOf(window));
  return measure(window, (text) => deps.estimator.estimate(text));
}

/** Asks the API for the count; where it has none, the estimate stands and the user is told. */
async function* countNow(
  deps: AgentDeps,
  settings: AgentSettings,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Measurement> {
  yield { type: 'counting' };
  const { window } = deps.session;
  const result = await deps.counter.count(requestNow(deps, settings), signal);
  if (result.ok && isSameRequest(window, deps.session.window)) {
    const before = await measureNow(deps);
    calibrate(deps, result.beforeServerEdits ?? result.tokens);
    deps.session.append({
      type: 'windowCounted',
      tokens: result.tokens,
      source: 'countTokens',
      estimatedTokens: before.used.tokens,
    });
  } else if (!result.ok && !signal.aborted) {
    const { events } = deps.session;
    const before = events.findLast((event) => event.type === 'countFailed')?.message;
    deps.session.append({ type: 'countFailed', message: result.message });
    // Said once: the same failure at every step is no news.
    if (before !== result.message) {
      yield { type: 'notice', message: `Tokens are estimated: ${result.message}` };
    }
  }
  return measureNow(deps);
}
