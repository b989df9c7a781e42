import { describe, expect, it } from 'vitest';
import { drawn, refusalOf, transcriptOf } from './support/drawnTranscript';

const call = (id: string, args: unknown) => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: args },
});
const log = (messages: readonly unknown[], message: object, usage?: object) => ({
  messages,
  tools: [
    {
      type: 'function',
      function: { name: 'read', description: 'Reads', parameters: { type: 'object' } },
    },
    { type: 'function', function: { name: 'finish' } },
  ],
  response: { model: 'proxy/claude-x', choices: [{ message }], usage },
});

describe('an OpenHands log', () => {
  it('is read from the request, with the response as the last reply', () => {
    const { entries, ...rest } = transcriptOf(
      log(
        [
          { role: 'system', content: [{ type: 'text', text: 'You are OpenHands.' }] },
          { role: 'user', content: [{ type: 'text', text: 'Go' }] },
          { role: 'assistant', content: null, tool_calls: [call('t1', '{"path":"a"}')] },
          { role: 'tool', tool_call_id: 't1', content: [{ type: 'text', text: 'A' }] },
        ],
        {
          role: 'assistant',
          content: 'Done.',
          thinking_blocks: [{ type: 'thinking', thinking: 'Hm' }],
        },
        {
          prompt_tokens: 100,
          completion_tokens: 7,
          cache_creation_input_tokens: 10,
          prompt_tokens_details: { cached_tokens: 60 },
        },
      ),
    );
    expect(rest).toEqual({
      format: 'openhands',
      system: 'You are OpenHands.',
      tools: [
        { name: 'read', description: 'Reads', inputSchema: { type: 'object' } },
        { name: 'finish', description: '', inputSchema: { type: 'object', properties: {} } },
      ],
      notes: ['1 thinking block skipped: thinking is signed for the server that wrote it.'],
    });
    expect(entries).toEqual([
      { type: 'prompt', text: 'Go' },
      {
        type: 'reply',
        model: 'proxy/claude-x',
        parts: [{ type: 'toolUse', use: { id: 't1', name: 'read', input: { path: 'a' } } }],
        results: [{ toolUseId: 't1', text: 'A', isError: false, origin: 'ran' }],
      },
      {
        type: 'reply',
        model: 'proxy/claude-x',
        parts: [{ type: 'text', text: 'Done.' }],
        results: [],
        usage: { inputTokens: 30, cacheCreationTokens: 10, cacheReadTokens: 60, outputTokens: 7 },
      },
    ]);
  });

  it('has the price of its response', () => {
    const reply = { role: 'assistant', content: 'Done.' };
    const recording = log([{ role: 'user', content: 'Go' }], reply, { prompt_tokens: 100 });
    expect(transcriptOf({ ...recording, cost: 0.25 }).entries[1]).toMatchObject({ usd: 0.25 });
  });

  it('keeps arguments that are not a JSON object, and says so', () => {
    const recording = log([{ role: 'user', content: 'Go' }], {
      role: 'assistant',
      content: '',
      tool_calls: [call('t1', '{"path":'), call('t2', ''), call('t3', '[1]')],
    });
    const { entries, notes } = transcriptOf(recording);
    expect(entries[1]).toMatchObject({
      parts: [
        { use: { input: { arguments: '{"path":' } } },
        { use: { input: {} } },
        { use: { input: { arguments: '[1]' } } },
      ],
    });
    expect(notes).toContain(
      'The arguments of 2 calls are not a JSON object; they are shown as text.',
    );
  });

  it('has images given as data, and says when one is stored elsewhere', () => {
    const image = (url: string) => ({ type: 'image_url', image_url: { url } });
    const recording = log(
      [
        {
          role: 'user',
          content: [image('data:image/jpeg;base64,AAAA'), image('https://example.com/a.png')],
        },
        { role: 'system', content: 'A hint' },
      ],
      { role: 'assistant', content: 'A cat.' },
    );
    expect(drawn(recording)).toEqual(['prompt  [image image/jpeg 4]', 'reply A cat.']);
    expect(transcriptOf(recording).notes).toEqual([
      '1 image or document outside the file skipped.',
      '1 system message after the first prompt skipped.',
    ]);
  });

  it('names the field that has another shape', () => {
    expect(refusalOf('{"messages":[]}', 'openhands')).toMatch(
      /line 1, as an openhands recording: response: /,
    );
  });

  it('has the window of its model if it was logged', () => {
    const one = log([{ role: 'user', content: 'Go' }], { role: 'assistant', content: 'Gone.' });
    expect(transcriptOf({ ...one, context_window: 200_000 }).windowTokens).toBe(200_000);
    expect(transcriptOf(one)).not.toHaveProperty('windowTokens');
  });
});

describe('a trajectory of mini-swe-agent', () => {
  const trajectory = (version: string, ...messages: readonly object[]) => ({
    trajectory_format: `mini-swe-agent-${version}`,
    info: { exit_status: 'Submitted' },
    messages: [{ role: 'system', content: 'You help.' }, ...messages],
  });

  it('has the system prompt, and each call with its result, model, usage, price and time', () => {
    const usage = { prompt_tokens: 100, completion_tokens: 5 };
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'bash', arguments: '{"command":"ls"}' },
    };
    const recorded = trajectory(
      '1.1',
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [call],
        extra: { response: { model: 'deepseek', usage }, cost: 0.5, timestamp: 1_800_000_000.5 },
      },
      { role: 'tool', tool_call_id: 'c1', content: '1', extra: { returncode: 1 } },
      { role: 'assistant', content: 'Done.', extra: {} },
      { role: 'exit', content: '', extra: { exit_status: 'Submitted' } },
    );
    expect(drawn(recorded)).toEqual(['prompt Go.', 'reply I look. bash(c1)!1', 'reply Done.']);
    const { system, entries, format } = transcriptOf(recorded);
    expect([system, format]).toEqual(['You help.', 'mini-swe-agent']);
    expect(entries[1]).toMatchObject({
      model: 'deepseek',
      usd: 0.5,
      at: 1_800_000_000_500,
      usage: { inputTokens: 100, outputTokens: 5 },
    });
  });

  it('of version 1 has its commands and results as text', () => {
    const recorded = trajectory(
      '1',
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: '```bash\nls\n```' },
      { role: 'user', content: '<output>a</output>' },
      { role: 'assistant', content: 'Done.' },
    );
    expect(drawn(recorded)).toHaveLength(4);
    expect(transcriptOf(recorded).notes).toEqual([
      'Its tool calls are plain text, so every result is shown as a prompt.',
    ]);
  });
});
