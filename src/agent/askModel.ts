import { tierTokens } from '../contextWindow/account/balance';
import { measure } from '../contextWindow/account/measure';
import { cacheLifeSet } from '../contextWindow/account/promptCache';
import {
  type Budget,
  effectiveBudget,
  MOST_STEP_DOWNS,
  type Overflow,
  stepDown,
} from '../contextWindow/budget';
import type { ReplyPart, ToolUseId } from '../contextWindow/block';
import { mayBeContextEdited } from '../contextWindow/contextEditing';
import type { ContextWindow } from '../contextWindow/window';
import type { StopReason, TurnOutcome } from '../contextWindow/event';
import { withinReply } from '../contextWindow/reasoning';
import { isSameRequest, sendableContextEdits } from '../contextWindow/request/request';
import { promptTokens, type Usage } from '../contextWindow/account/spending';
import { type AgentDeps, type AgentSettings, estimateOf } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import { calledThrough } from './compactTools';
import { contextEditsNow, requestNow } from './nextRequest';
import { calibrate, fitWindow, isUnderreported, UNDERREPORTED, warnOnce } from './fitWindow';
import type { ModelFailure, ModelRequest, ModelResult } from './model';
import { FOR_A_STEP } from './retryingModel';
import { capBeforeRequest } from './spendingCap';
import { endOf } from './stopping';

/** When max_tokens has to be lowered, a shorter reply than this is not worth a request. */
const SMALLEST_REPLY = 256;

export type Asked =
  | {
      readonly type: 'replied';
      readonly stopReason: StopReason;
      /** The reply's token limit. */
      readonly maxTokens: number;
      /** True when the limit was lowered so that input and reply fit together. */
      readonly shortened: boolean;
    }
  | TurnOutcome;

/**
 * The longest reply that the model can write and the window has room for, the headroom for tool
 * results included. Never less than the usual limit.
 */
function largestReply(deps: AgentDeps, settings: AgentSettings): number {
  const { budget, mostReplyTokens } = settings;
  const { maxReplyTokens, toolResultHeadroomTokens } = budget;
  if (mostReplyTokens === undefined) return maxReplyTokens;
  const { window } = deps.session;
  const { inputBudget } = effectiveBudget(window, budget);
  const used = measure(window, estimateOf(deps)).used.tokens;
  const room = inputBudget + maxReplyTokens + toolResultHeadroomTokens - used;
  return Math.max(maxReplyTokens, Math.min(mostReplyTokens, room));
}

/** Runs the first half of a step: fits the window, asks the model, and handles overflow errors. */
export async function* askModel(
  deps: AgentDeps,
  signal: AbortSignal,
  reply: 'usual' | 'largest',
): AsyncGenerator<AgentEvent, Asked> {
  let trigger: 'overflow' | undefined;
  let shortened: number | undefined;
  for (;;) {
    const settings = deps.settings();
    if (settings.model !== deps.session.window.model) {
      deps.session.append({ type: 'modelSet', model: settings.model });
    }
    const fit = yield* fitWindow(deps, settings, signal, trigger);
    if (signal.aborted) return endOf(signal);
    if (!fit.fits) return { type: 'contextFull', message: fit.message };
    const measured = measure(deps.session.window, estimateOf(deps));
    const capped = capBeforeRequest(deps, settings, measured);
    if (capped !== undefined) return capped;
    const { window } = deps.session;
    const life = cacheLifeSet(window, settings.cacheLife, deps.now(), deps.earlierPauses);
    if (life !== undefined) deps.session.append(life);
    const whole = requestNow(deps, settings);
    const most = reply === 'largest' ? largestReply(deps, settings) : whole.maxTokens;
    const request = withReply(whole, shortened ?? most);
    const budget = effectiveBudget(deps.session.window, settings.budget);
    const result = yield* listen(deps, request, budget, signal);
    if (result.ok) {
      const { stopReason, usage } = result.reply;
      if (stopReason === 'model_context_window_exceeded') {
        takeStepDown(deps, settings, windowEnd(usage));
      }
      const { maxTokens } = request;
      return { type: 'replied', stopReason, maxTokens, shortened: shortened !== undefined };
    }
    const { failure } = result;
    if (failure.type === 'aborted') return endOf(signal);
    if (failure.type === 'replyTooLong' && shortened === undefined) {
      // Input and reply together are too long. A shorter reply costs nothing; a pass does.
      const room = failure.limitTokens - failure.inputTokens;
      if (room >= SMALLEST_REPLY) {
        shortened = room;
        yield {
          type: 'notice',
          message: `The reply is limited to ${room} tokens: ${failure.message}`,
        };
        continue;
      }
    }
    const overflow = overflowOf(failure);
    if (overflow === undefined) {
      return { type: 'failed', failure: failure.type, message: failure.message };
    }
    const end = takeStepDown(deps, settings, overflow);
    if (end !== undefined) return end;
    yield {
      type: 'notice',
      message: `The request was too long. Making it smaller: ${overflow.message}`,
    };
    trigger = 'overflow';
  }
}

/** The request with another reply limit; the thinking budget stays below it. */
function withReply(request: ModelRequest, maxTokens: number): ModelRequest {
  const { thinking, ...rest } = request;
  return { ...rest, ...withinReply({ thinking }, maxTokens), maxTokens };
}

/** Shown after a reply that broke off, while the model writes the next one; Markdown. */
const BROKE_OFF = '\n\n---\n\n*The reply broke off here. The model is writing it again:*\n\n';

/** The events that are a part of the reply. */
const STREAMED: ReadonlySet<string> = new Set(['textDelta', 'thinkingDelta', 'toolUseStarted']);

/** Sends a request, passes on the model's output, and logs the reply. */
async function* listen(
  deps: AgentDeps,
  request: ModelRequest,
  budget: Budget,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, ModelResult> {
  const { window } = deps.session;
  const step = window.step + 1;
  const measured = measure(window, estimateOf(deps));
  const { maxTokens, thinking, effort, contextEdits = [] } = request;
  const sentEdits = sendableContextEdits(request);
  const asked = {
    tiers: tierTokens(window, measured),
    estimatedTokens: measured.used.tokens,
    maxTokens,
    budget,
    thinking,
    effort,
    ...(sentEdits.length === 0 ? {} : { serverEdits: sentEdits }),
  };
  const began = deps.now();
  let firstTokenMs: number | undefined;
  yield { type: 'askStarted', step };
  let said = '';
  let kept = '';
  let isThought = false;
  const asking = deps.model.ask(request, signal, FOR_A_STEP);
  let next = await asking.next();
  for (; next.done !== true; next = await asking.next()) {
    const event = next.value;
    if (STREAMED.has(event.type)) firstTokenMs ??= deps.now() - began;
    switch (event.type) {
      case 'textDelta':
        said += event.text;
        yield { type: 'textDelta', step, text: event.text };
        break;
      case 'toolUseStarted':
        yield { type: 'toolUseStreaming', step, name: event.name };
        break;
      case 'retrying':
        if (said.trim() !== '') {
          kept = said;
          said = '';
          yield { type: 'textDelta', step, text: BROKE_OFF };
        }
        if (isThought) yield { type: 'thinkingDelta', step, text: '', restarts: true };
        isThought = false;
        yield event;
        break;
      case 'notice':
      case 'askedAgain':
      case 'silent':
      case 'heardAgain':
        yield event;
        break;
      case 'thinkingDelta':
        isThought = true;
        yield { type: 'thinkingDelta', step, text: event.text };
        break;
    }
  }
  const result = next.value;
  if (result.ok) {
    const { model, parts, stopReason, usage, appliedEdits, compactionUsage } = result.reply;
    const tokens = promptTokens(usage);
    const isOfWindow = isSameRequest(window, deps.session.window);
    const isWhole = !mayBeContextEdited({ ...result.reply, serverEdits: sentEdits });
    const isComparable = tokens > 0 && isOfWindow && isWhole;
    const isTooLow = isComparable && isUnderreported(deps, tokens);
    if (isComparable && !isTooLow) calibrate(deps, tokens, contextEdits);
    deps.session.append({
      type: 'replyReceived',
      model,
      parts: withNewIds(parts, window).map((part) => asCalled(part, deps)),
      stopReason,
      usage,
      durationMs: deps.now() - began,
      ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
      ...asked,
      appliedEdits,
      compactionUsage,
      ...(isOfWindow ? {} : { editedMeanwhile: true }),
      ...(isTooLow ? { underreported: true } : {}),
      ...(result.reply.isUncounted === true ? { uncounted: true } : {}),
      leftOut: result.reply.leftOut,
    });
    yield { type: 'replyReceived', step };
    yield* warnOnce(deps, [...(result.reply.problems ?? []), ...(isTooLow ? [UNDERREPORTED] : [])]);
    return result;
  }
  if (said.trim() !== '') kept = said;
  if (kept !== '' && overflowOf(result.failure) === undefined) {
    // The user has read this text, so both sides keep it in the conversation.
    deps.session.append({
      type: 'replyReceived',
      model: request.model,
      parts: [{ type: 'text', text: kept }],
      stopReason: 'stopped',
      usage: { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 },
      durationMs: deps.now() - began,
      ...asked,
      ...(isSameRequest(window, deps.session.window) ? {} : { editedMeanwhile: true }),
      leftOut: result.leftOut,
    });
    yield { type: 'replyReceived', step };
  }
  return result;
}

/** The window's size, from a reply that ended at the window's end. */
function windowEnd(usage: Usage): Overflow {
  const tokens = promptTokens(usage);
  return {
    message: 'The reply reached the end of the model’s context window.',
    ...(tokens > 0 ? { limitTokens: tokens + usage.outputTokens } : {}),
  };
}

/** Lowers the input budget after an overflow; ends the turn after the third in a row. */
function takeStepDown(
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
  const { actualTokens } = overflow;
  if (actualTokens !== undefined && !isUnderreported(deps, actualTokens)) {
    const contextEdits = contextEditsNow(deps, settings);
    session.append({
      type: 'windowCounted',
      tokens: actualTokens,
      source: 'overflowError',
      serverEdits: contextEdits,
      ...(contextEdits.length === 0 ? {} : { edited: true }),
    });
  }
  const budget = effectiveBudget(session.window, settings.budget);
  session.append({ type: 'budgetSteppedDown', ...stepDown(budget, overflow, attempt) });
  return undefined;
}

/** The overflow that a failure reports; undefined for any other failure. */
function overflowOf(failure: ModelFailure): Overflow | undefined {
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

/** A part whose call is the one that the model asked for. */
function asCalled(part: ReplyPart, { tools }: AgentDeps): ReplyPart {
  if (part.type !== 'toolUse') return part;
  const use = calledThrough(part.use, tools);
  return use === part.use ? part : { ...part, use };
}

/** Characters that the API rejects in the id of a tool call; other vendors' models use any. */
const UNFIT = /[^a-zA-Z0-9_-]/g;

/**
 * Gives every tool call of a reply an id that is unique in the session. Compatible servers restart
 * their ids with each reply, and the API refuses a request with a duplicate id.
 */
function withNewIds(parts: readonly ReplyPart[], window: ContextWindow): readonly ReplyPart[] {
  const taken = new Set<string>(
    window.blocks.flatMap((block) =>
      block.kind === 'step' ? block.pairs.map(({ use }) => use.id) : [],
    ),
  );
  return parts.map((part): ReplyPart => {
    if (part.type !== 'toolUse') return part;
    const fit = part.use.id.replace(UNFIT, '_') || 'call';
    let id = fit;
    for (let again = 2; taken.has(id); again++) id = `${fit}_${again}`;
    taken.add(id);
    return id === part.use.id ? part : { ...part, use: { ...part.use, id: id as ToolUseId } };
  });
}
