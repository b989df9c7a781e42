import type { Admission, BlockId, ToolUseId } from '../../src/contextWindow/block';
import { withInputBudget, type Budget } from '../../src/contextWindow/budget';
import {
  entered,
  type EventOf,
  type NewEvent,
  type SessionEvent,
} from '../../src/contextWindow/event';
import { fold } from '../../src/contextWindow/fold';
import type { ContextWindow } from '../../src/contextWindow/window';
import { EMPTY_SCRATCHPAD } from '../../src/contextWindow/scratchpad';

/** In drawings only middle dots have weight: a text with 40 of them has 40 tokens. */
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

/** A step that reads files: one call for each name, with results of the given tokens. */
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

/** A pass with decisions made by the test. */
export function passThat(action: 'evict' | 'clear', blockIds: readonly string[]): NewEvent {
  return {
    type: 'passApplied',
    pass: {
      number: 1,
      ordinal: 1,
      beforeStep: 1,
      trigger: 'manual',
      policy: 'ladder',
      budget: budgetOf(10_000),
      before: { tokens: 2, exact: false },
      after: { tokens: 1, exact: false },
      target: 1,
      overhead: { summaries: 0, scratchpad: 0, gapLines: 0 },
      summaries: [],
      cache: {
        untouchedTokens: 0,
        rewrittenTokens: 0,
        addedTokens: 0,
        freedTokens: 1,
      },
      decisions: blockIds.map((id) => ({
        blockId: id as BlockId,
        label: id,
        kind: 'step',
        action,
        reason: { rule: 'evictLeastSalient', of: 'olderSteps', relevance: 0.1, lacks: [] },
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
  const last = { turn: 0, step: 0, note: 0 };
  return events.map((event, index) => {
    const whole = entered(event, index, last);
    if (whole.type === 'promptSubmitted') last.turn = whole.turn;
    if (whole.type === 'replyReceived') last.step = whole.step;
    if (whole.type === 'noteAdded' || whole.type === 'scratchpadUpdated')
      last.note = whole.note ?? last.note;
    return whole;
  });
}

/** The tool of a drawn step and its input; `a.ts:3-9` names lines. */
function drawnCall(kind: string, name: string, marks: readonly string[]) {
  const [, path = name, first, last] = /^(.+):(\d+)-(\d*)$/.exec(name) ?? [];
  const lines =
    first === undefined
      ? {}
      : { start_line: Number(first), ...(last ? { end_line: Number(last) } : {}) };
  switch (kind) {
    case 'edit': {
      const [old_text, new_text] = ['one', marks.includes('grows') ? 'one\ntwo' : 'two'];
      return { name: 'edit_file', input: { path: name, old_text, new_text } };
    }
    case 'write':
      return { name: 'create_file', input: { path: name, text: 'new' } };
    case 'run':
      return { name: 'run_command', input: { command: name } };
    case 'search':
      return { name: 'search_text', input: { pattern: name } };
    case 'list':
      return { name: 'list_files', input: { path: name } };
    case 'recall':
      return { name: 'recall', input: name === '-' ? {} : { handle: name } };
    default:
      return { name: 'read_file', input: { path, ...lines } };
  }
}

/** A step of a drawing: an optional thought, then one call with its result. */
function drawnStep(id: string, kind: string, name: string, size: number, marks: readonly string[]) {
  const thought = Number(marks.find((mark) => mark.startsWith('thinks'))?.slice(6) ?? 0);
  const [asked, answered] = stepEvents([{ id, name, tokens: size }]) as readonly [
    EventOf<'replyReceived'>,
    EventOf<'toolFinished'>,
  ];
  const use = { id: id as ToolUseId, ...drawnCall(kind, name, marks) };
  const failed = marks.includes('failed') || marks.includes('denied');
  return [
    {
      ...asked,
      parts: [
        ...(thought > 0
          ? [{ type: 'thinking' as const, thinking: dots(thought), signature: `signed ${id}` }]
          : []),
        { type: 'toolUse' as const, use },
      ],
    },
    {
      ...answered,
      isError: failed,
      origin: marks.includes('denied') ? ('denied' as const) : ('ran' as const),
      ...(marks.includes('cut') ? { admission: CUT } : {}),
    },
  ] satisfies readonly NewEvent[];
}

/** A truncated result, every character of which is shown. */
const CUT: Admission = {
  form: 'truncated',
  headChars: 9_999,
  tailChars: 0,
  tokensBefore: 9_999,
  tokensAfter: 10,
  capTokens: 10,
};

/**
 * Parses a drawing, one block a line: `turn kind name tokens`. Kinds are anchor, prompt, note and
 * reply, or what a step does: step (reads), read, edit, write, run, search, list, recall. Marks
 * follow the tokens: `!` pins the block, `thinks9` gives a step 9 tokens of thinking, `failed`,
 * `denied` and `cut` describe its result, and `grows` makes an edit add lines.
 */
export function drawnEvents(drawing: string): readonly NewEvent[] {
  const started: NewEvent = {
    type: 'sessionStarted',
    version: 3,
    sessionId: 'drawing',
    pinTaskAnchor: true,
  };
  const counts = { prompt: 0, step: 0, note: 0 };
  const blocks = drawing
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .flatMap((line): readonly NewEvent[] => {
      const [turn, kind = '', name = '', size = '0', ...marks] = line.split(/\s+/);
      const tokens = Number(size);
      const what =
        kind === 'anchor' || kind === 'prompt' ? 'prompt' : kind === 'note' ? 'note' : 'step';
      const id = `${what}-${++counts[what]}` as BlockId;
      const pinned: readonly NewEvent[] = marks.includes('!')
        ? [{ type: 'blockPinned', blockId: id }]
        : [];
      if (what === 'prompt') return [promptEvent(name + dots(tokens)), ...pinned];
      if (what === 'note') return [noteEvent(name, dots(tokens)), ...pinned];
      const events =
        kind === 'reply'
          ? stepEvents([], name + dots(tokens))
          : drawnStep(`tool_${turn}_${counts.step}`, kind, name, tokens, marks);
      return [...events, ...pinned];
    });
  return [started, ...blocks];
}

/** A note: the scratchpad for that name, else the project memory of a folder. */
export function noteEvent(name: string, text: string): NewEvent {
  return {
    type: 'noteAdded',
    source: name === 'scratchpad' ? { from: 'scratchpad' } : { from: 'memory', path: name },
    text,
    admission: { form: 'whole' },
  };
}

/** A scratchpad by the agent with this objective. */
export function scratchpadEvent(objective: string, byUser = false): NewEvent {
  return {
    type: 'scratchpadUpdated',
    scratchpad: { ...EMPTY_SCRATCHPAD, objective },
    ...(byUser ? { byUser: true } : {}),
  };
}

export function draw(drawing: string): ContextWindow {
  return foldNew(drawnEvents(drawing));
}

/** A budget in which only input budget and watermarks matter. */
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

/** A pass that evicts blocks. */
export function evicting(...blockIds: string[]): NewEvent {
  return passThat('evict', blockIds);
}

/** Usage as the API reports it. */
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
