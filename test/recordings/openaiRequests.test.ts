import { describe, expect, it } from 'vitest';
import { drawn, jsonl, transcriptOf } from './support/drawnTranscript';

const system = { role: 'system', content: 'You help.' };
const go = { role: 'user', content: 'Go.' };
const parameters = { type: 'object', properties: {} };
const looks = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
};
const result = { role: 'tool', tool_call_id: 'c1', content: 'a.ts' };
const done = { role: 'assistant', content: 'Done.' };
const tools = [{ type: 'function', function: { name: 'ls', description: 'Lists.', parameters } }];
const usage = {
  prompt_tokens: 100,
  completion_tokens: 5,
  prompt_tokens_details: { cached_tokens: 80 },
};

const pair = (messages: readonly object[], message: object) => ({
  request: { model: 'gpt-x', tools, messages },
  response: { model: 'gpt-x-1', choices: [{ message }], usage },
});

describe('requests for chat completions', () => {
  it('in a body alone have the system prompt, the tools, and each call with its result', () => {
    const body = { model: 'gpt-x', tools, messages: [system, go, looks, result, done] };
    expect(drawn(body)).toEqual(['prompt Go.', 'reply ls(c1)=a.ts', 'reply Done.']);
    const read = transcriptOf(body);
    expect([read.format, read.system]).toEqual(['openai-requests', 'You help.']);
    expect(read.tools).toEqual([{ name: 'ls', description: 'Lists.', inputSchema: parameters }]);
    expect(read.notes).toEqual([]);
  });

  it('in a series are one conversation, and each reply has the usage of its response', () => {
    const log = jsonl(pair([system, go], looks), pair([system, go, looks, result], done));
    expect(drawn(log)).toEqual(['prompt Go.', 'reply ls(c1)=a.ts', 'reply Done.']);
    const counted = { inputTokens: 20, cacheReadTokens: 80, outputTokens: 5 };
    const { entries, notes } = transcriptOf(log);
    expect(entries.slice(1)).toMatchObject([
      { model: 'gpt-x-1', usage: counted },
      { model: 'gpt-x-1', usage: counted },
    ]);
    expect(notes).toEqual([]);
  });

  it('of other conversations are counted', () => {
    const line = (messages: readonly object[]) => ({
      custom_id: 'a',
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: 'gpt-x', messages },
    });
    const batch = jsonl(line([{ role: 'user', content: 'Other.' }, done]), line([go, done]));
    expect(drawn(batch)).toEqual(['prompt Go.', 'reply Done.']);
    expect(transcriptOf(batch).notes).toEqual([
      '1 request of other conversations skipped: the last one is shown.',
    ]);
  });
});

describe('requests for responses', () => {
  const call = { type: 'function_call', call_id: 'c1', name: 'ls', arguments: '{}' };
  const output = { type: 'function_call_output', call_id: 'c1', output: 'a.ts' };
  const said = {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Done.' }],
  };
  const spent = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 80 },
    output_tokens: 5,
  };
  const request = {
    model: 'gpt-x',
    instructions: 'You help.',
    tools: [{ type: 'function', name: 'ls', description: 'Lists.', parameters }],
  };

  it('have the instructions, the tools, the calls with results, and the usage of each', () => {
    const log = jsonl(
      { request: { ...request, input: [go] }, response: { output: [call], usage: spent } },
      {
        request: { ...request, input: [go, call, output] },
        response: { output: [said], usage: spent },
      },
    );
    expect(drawn(log)).toEqual(['prompt Go.', 'reply ls(c1)=a.ts', 'reply Done.']);
    const read = transcriptOf(log);
    expect([read.format, read.system, read.notes]).toEqual(['openai-requests', 'You help.', []]);
    expect(read.tools).toEqual([{ name: 'ls', description: 'Lists.', inputSchema: parameters }]);
    const counted = { inputTokens: 20, cacheReadTokens: 80, outputTokens: 5 };
    expect(read.entries.slice(1)).toMatchObject([{ usage: counted }, { usage: counted }]);
  });

  it('that continue a stored response say that its beginning is missing', () => {
    const body = { request: { ...request, previous_response_id: 'r1', input: 'Go.' } };
    const recorded = { ...body, response: { output: [said] } };
    expect(drawn(recorded)).toEqual(['prompt Go.', 'reply Done.']);
    expect(transcriptOf(recorded).notes).toEqual([
      'It continues a response that it does not hold; what was said before is missing.',
    ]);
  });
});
