import type { ResultOrigin, ToolUseId } from '../contextWindow/block';
import type { EventOf, SessionEvent, TurnOutcome, WindowEvent } from '../contextWindow/event';
import type { ContextWindow } from '../contextWindow/window';
import {
  answerSignals,
  idOf,
  metric,
  passSignals,
  type Signal,
  type SignalledSession,
  toolSignals,
  traceOf,
  turnSignals,
} from './signal';

interface RunningTurn {
  readonly number: number;
  readonly start: number;
  answers: number;
  calls: number;
  model: string;
}

/** Turns the events of a Plimsoll session into signals, as they come. */
export class OwnSignals {
  readonly #session: SignalledSession;
  readonly #tools = new Map<ToolUseId, string>();
  #turn: RunningTurn | undefined;
  #neededAgain = 0;

  constructor(conversationId: string, version: string) {
    this.#session = { conversationId: idOf(32, conversationId), agent: 'plimsoll', version };
  }

  /** Takes what happened before: nothing of it is sent, and the running turn is known. */
  begin(events: readonly SessionEvent[], window: ContextWindow): void {
    const from = events.findLastIndex(({ type }) => type === 'promptSubmitted');
    for (const event of events.slice(Math.max(0, from))) this.take(event);
    this.#lastTurn = window.turn;
    this.#isCompacted = [...window.ledger].some(({ pass }) => pass.summaries.length > 0);
    this.#neededAgain = window.refaults.length;
  }

  /** The signals of an event; `window` is the window after it, if it matters what was needed again. */
  take(event: SessionEvent, window?: ContextWindow): readonly Signal[] {
    if (event.type === 'subAgentEvent') return this.#takeWithin(event.event, event.toolUseId);
    return [...this.#takeWithin(event), ...(window === undefined ? [] : this.#refaults(window))];
  }

  #takeWithin(event: WindowEvent, subAgent?: ToolUseId): readonly Signal[] {
    const isOwn = subAgent === undefined;
    switch (event.type) {
      case 'promptSubmitted':
        if (isOwn) this.#begin(event.turn, event.at);
        return [];
      case 'turnContinued':
        if (isOwn) this.#begin(this.#turn?.number ?? this.#lastTurn, event.at);
        return [];
      case 'replyReceived':
        return this.#reply(event, subAgent);
      case 'modelAsked':
        return this.#asked(event, subAgent);
      case 'toolFinished':
        return this.#tool(event, subAgent);
      case 'passApplied':
        return this.#pass(event, subAgent);
      case 'windowCounted':
        return [metric('plimsoll.counts', 1, { 'plimsoll.count.source': event.source })];
      case 'countFailed':
        return [metric('plimsoll.counts', 1, { 'error.type': 'count_failed' })];
      case 'turnEnded':
        return isOwn ? this.#end(event.outcome, event.at) : [];
      default:
        return [];
    }
  }

  #lastTurn = 0;

  #begin(number: number, start: number): void {
    this.#lastTurn = number;
    this.#turn = { number, start, answers: 0, calls: 0, model: '' };
  }

  #end(outcome: TurnOutcome, end: number): readonly Signal[] {
    const turn = this.#turn;
    if (turn === undefined) return [];
    this.#turn = undefined;
    const error = outcome.type === 'finished' ? undefined : outcome.type;
    return turnSignals(this.#session, { ...turn, end, isTimed: true, error });
  }

  #reply(event: EventOf<'replyReceived'>, subAgent?: ToolUseId): readonly Signal[] {
    const { at, step, model, parts, usage, durationMs, firstTokenMs, maxTokens, budget } = event;
    for (const part of parts) {
      if (part.type === 'toolUse') this.#tools.set(part.use.id, part.use.name);
    }
    if (this.#turn !== undefined) {
      this.#turn.answers += 1;
      if (subAgent === undefined) this.#turn.model = model;
    }
    return answerSignals(this.#named(subAgent), this.#place(subAgent, 'step', step), {
      model,
      usage,
      start: at - durationMs,
      end: at,
      isTimed: true,
      attributes: {
        'gen_ai.request.stream': true,
        'gen_ai.response.finish_reasons': [event.stopReason],
        'plimsoll.step': step,
        ...(firstTokenMs === undefined
          ? {}
          : { 'gen_ai.response.time_to_first_chunk': firstTokenMs / 1_000 }),
        ...(maxTokens === undefined ? {} : { 'gen_ai.request.max_tokens': maxTokens }),
        ...(budget === undefined ? {} : { 'plimsoll.input_budget': budget.inputBudget }),
        ...(this.#isCompacted && subAgent === undefined
          ? { 'gen_ai.conversation.compacted': true }
          : {}),
      },
    });
  }

  #isCompacted = false;
  #asks = 0;

  #asked(event: EventOf<'modelAsked'>, subAgent?: ToolUseId): readonly Signal[] {
    const { at, model, usage, purpose } = event;
    this.#asks += 1;
    return answerSignals(
      this.#named(subAgent),
      this.#place(subAgent, 'ask', `${at} ${this.#asks}`),
      {
        model,
        usage,
        start: at,
        end: at,
        isTimed: false,
        attributes: { 'plimsoll.ask.purpose': purpose },
      },
    );
  }

  #tool(event: EventOf<'toolFinished'>, subAgent?: ToolUseId): readonly Signal[] {
    const { at, toolUseId, durationMs, origin, isError } = event;
    const name = this.#tools.get(toolUseId) ?? '_OTHER';
    this.#tools.delete(toolUseId);
    if (this.#turn !== undefined && subAgent === undefined) this.#turn.calls += 1;
    return toolSignals(this.#named(subAgent), this.#place(subAgent, 'call', toolUseId), {
      name,
      callId: toolUseId,
      start: at - durationMs,
      end: at,
      isTimed: origin === 'ran',
      error: errorOf(origin, isError),
    });
  }

  #pass({ at, pass }: EventOf<'passApplied'>, subAgent?: ToolUseId): readonly Signal[] {
    const { number, trigger, policy, before, after, decisions, summaries } = pass;
    if (summaries.length > 0 && subAgent === undefined) this.#isCompacted = true;
    return passSignals(this.#named(subAgent), this.#place(subAgent, 'pass', number), {
      at,
      attributes: {
        'plimsoll.pass.number': number,
        'plimsoll.pass.trigger': trigger,
        'plimsoll.pass.policy': policy,
        'plimsoll.pass.tokens_before': before.tokens,
        'plimsoll.pass.tokens_after': after.tokens,
        'plimsoll.pass.blocks_removed': decisions.filter(({ action }) => action !== 'keep').length,
        'plimsoll.pass.summaries': summaries.length,
      },
    });
  }

  #refaults({ refaults }: ContextWindow): readonly Signal[] {
    const added = refaults.length - this.#neededAgain;
    this.#neededAgain = refaults.length;
    return added <= 0
      ? []
      : [metric('plimsoll.needed_again', added, { 'gen_ai.agent.name': this.#session.agent })];
  }

  #named(subAgent: ToolUseId | undefined): SignalledSession {
    return subAgent === undefined ? this.#session : { ...this.#session, agent: SUB_AGENT };
  }

  #place(subAgent: ToolUseId | undefined, kind: string, name: string | number) {
    const { traceId, spanId } = traceOf(this.#session, this.#turn?.number ?? this.#lastTurn);
    const own = idOf(16, this.#session.conversationId, subAgent ?? '', kind, name);
    return { traceId, spanId: own, parentId: spanId };
  }
}

/** The name of every sub-agent: its own name may be a text of the user. */
const SUB_AGENT = 'plimsoll sub-agent';

function errorOf(origin: ResultOrigin, isError: boolean): string | undefined {
  if (origin !== 'ran') return origin;
  return isError ? 'tool_error' : undefined;
}
