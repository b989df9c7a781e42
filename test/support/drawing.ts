import type { BlockId, ToolUseId } from '../../src/contextWindow/block';
import { withInputBudget, type Budget } from '../../src/contextWindow/budget';
import { entered, type NewEvent, type SessionEvent } from '../../src/contextWindow/event';
import { fold } from '../../src/contextWindow/fold';
import type { ContextWindow } from '../../src/contextWindow/contextWindow';

/** In drawings only middle dots weigh anything: a text with 40 of them is 40 tokens. */
export function countDots(text: string): number {
  return text.split('·').length - 1;
}

export function dots(tokens: number): string {
  return '·'.repeat(tokens);
}

const NO_USAGE = { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 };

export function promptEvent(text: string): NewEvent {
  return { type: 'promptSubmitted', text, admission: { form: 'whole' } };
}

/** A step that reads files: one call a name, with results of the given tokens. */
export function stepEvents(
  calls: readonly { readonly id: string; readonly name: string; readonly tokens: number }[],
  text = '',
): readonly NewEvent[] {
  return [
    {
      type: 'replyReceived',
      model: 'test',
      parts: [
        ...(text === '' ? [] : [{ type: 'text' as const, text }]),
        ...calls.map(({ id, name }) => ({
          type: 'toolUse' as const,
          use: { id: id as ToolUseId, name: 'read_file', input: { path: name } },
        })),
      ],
      stopReason: calls.length > 0 ? 'tool_use' : 'end_turn',
      usage: NO_USAGE,
      durationMs: 1,
    },
    ...calls.map(({ id, tokens }) => resultEvent(id, dots(tokens))),
  ];
}

export function resultEvent(id: string, text: string): NewEvent {
  return {
    type: 'toolFinished',
    toolUseId: id as ToolUseId,
    text,
    isError: false,
    origin: 'ran',
    durationMs: 1,
    admission: { form: 'whole' },
  };
}

/** A pass that a test decided on. */
export function passThat(action: 'evict' | 'clear', blockIds: readonly string[]): NewEvent {
  return {
    type: 'passApplied',
    pass: {
      number: 1,
      beforeStep: 1,
      trigger: 'manual',
      policy: 'ladder',
      budget: {} as never,
      before: { tokens: 2, exact: false },
      after: { tokens: 1, exact: false },
      target: 1,
      summaries: [],
      rungs: [],
      cache: { rewrittenTokens: 0, freedTokens: 1, breakEvenRequests: 0 },
      decisions: blockIds.map((id) => ({
        blockId: id as BlockId,
        label: id,
        kind: 'step',
        action,
        rule: 'evictLeastSalient',
        reason: 'a test took it out',
        before: { tokens: 1, exact: false },
        after: { tokens: 0, exact: true },
      })),
    },
  };
}

/** Dates the events and folds them. */
export function foldNew(events: readonly NewEvent[]): ContextWindow {
  return fold(dated(events));
}

export function dated(events: readonly NewEvent[]): readonly SessionEvent[] {
  const last = { turn: 0, step: 0 };
  return events.map((event, index) => {
    const whole = entered(event, index, last);
    if (whole.type === 'promptSubmitted') last.turn = whole.turn;
    if (whole.type === 'replyReceived') last.step = whole.step;
    return whole;
  });
}

/**
 * Reads a drawing, one block a line: `turn kind name tokens`, kind one of anchor, prompt, step,
 * reply; `!` behind the tokens pins the block.
 */
export function drawnEvents(drawing: string): readonly NewEvent[] {
  const started: NewEvent = {
    type: 'sessionStarted',
    version: 2,
    sessionId: 'drawing',
    pinTaskAnchor: true,
  };
  let steps = 0;
  const blocks = drawing
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .flatMap((line): readonly NewEvent[] => {
      const [turn, kind, name = '', size = '0', pin] = line.split(/\s+/);
      const tokens = Number(size);
      if (kind === 'anchor' || kind === 'prompt') return [promptEvent(name + dots(tokens))];
      steps += 1;
      const pinned: readonly NewEvent[] =
        pin === '!' ? [{ type: 'blockPinned', blockId: `step-${steps}` as BlockId }] : [];
      const events =
        kind === 'reply'
          ? stepEvents([], name + dots(tokens))
          : stepEvents([{ id: `tool_${turn}_${steps}`, name, tokens }]);
      return [...events, ...pinned];
    });
  return [started, ...blocks];
}

export function draw(drawing: string): ContextWindow {
  return foldNew(drawnEvents(drawing));
}

/** A budget of which only the input budget and the watermarks matter. */
export function budgetOf(inputBudget: number, high = 0.8, low = 0.5): Budget {
  return withInputBudget(
    {
      contextWindowTokens: inputBudget + 3,
      maxReplyTokens: 1,
      safetyHeadroomTokens: 1,
      toolResultHeadroomTokens: 1,
      highWatermark: high,
      lowWatermark: low,
    },
    inputBudget,
  );
}

/** A pass that takes blocks out. */
export function evicting(...blockIds: string[]): NewEvent {
  return passThat('evict', blockIds);
}

/** What the API reports, tokens. */
export function usage(inputTokens: number, rest = {}) {
  return { inputTokens, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 7, ...rest };
}

/** A reply that calls no tool. */
export function reply(text: string, used: ReturnType<typeof usage>): NewEvent {
  return {
    type: 'replyReceived',
    model: 'test',
    parts: [{ type: 'text', text }],
    stopReason: 'end_turn',
    usage: used,
    durationMs: 1,
  };
}
