import { describe, expect, it } from 'vitest';
import type { BlockId, ToolUseId } from '../../src/contextWindow/block';
import type { NewEvent } from '../../src/contextWindow/event';
import { fold } from '../../src/contextWindow/fold';
import { toRequest } from '../../src/contextWindow/request/request';
import {
  dated,
  drawnEvents,
  foldNew,
  passThat,
  promptEvent,
  resultEvent,
  stepEvents,
  evicting,
  usage,
  reply,
} from '../support/drawing';

describe('fold', () => {
  it('B1: evicts a pair together and keeps the text next to it', () => {
    const window = foldNew([
      promptEvent('start'),
      ...stepEvents([{ id: 'tuA', name: 'a.ts', tokens: 1 }]),
      ...stepEvents([{ id: 'tuB', name: 'b.ts', tokens: 1 }]),
      promptEvent('no, use v2'),
      ...stepEvents([{ id: 'tuC', name: 'c.ts', tokens: 1 }]),
      evicting('step-2'),
    ]);
    const drawn = toRequest(window).messages.map(({ role, content }) =>
      [
        role[0],
        ...content.map((part) =>
          part.type === 'text'
            ? part.text.split('\n').length > 1
              ? 'anchor'
              : part.text
            : part.type === 'tool_use'
              ? part.id
              : part.type === 'tool_result'
                ? `r:${part.tool_use_id}`
                : part.type,
        ),
      ].join(' '),
    );
    expect(drawn).toEqual(['u anchor', 'a tuA', 'u r:tuA no, use v2', 'a tuC', 'u r:tuC']);
  });

  it('B2: sends exactly one result for each call, in order, however late one arrives', () => {
    const call = (id: string) => ({ id, name: 'a.ts', tokens: 1 });
    const [asked] = stepEvents([call('tuA'), call('tuB'), call('tuC')]);
    const window = foldNew([
      promptEvent('start'),
      asked!,
      resultEvent('tuA', 'done'),
      {
        ...resultEvent('tuC', 'stopped by the user'),
        isError: true,
        origin: 'stopped',
      } as NewEvent,
      { ...resultEvent('tuB', 'denied'), isError: true, origin: 'denied' } as NewEvent,
      promptEvent('go on'),
      resultEvent('tuC', 'a late result'),
    ]);
    expect(toRequest(window).messages.at(-1)!.content).toMatchObject([
      { type: 'tool_result', tool_use_id: 'tuA', content: 'done' },
      { type: 'tool_result', tool_use_id: 'tuB', content: 'denied', is_error: true },
      { type: 'tool_result', tool_use_id: 'tuC', content: 'stopped by the user', is_error: true },
      { type: 'text', text: 'go on' },
    ]);
  });

  it('B11: never sends an empty text part or an empty message', () => {
    const window = foldNew([
      promptEvent('start'),
      {
        ...reply('', usage(0)),
        parts: [
          { type: 'text', text: ' \n' },
          { type: 'toolUse', use: { id: 'tuA' as ToolUseId, name: 'read_file', input: {} } },
        ],
      } as NewEvent,
      resultEvent('tuA', ''),
      reply('  ', usage(0)),
      promptEvent('next'),
    ]);
    const { messages } = toRequest(window);
    expect(messages.map(({ content }) => content.map(({ type }) => type))).toEqual([
      ['text'],
      ['tool_use'],
      ['tool_result', 'text'],
    ]);
    expect(messages[2]!.content[0]).toMatchObject({ content: '(no output)' });
  });

  it('B9: keeps one label for the anchor in every turn, followed by the verbatim newest prompt', () => {
    const first = foldNew([promptEvent('do X'), reply('X is done', usage(0))]);
    const second = foldNew([
      promptEvent('do X'),
      reply('X is done', usage(0)),
      promptEvent('do Y'),
    ]);
    const [anchor] = toRequest(second).messages;
    expect(anchor!.content[0]).toMatchObject({
      text: (toRequest(first).messages[0]!.content[0] as { text: string }).text,
    });
    expect(JSON.stringify(anchor)).toContain('when this task is already done');
    expect(toRequest(second).messages.at(-1)!.content).toMatchObject([{ text: 'do Y' }]);
  });

  it('treats an unpinned anchor like any other prompt', () => {
    const window = fold(
      dated([
        { type: 'sessionStarted', version: 3, sessionId: 's', pinTaskAnchor: false },
        promptEvent('do X'),
      ]),
    );
    expect(toRequest(window).messages[0]!.content).toMatchObject([{ text: 'do X' }]);
  });

  it('opens with a user message if everything before the first reply is gone', () => {
    const window = foldNew([
      promptEvent('do X'),
      { type: 'blockUnpinned', blockId: 'prompt-1' as BlockId },
      ...stepEvents([{ id: 'tuA', name: 'a.ts', tokens: 1 }]),
      evicting('prompt-1'),
    ]);
    expect(toRequest(window).messages[0]).toMatchObject({
      role: 'user',
      content: [{ text: '[The earlier part of this session has left the context window.]' }],
    });
  });

  it('shows the scratchpad after the anchor following a pass, and never last', () => {
    const notes: NewEvent = {
      type: 'scratchpadUpdated',
      scratchpad: {
        objective: 'fix the sum',
        keyFacts: ['it is off by one'],
        decisions: [],
        currentStep: '',
        blockers: [],
      },
    };
    const before = [...drawnEvents('1 anchor task 1\n1 step a.ts 1\n1 step b.ts 1'), notes];
    expect(JSON.stringify(toRequest(foldNew(before)))).not.toContain('fix the sum');
    const after = toRequest(foldNew([...before, passThat('evict', ['step-1'])]));
    expect(after.messages[1]!.content[0]).toMatchObject({
      text: '[Scratchpad at the last pass]\nObjective: fix the sum\nKey facts:\n- it is off by one',
    });
    const alone = foldNew([
      ...before,
      { type: 'blockUnpinned', blockId: 'prompt-1' as BlockId },
      promptEvent('now'),
      passThat('evict', ['prompt-1', 'step-1', 'step-2']),
    ]);
    expect(toRequest(alone).messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ]);
  });

  it('sets at most three cache breakpoints', () => {
    const window = foldNew([
      { type: 'preambleSet', system: 'You are an agent.', tools: [] },
      ...drawnEvents('1 anchor task 1\n1 step a.ts 1\n1 step b.ts 1\n1 step c.ts 1'),
    ]);
    const marks = JSON.stringify(toRequest(window)).match(/cache_control/g);
    expect(marks).toHaveLength(3);
  });

  it('keeps the scratchpad in place when steps are added after a lone prompt', () => {
    const alone = [
      ...drawnEvents('1 anchor task 1\n1 step a.ts 1'),
      { type: 'blockUnpinned', blockId: 'prompt-1' as BlockId },
      {
        type: 'scratchpadUpdated',
        scratchpad: {
          objective: 'fix it',
          keyFacts: [],
          decisions: [],
          currentStep: '',
          blockers: [],
        },
      },
      promptEvent('now'),
      passThat('evict', ['prompt-1', 'step-1']),
    ] satisfies readonly NewEvent[];
    const texts = (events: readonly NewEvent[]) =>
      toRequest(foldNew(events)).messages.flatMap(({ content }) =>
        content.map((part) => (part.type === 'text' ? part.text : part.type)),
      );
    const later = texts([...alone, ...stepEvents([{ id: 'tuB', name: 'b.ts', tokens: 1 }])]);
    expect(later.slice(0, 4)).toEqual(texts(alone));
  });

  it('restarts the count of step-downs with every prompt', () => {
    const down: NewEvent = {
      type: 'budgetSteppedDown',
      attempt: 3,
      contextWindowTokens: 10,
      inputBudget: 5,
      message: 'too long',
    };
    expect(foldNew([promptEvent('a'), down, promptEvent('b')]).stepDown).toMatchObject({
      attempt: 0,
      inputBudget: 5,
    });
  });

  it('never sends half a surrogate pair, wherever it came from', () => {
    const half = 'a\ud83d b';
    const window = foldNew([
      promptEvent(half),
      {
        ...reply(half, usage(0)),
        parts: [
          { type: 'text', text: half },
          {
            type: 'toolUse',
            use: { id: 'tuA' as ToolUseId, name: 'x', input: { deep: [{ path: half }] } },
          },
        ],
      } as NewEvent,
      resultEvent('tuA', half),
      {
        type: 'scratchpadUpdated',
        scratchpad: { objective: half, keyFacts: [], decisions: [], currentStep: '', blockers: [] },
      },
      promptEvent('next'),
      passThat('clear', []),
    ]);
    const body = JSON.stringify(toRequest(window));
    expect(body).not.toMatch(/\\ud[89a-f]/i);
    expect(body.match(/a\ufffd b/g)).toHaveLength(5);
  });

  it('B11: does not send a blank prompt as an empty text', () => {
    const window = foldNew([promptEvent('start'), promptEvent(' \n')]);
    expect(toRequest(window).messages[0]!.content[1]).toMatchObject({ text: '(empty prompt)' });
  });
});

it('remembers the blocks of a postponed pass, also in a fold of the whole log', () => {
  const events = dated([
    promptEvent('task'),
    { type: 'passPostponed', tokens: 900 },
    ...stepEvents([{ id: 'tool_1', name: 'a.ts', tokens: 30 }], 'Looking.'),
  ]);
  const whole = fold(events);
  expect(whole.postponed?.blocks).toEqual(fold(events.slice(0, 2)).blocks);
  expect(whole.postponed?.blocks).not.toBe(whole.blocks);
});
