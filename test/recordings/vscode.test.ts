import { describe, expect, it } from 'vitest';
import { drawn, jsonl, refusalOf, transcriptOf } from './support/drawnTranscript';

const call = (id: string) => ({ id, name: 'read_file', arguments: `{"filePath":"${id}.ts"}` });
const round = (id: string, response: string, ...calls: string[]) => ({
  id,
  response,
  toolCalls: calls.map(call),
  timestamp: 2_000,
});
const turn = (text: string, rounds: readonly object[], more: object = {}) => ({
  requestId: text,
  message: { text, parts: [] },
  modelId: 'copilot/claude-sonnet-4.6',
  timestamp: 1_000,
  response: [],
  result: { metadata: { toolCallRounds: rounds, ...more } },
});
const chat = (...requests: object[]) => ({
  version: 3,
  sessionId: 's1',
  responderUsername: 'GitHub Copilot',
  requests,
});
const results = (...ids: string[]) => ({
  toolCallResults: Object.fromEntries(
    ids.map((id) => [id, { content: [{ $mid: 21, value: `text of ${id}` }] }]),
  ),
});

describe('a chat of VS Code', () => {
  it('has the prompts as they were sent, the rounds, and the results of their calls', () => {
    const tree = {
      type: 1,
      children: [
        { type: 2, text: 'first' },
        { type: 1, children: [{ type: 2, text: 'second', lineBreakBefore: true }] },
      ],
    };
    const { toolCallResults } = results('a');
    const one = turn('Go', [round('r1', 'I look.', 'a', 'b'), round('r2', 'Gone.')], {
      renderedUserMessage: [{ type: 1, text: '<context>it rains</context>\nGo' }],
      toolCallResults: { ...toolCallResults, b: { content: [{ value: { node: tree } }] } },
      promptTokens: 9_000,
      outputTokens: 40,
      resolvedModel: 'claude-sonnet-4-6',
    });
    const text = JSON.stringify(chat(one));
    expect(drawn(text)).toEqual([
      'prompt <context>it rains</context>\nGo',
      'reply I look. read_file(a)=text of a read_file(b)=first\nsecond',
      'reply Gone.',
    ]);
    const { format, system, entries } = transcriptOf(text);
    expect([format, system]).toEqual(['vscode-chat', '']);
    expect(entries.map(({ at }) => at)).toEqual([1_000, 2_000, 2_000]);
    expect(entries[1]).not.toHaveProperty('usage');
    expect(entries[2]).toMatchObject({
      model: 'claude-sonnet-4-6',
      usage: { inputTokens: 9_000, outputTokens: 40 },
    });
  });

  it('is the first line of a file with the changes of the lines after it', () => {
    const lines = jsonl(
      { kind: 0, v: chat() },
      { kind: 2, k: ['requests'], v: [turn('One', []), turn('Two', []), turn('Gone', [])] },
      {
        kind: 1,
        k: ['requests', 0, 'result'],
        v: { metadata: { toolCallRounds: [round('r', 'A')] } },
      },
      { kind: 2, k: ['requests'], i: 1, v: [turn('Three', [round('r3', 'C')])] },
      { kind: 2, k: ['requests', 1, 'response'], v: [{ value: 'shown only' }] },
      { kind: 3, k: ['requests', 1, 'vote'] },
      { kind: 1, k: ['customTitle'], v: 'Counting' },
    );
    expect(drawn(lines)).toEqual(['prompt One', 'reply A', 'prompt Three', 'reply C']);
    expect(transcriptOf(lines).notes).toEqual([]);
  });

  it('leaves out a change of what does not exist, and never changes a prototype', () => {
    const lines = jsonl(
      { kind: 0, v: chat(turn('Go', [round('r', 'Gone.')])) },
      { kind: 1, k: ['requests', 4, 'result'], v: {} },
      { kind: 1, k: ['__proto__', 'polluted'], v: true },
      { kind: 1, k: ['requests', 0, '__proto__'], v: { polluted: true } },
    );
    expect(drawn(lines)).toEqual(['prompt Go', 'reply Gone.']);
    expect(transcriptOf(lines).notes).toEqual([
      'Line 2 left out; it cannot be read: it changes a part of the chat that does not exist.',
      'Line 3 left out; it cannot be read: it changes a part of the chat that does not exist.',
    ]);
    expect({}).not.toHaveProperty('polluted');
  });

  it('takes no part of the language for a result, and no fraction for a place', () => {
    const lines = jsonl(
      { kind: 0, v: chat(turn('Go', [round('r', 'Gone.', 'toString')])) },
      { kind: 2, k: ['requests'], i: 0.5, v: [] },
    );
    expect(drawn(lines)).toEqual(['prompt Go', 'reply Gone. read_file(toString)?']);
  });

  it('refuses changes without the chat they change', () => {
    const lines = jsonl(
      { kind: 0, v: { requests: {} } },
      { kind: 1, k: ['customTitle'], v: 'Counting' },
    );
    expect(refusalOf(lines, 'vscode-chat')).toBe(
      'session cannot be read: it holds no chat. Give the file that VS Code wrote, from its first line on.',
    );
  });

  it('has what the user was shown of a turn that has not ended', () => {
    const { result: _result, ...open } = turn('Go', []);
    const response = [
      { kind: 'thinking', value: 'Hm.' },
      { value: 'I begin, ' },
      { kind: 'inlineReference', name: 'a.ts' },
      { value: 'and go on.' },
    ];
    const text = JSON.stringify(chat({ ...open, response }));
    expect(drawn(text)).toEqual(['prompt Go', 'reply I begin, and go on.']);
  });

  it('has the summary after the round up to which it stands for everything', () => {
    const first = turn('One', [round('r1', 'A', 'a'), round('r2', 'B')], results('a'));
    const second = turn('Two', [round('r3', 'C')], {
      summaries: [
        { toolCallRoundId: 'r1', text: 'Until A.' },
        { toolCallRoundId: 'gone', text: 'Of a round that is not there.' },
      ],
    });
    expect(drawn(JSON.stringify(chat(first, second)))).toEqual([
      'prompt One',
      'reply A read_file(a)=text of a',
      'compacted Until A.',
      'reply B',
      'prompt Two',
      'reply C',
    ]);
  });

  it('omits a turn that the user has undone', () => {
    const undone = { ...turn('Two', [round('r2', 'B')]), shouldBeRemovedOnSend: {} };
    const text = JSON.stringify(chat(turn('One', [round('r1', 'A')]), undone));
    expect(drawn(text)).toEqual(['prompt One', 'reply A']);
    expect(transcriptOf(text).notes).toEqual(['1 entry of abandoned branches skipped.']);
  });
});

const says = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] });
const reads = (id: string) => ({
  role: 'assistant',
  parts: [{ type: 'tool_call', id, name: 'read_file', arguments: { path: `${id}.ts` } }],
});
const came = (id: string) => ({
  role: 'user',
  parts: [{ type: 'tool_call_response', id, response: [{ type: 'text', text: `text of ${id}` }] }],
});
const entry = (type: string, attrs: object, ts = 5_000) => ({
  ts,
  dur: 100,
  sid: 's1',
  type,
  name: type,
  spanId: 'x',
  status: 'ok',
  attrs,
});
const asks = (inputTokens: number, ...messages: object[]) =>
  entry('llm_request', {
    model: 'claude-sonnet-4.6',
    inputTokens,
    outputTokens: 10,
    cachedTokens: 100,
    inputMessages: JSON.stringify(messages),
    systemPromptFile: 'system_prompt_1.json',
    toolsFile: 'tools_0.json',
  });
const answers = (...messages: object[]) =>
  entry('agent_response', { response: JSON.stringify(messages) });
const usage = (inputTokens: number) => ({
  inputTokens: inputTokens - 100,
  cacheReadTokens: 100,
  cacheCreationTokens: 0,
  outputTokens: 10,
});

const START = entry('session_start', { copilotVersion: '1', vscodeVersion: '1' });
const GO = says('user', 'Go');
const SYSTEM = {
  type: 'file',
  name: 'system_prompt_1.json',
  content: '[{"type":"text","content":"You are an agent."}]',
};
const TOOLS = {
  type: 'file',
  name: 'tools_0.json',
  content: JSON.stringify([
    { type: 'function', name: 'read_file', description: 'Reads.', parameters: { type: 'object' } },
  ]),
};

describe("a debug log of VS Code's agent", () => {
  it('has system prompt, tools, and each reply with the usage of its request', () => {
    const lines = jsonl(
      START,
      entry('user_message', { content: 'Go' }),
      asks(1_000, GO),
      answers(reads('a')),
      entry('tool_call', { args: '{}', result: 'cut…' }),
      asks(2_000, GO, reads('a'), came('a')),
      answers(says('assistant', 'Gone.')),
      SYSTEM,
      TOOLS,
    );
    expect(drawn(lines)).toEqual(['prompt Go', 'reply read_file(a)=text of a', 'reply Gone.']);
    const { format, system, tools, entries } = transcriptOf(lines);
    expect([format, system]).toEqual(['vscode-debug-log', 'You are an agent.']);
    expect(tools).toEqual([
      { name: 'read_file', description: 'Reads.', inputSchema: { type: 'object' } },
    ]);
    expect(entries.slice(1)).toMatchObject([
      { usage: usage(1_000), at: 5_100, model: 'claude-sonnet-4.6' },
      { usage: usage(2_000), at: 5_100 },
    ]);
  });

  it('leaves out a request that is nested more deeply than any', () => {
    const deep = `[{"role":"user","parts":[{"type":"text","x":${'['.repeat(9_000)}${']'.repeat(9_000)}}]}]`;
    const lines = jsonl(
      START,
      asks(1_000, GO),
      answers(says('assistant', 'Gone.')),
      entry('llm_request', { inputMessages: deep }),
    );
    expect(drawn(lines)).toEqual(['prompt Go', 'reply Gone.']);
    expect(transcriptOf(lines).notes).toEqual([
      'Line 4 left out; it cannot be read: its messages are not in a known form.',
    ]);
  });

  it('takes a reply that was cut from the next request', () => {
    const cut = entry('agent_response', { response: '[{"role":"assistant","parts":[{"ty' });
    const lines = jsonl(START, asks(1_000, GO), cut, asks(2_000, GO, reads('a'), came('a')), cut);
    expect(drawn(lines)).toEqual(['prompt Go', 'reply read_file(a)=text of a']);
    const [, reply] = transcriptOf(lines).entries;
    expect(reply).toMatchObject({ usage: usage(1_000), otherCharges: [{ usage: usage(2_000) }] });
  });

  it('takes a prompt that is written in another way later for the same one', () => {
    const newest = says('user', '<reminder/>\nGo');
    const lines = jsonl(
      START,
      asks(1_000, newest),
      asks(2_000, GO, reads('a'), came('a')),
      answers(says('assistant', 'Gone.')),
    );
    expect(drawn(lines)).toEqual([
      'prompt <reminder/>\nGo',
      'reply read_file(a)=text of a',
      'reply Gone.',
    ]);
  });

  it('has a compaction where a summary stands for earlier messages, with what stayed', () => {
    const summary = says('user', '<conversation-summary>\nUntil a.\n</conversation-summary>');
    const lines = jsonl(
      START,
      asks(1_000, GO),
      asks(2_000, GO, reads('a'), came('a')),
      answers(reads('b')),
      asks(700, GO, summary, reads('b'), came('b')),
      answers(says('assistant', 'Gone.')),
    );
    expect(drawn(lines)).toEqual([
      'prompt Go',
      'reply read_file(a)=text of a',
      'reply read_file(b)=text of b',
      'compacted Until a. keeping 0 2',
      'reply Gone.',
    ]);
    const { entries } = transcriptOf(lines);
    expect(entries[3]).toMatchObject({ kept: [0, 2] });
    expect(entries[4]).toMatchObject({ usage: usage(700) });
  });

  it('goes back where the user did, and counts the charges of undone replies', () => {
    const lines = jsonl(
      START,
      asks(1_000, GO),
      asks(2_000, GO, reads('a'), came('a')),
      answers(says('assistant', 'Gone.')),
      asks(1_500, GO, reads('a'), came('a'), says('assistant', 'Gone.'), says('user', 'More')),
      asks(1_400, GO, reads('a'), came('a'), says('assistant', 'Gone.'), says('user', 'Less')),
      answers(says('assistant', 'Done.')),
    );
    expect(drawn(lines)).toEqual([
      'prompt Go',
      'reply read_file(a)=text of a',
      'reply Gone.',
      'prompt Less',
      'reply Done.',
    ]);
    const { entries } = transcriptOf(lines);
    expect(entries[4]).toMatchObject({
      usage: usage(1_400),
      otherCharges: [{ usage: usage(1_500) }],
    });
  });

  it('skips a request of another conversation, and takes a later one that goes on from it', () => {
    const title = [says('user', 'Write a title.')];
    const start = jsonl(
      START,
      asks(1_000, GO),
      asks(300, ...title),
      asks(2_000, GO, reads('a'), came('a')),
    );
    expect(drawn(start)).toEqual(['prompt Go', 'reply read_file(a)=text of a']);
    expect(transcriptOf(start).notes).toContain(
      '1 request of other conversations skipped: the last one is shown.',
    );
    const again = [says('user', 'Again'), reads('c'), came('c')];
    const lines = jsonl(START, asks(1_000, GO), asks(300, again[0]!), asks(600, ...again));
    expect(drawn(lines)).toEqual(['prompt Again', 'reply read_file(c)=text of c']);
  });
});
