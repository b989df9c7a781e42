import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../../src/agent/model';
import { measure } from '../../../../src/contextWindow/account/measure';
import { EMPTY_WINDOW } from '../../../../src/contextWindow/fold';
import { toRequest } from '../../../../src/contextWindow/request/request';
import { requestText, requestView } from '../../../../src/editor/contextPanel/request/derive';
import { POLICY_SETTINGS } from '../../../support/agentSettings';
import { budgetOf, drawnEvents, evicting, foldNew } from '../../../support/drawing';
import { estimate } from '../../../support/player';
import { actions, play } from '../../../support/randomSession';
import { runs } from '../../../support/runs';
import { scriptedAgent, steps } from '../../../support/scriptedAgent';
import { inspecting, lookedAt } from '../support/inspecting';
import type { MessagePart } from '../../../../src/contextWindow/request/blockMessages';

const CACHED = { cache_control: { type: 'ephemeral' } } as const;

const PARTS: readonly MessagePart[] = [
  { type: 'thinking', thinking: 'I think.', signature: 's' },
  { type: 'redacted_thinking', data: 'sealed' },
  { type: 'compaction', content: 'So far.' },
  { type: 'text', text: 'I read.' },
  { type: 'tool_use', id: 't1', name: 'read_file', input: { path: 'a.ts' } },
];
const RESULT: MessagePart = {
  type: 'tool_result',
  tool_use_id: 't1',
  is_error: true,
  content: [
    { type: 'text', text: 'none' },
    {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'x'.repeat(1_234) },
    },
  ],
  ...CACHED,
};
const REQUEST: ModelRequest = {
  model: 'm',
  maxTokens: 9,
  system: [{ type: 'text', text: 'Be good.', ...CACHED }],
  tools: [{ name: 'read_file', description: 'Reads.', input_schema: { type: 'object' } }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
    { role: 'assistant', content: PARTS },
    { role: 'user', content: [RESULT, { type: 'text', text: 'Go on.' }] },
  ],
  contextEdits: [{ type: 'clear_thinking_20251015', keep: 'all' }],
};

describe('a formatted request', () => {
  it('has every part in the order of the prompt-cache prefix, in words', () => {
    const view = requestView(
      { request: REQUEST, notes: ['So it is.'], window: EMPTY_WINDOW },
      4,
      estimate,
    );
    expect(view).toMatchObject({ step: 4, model: 'm', maxTokens: 9, notes: ['So it is.'] });
    expect(view.sections.map(({ title, role }) => [title, role])).toEqual([
      ['Edits requested from the API (context_management)', 'system'],
      ['Tool read_file', 'tool'],
      ['System prompt', 'system'],
      ['Message 1, user', 'user'],
      ['Message 2, assistant', 'assistant'],
      ['Message 3, user', 'user'],
    ]);
    expect(view.sections[4]!.parts).toEqual([
      { title: 'thinking', text: 'I think.' },
      { title: 'thinking, encrypted by the API', text: 'sealed' },
      { title: 'summary by the API', text: 'So far.' },
      { title: 'text', text: 'I read.' },
      { title: 'calls read_file', text: '{\n  "path": "a.ts"\n}' },
    ]);
    expect(view.sections[5]!.parts[0]).toEqual({
      title: 'result of read_file, an error',
      text: 'none\n[image/png, 1,234 characters of base64]',
      breakpoint: true,
    });
    expect(new Set(view.sections.map(({ id }) => id)).size).toBe(view.sections.length);
  });

  it('leaves out a missing system prompt, tools and edits', () => {
    const { contextEdits: _, ...rest } = REQUEST;
    const { sections } = requestView(
      { request: { ...rest, system: [], tools: [] }, notes: [], window: EMPTY_WINDOW },
      'next',
      estimate,
    );
    expect(sections.map(({ id }) => id)).toEqual(['message-1', 'message-2', 'message-3']);
  });

  it('has the full text and every breakpoint of a request that was sent', async () => {
    const agent = scriptedAgent({ script: steps(12, 1_400) });
    await agent.run('look');
    const { inspection } = inspecting(() => lookedAt(agent.session));
    const at = inspection.requestAt(12)!;
    const { sections } = inspection.requestView(12)!;
    const parts = sections.flatMap((section) => section.parts);
    const sent = agent.requests[11]!;
    const breakpoints = JSON.stringify(sent).split('"cache_control"').length - 1;
    expect(parts.filter(({ breakpoint }) => breakpoint === true)).toHaveLength(breakpoints);
    const text = requestText(at);
    for (const { content } of sent.messages) {
      for (const part of content) {
        const said = part.type === 'text' ? part.text : undefined;
        const result = part.type === 'tool_result' ? part.content : undefined;
        const whole = said ?? result;
        if (typeof whole !== 'string') continue;
        expect(parts.map((one) => one.text)).toContain(whole);
        expect(text).toContain(whole);
      }
    }
    for (const { name, description } of sent.tools) {
      expect(text).toContain(`══ Tool ${name}\n\n── description\n${description}`);
    }
    expect(text.startsWith(`model: ${sent.model}\nmax_tokens: ${sent.maxTokens}\n`)).toBe(true);
  });
});

describe('the request of a window that lost whole turns', () => {
  it('shows the gap line in their place, in the view and as text', () => {
    const drawn = [1, 2, 3].map((turn) => `${turn} prompt p${turn} 5\n${turn} reply r${turn} 5`);
    const window = foldNew([...drawnEvents(drawn.join('\n')), evicting('prompt-2', 'step-2')]);
    const { messages, ...rest } = toRequest(window);
    const at = { request: { model: 'm', maxTokens: 9, ...rest, messages }, notes: [], window };
    const shown = requestView(at, 'next', estimate).sections.flatMap(({ parts }) => parts);
    const line = shown.find(({ text }) => text.startsWith('[1 whole turn left'));
    expect(line).toMatchObject({ title: 'text' });
    expect(requestText(at)).toContain(line!.text);
  });
});

describe('the tokens of a formatted request', () => {
  it('add up to the tokens in the window that the panel shows, in any session', () => {
    fc.assert(
      fc.property(actions, (script) => {
        const { window } = play(script, budgetOf(3_000), POLICY_SETTINGS);
        const at = {
          request: { model: 'm', maxTokens: 9, ...toRequest(window) },
          notes: [],
          window,
        };
        const { sections } = requestView(at, 'next', estimate);
        const sum = sections.reduce((all, { tokens = 0 }) => all + tokens, 0);
        expect(sum).toBe(measure(window, estimate).used.tokens);
      }),
      { numRuns: runs(40, 2_000) },
    );
  });

  it('belong to the blocks in each message, which have their names', async () => {
    const agent = scriptedAgent({ script: steps(3, 1_400) });
    await agent.run('look');
    const { inspection } = inspecting(() => lookedAt(agent.session));
    const { sections } = inspection.requestView('next')!;
    const named = sections.filter(({ blocks = [] }) => blocks.length > 0);
    const rows = new Map(inspection.view().blocks.map((block) => [block.id, block] as const));
    for (const { blocks = [] } of named) {
      for (const { id, label } of blocks) expect(rows.get(id)?.label).toBe(label);
    }
    const ids = named.flatMap(({ blocks = [] }) => blocks.map(({ id }) => id));
    expect(new Set(ids)).toEqual(new Set(rows.keys()));
  });
});
