import { describe, expect, it } from 'vitest';
import {
  capturedText,
  capturedView,
  comparedText,
  readTexts,
} from '../../../../src/editor/contextPanel/request/capturedView';
import { bodyOf } from '../../../../src/recordings/captures/capturedBody';
import type { Usage } from '../../../../src/contextWindow/account/spending';
import type { Estimate } from '../../../../src/contextWindow/truncate';
import { EXCHANGES, requestBody } from '../../../recordings/captures/support/recordedRequests';

const letters = ((text: string) => text.length) as Estimate;

const usage = (cacheReadTokens: number, inputTokens = 0): Usage => ({
  inputTokens,
  cacheCreationTokens: 10,
  cacheReadTokens,
  outputTokens: 7,
});

const call = (counted?: Usage) => ({
  model: 'claude-sonnet-4-5',
  request: { file: '/captures/1.request.json' },
  before: [],
  ...(counted === undefined ? {} : { usage: counted }),
});

const body = (number = 3) => bodyOf(requestBody(EXCHANGES[number - 1]!));

const viewOf = (counted: Usage | undefined, number = 3) =>
  capturedView(call(counted), body(number), 2, letters);

const sumOf = ({ sections }: ReturnType<typeof viewOf>) =>
  sections.reduce((sum, { tokens = 0 }) => sum + tokens, 0);

const LETTERS = readTexts(body()).join('').length;

describe('the request of an agent as it was recorded', () => {
  it("says what a debug log of VS Code's agent leaves out", () => {
    const request = { file: '/debug-logs/s1/main.jsonl', bytes: { start: 0, length: 9 } };
    const { notes } = capturedView({ ...call(usage(0)), request }, body(), 2, letters);
    expect(notes).toEqual(["VS Code's debug log has its texts, but not its cache breakpoints."]);
  });

  it('shows each tool, each part of the system prompt and each message, in their order', () => {
    const { sections, maxTokens, reasoning, notes } = viewOf(usage(0));
    expect(sections.map(({ title }) => title)).toEqual([
      'Tool Bash',
      'Tool Read',
      'System prompt, part 1',
      'System prompt, part 2',
      'Message 1, user',
      'Message 2, assistant',
      'Message 3, user',
    ]);
    expect(sections.slice(-2).flatMap(({ parts }) => parts.map(({ title }) => title))).toEqual([
      'text',
      'calls Read',
      'result of Read',
    ]);
    expect([maxTokens, reasoning, notes]).toEqual([
      32_000,
      ['thinking: enabled (budget_tokens: 31999)'],
      [],
    ]);
  });

  it('marks cache breakpoints, also on a part of the system prompt', () => {
    const marked = ({ sections }: ReturnType<typeof viewOf>) =>
      sections
        .filter(({ parts }) => parts.some(({ breakpoint }) => breakpoint))
        .map(({ id }) => id);
    expect(marked(viewOf(usage(0)))).toEqual(['system-2']);
    expect(marked(viewOf(usage(0), 1))).toEqual(['system-2', 'message-1']);
  });

  it.each([
    ['more than the texts explain', LETTERS + 100, 110],
    ['exactly what the texts explain', LETTERS - 10, 0],
    ['less than the texts explain', LETTERS - 200, 0],
  ])('adds up to what its server counted if that is %s', (_, read, unattributed) => {
    const view = viewOf(usage(read));
    expect(view.captured).toMatchObject({ total: read + 10, unattributed, reply: 7 });
    expect(sumOf(view) + unattributed).toBe(read + 10);
  });

  it('says where the tokens read from the cache end', () => {
    const { sections } = viewOf(undefined);
    const tools = sections.slice(0, 2).reduce((sum, { tokens = 0 }) => sum + tokens, 0);
    const rest = LETTERS - 10 - tools;
    expect(viewOf(usage(tools, rest)).captured?.cacheEnd).toBe('tool-2');
    expect(viewOf(usage(tools + 1, rest - 1)).captured?.cacheEnd).toBe('system-1');
    expect(viewOf(usage(LETTERS - 10)).captured?.cacheEnd).toBe('message-2');
    expect(viewOf(usage(0)).captured).not.toHaveProperty('cacheEnd');
  });

  it('has estimates alone if no response was recorded', () => {
    expect(viewOf(undefined).captured).not.toHaveProperty('total');
    expect(sumOf(viewOf(undefined))).toBe(LETTERS);
  });

  it('has the same text for both forms of a message, and wherever the cache marks are', () => {
    const message = (content: unknown) => bodyOf({ messages: [{ role: 'user', content }] });
    const plain = message('Mend it.');
    const marked = message([
      { type: 'text', text: 'Mend it.', cache_control: { type: 'ephemeral' } },
    ]);
    expect(comparedText(call(), marked)).toBe(comparedText(call(), plain));
    expect(capturedText(call(), marked)).toContain('prompt-cache breakpoint after it');
    const chained = (id: string) =>
      bodyOf({ system: [{ type: 'text', text: `cc_prev_req=${id}; cc_version=2` }], messages: [] });
    expect(comparedText(call(), chained('req_1'))).toBe(comparedText(call(), chained('req_2')));
    expect(comparedText(call(), chained('req_1'))).toContain('cc_version=2');
  });

  it('shows whatever it holds, of any form', () => {
    const odd = bodyOf({
      tools: [null, { type: 'web_search', name: 'web_search' }, { function: { name: 'f' } }],
      system: 'Short.',
      messages: [
        7,
        {
          role: 'user',
          content: [{ type: 'image', source: { media_type: 'image/png', data: 'AA' } }],
        },
        {
          role: 'assistant',
          content: [{ type: 'redacted_thinking', data: 'xx' }, { type: 'new' }],
        },
      ],
    });
    expect(
      odd.sections.map(({ title, parts }) => [title, ...parts.map((part) => part.title)]),
    ).toEqual([
      ['Tool ', 'definition'],
      ['Tool web_search', 'definition'],
      ['Tool f', 'definition'],
      ['System prompt', 'text'],
      ['Message 1, user', 'image'],
      ['Message 2, assistant', 'thinking, encrypted by the API', 'new'],
    ]);
    expect(readTexts(odd).at(4)).toBe('');
  });
});
