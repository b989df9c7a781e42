import { describe, expect, it } from 'vitest';
import { AnthropicModel } from '../../src/model/anthropicModel';
import { makeClient } from '../../src/model/client';
import { promptTokens } from '../../src/contextWindow/account/spending';
import { ask, double, editTool, failureIn, oddServer, prompt, replyIn, says } from './asking';
import type { MessagePart } from '../../src/contextWindow/request/blockMessages';

const LONG = 'The quick brown fox jumps over the lazy dog, again and again, until it is evening.';

describe('a reply', () => {
  it('arrives as deltas, then in full', async () => {
    const { model } = await double(says(LONG));
    const { events, result } = await ask(model, prompt('Hi'));
    const reply = replyIn(result);
    expect(events.length).toBeGreaterThan(1);
    expect(events.map((event) => (event.type === 'textDelta' ? event.text : '')).join('')).toBe(
      LONG,
    );
    expect(reply).toMatchObject({
      model: 'claude-haiku-4-5',
      parts: [{ type: 'text', text: LONG }],
      stopReason: 'end_turn',
    });
    expect(reply.usage.outputTokens).toBeGreaterThan(10);
  });

  it('holds tool calls with their complete input, announced as they start', async () => {
    const input = { path: 'a.ts', text: `"quotes" \\ and\nlines ${LONG}` };
    const { model, server } = await double(
      says('I edit.', { type: 'tool_use', id: 'toolu_1', name: 'edit_file', input }),
    );
    const { events, result } = await ask(model, prompt('Edit', { tools: [editTool] }));
    expect(events).toContainEqual({ type: 'toolUseStarted', id: 'toolu_1', name: 'edit_file' });
    expect(replyIn(result)).toMatchObject({
      parts: [
        { type: 'text', text: 'I edit.' },
        { type: 'toolUse', use: { id: 'toolu_1', name: 'edit_file', input } },
      ],
      stopReason: 'tool_use',
    });
    expect(server.requests[0]!.body).toMatchObject({ tools: [editTool], max_tokens: 1_000 });
  });

  it('holds thinking with a signature that the API accepts', async () => {
    const use = { type: 'tool_use', id: 'toolu_1', name: 'edit_file', input: {} } as const;
    const { model } = await double(({ messages }) => ({
      content:
        messages.length === 1
          ? [{ type: 'thinking', thinking: LONG }, use]
          : [{ type: 'text', text: 'Done.' }],
    }));
    const request = prompt('Think', { model: 'claude-opus-5-5', tools: [editTool] });
    const first = replyIn((await ask(model, request)).result);
    expect(first.parts.map(({ type }) => type)).toEqual(['thinking', 'toolUse']);
    const [thinking] = first.parts;
    if (thinking?.type !== 'thinking') throw new Error('no thinking');
    expect(thinking.signature).not.toBe('');
    const back: readonly MessagePart[] = [thinking, use];
    const result: MessagePart = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' };
    const messages = [
      ...request.messages,
      { role: 'assistant', content: back } as const,
      { role: 'user', content: [result] } as const,
    ];
    expect((await ask(model, { ...request, messages })).result.ok).toBe(true);
  });

  it('is marked as cut inside a tool call and keeps only complete fields of the input', async () => {
    const text = 'word '.repeat(2_000);
    const input = { path: 'a.ts', text };
    const { model } = await double(
      says({ type: 'tool_use', id: 'toolu_1', name: 'edit_file', input }),
    );
    const cut = await ask(model, prompt('Edit', { tools: [editTool], maxTokens: 100 }));
    expect(replyIn(cut.result)).toMatchObject({
      stopReason: 'max_tokens',
      parts: [{ type: 'toolUse', use: { name: 'edit_file', input: { path: 'a.ts' } } }],
    });
    const [part] = replyIn(cut.result).parts;
    expect(part?.type === 'toolUse' && 'text' in part.use.input).toBe(false);
  });

  it('counts tokens written to the cache and read from it as part of the window (B8)', async () => {
    const system = [
      { type: 'text', text: LONG.repeat(400), cache_control: { type: 'ephemeral' } },
    ] as const;
    const { model } = await double(says('Hello.'));
    const first = replyIn((await ask(model, prompt('Hi', { system }))).result).usage;
    const second = replyIn((await ask(model, prompt('Hi', { system }))).result).usage;
    expect(first.cacheCreationTokens).toBeGreaterThan(4_096);
    expect(second.cacheReadTokens).toBe(first.cacheCreationTokens);
    expect(promptTokens(second)).toBe(promptTokens(first));
    expect(second.inputTokens).toBeLessThan(promptTokens(second));
  });
});

describe('a request that fails', () => {
  const busy = { kind: 'status', status: 529, retryAfterMs: 1 } as const;

  it.each([busy, { kind: 'drop' }, { kind: 'status', status: 500, retryAfterSeconds: 2 }] as const)(
    'is sent once; the caller decides about a retry',
    async (fault) => {
      const { model, server } = await double(says('Hello.'), [fault]);
      const { events, result } = await ask(model, prompt('Hi'));
      expect(events).toEqual([]);
      expect(result.ok).toBe(false);
      expect(server.requests).toHaveLength(1);
    },
  );

  it('passes on when the server allows a retry', async () => {
    const faults = [
      { ...busy, shouldRetry: false },
      { kind: 'status', status: 500, retryAfterSeconds: 2 },
    ] as const;
    const { model } = await double(says('Hello.'), faults);
    const first = failureIn((await ask(model, prompt('Hi'))).result);
    expect(first).toMatchObject({ type: 'overloaded', isPassing: false, retryAfterMs: 1 });
    const second = failureIn((await ask(model, prompt('Hi'))).result);
    expect(second).toMatchObject({ type: 'server', retryAfterMs: 2_000 });
    expect(second.isPassing).toBeUndefined();
  });
});

describe('an abort', () => {
  it('ends a stream immediately and closes the connection', async () => {
    const { model, server } = await double(says(LONG), [{ kind: 'hang', at: 'firstDelta' }]);
    const stop = new AbortController();
    const { events, result } = await ask(model, prompt('Hi'), stop.signal, () => stop.abort());
    expect(events).toHaveLength(1);
    expect(failureIn(result).type).toBe('aborted');
    await expect.poll(() => server.requests[0]!.abandoned).toBe(true);
  });

  it('ends the wait for an answer', async () => {
    const { model, server } = await double(says(LONG), [{ kind: 'hang', at: 'headers' }]);
    const stop = new AbortController();
    const asking = ask(model, prompt('Hi'), stop.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    stop.abort();
    expect(failureIn((await asking).result).type).toBe('aborted');
  });

  it('sends nothing if it comes before the start', async () => {
    const { model, server } = await double(says(LONG));
    const { result } = await ask(model, prompt('Hi'), AbortSignal.abort());
    expect(failureIn(result).type).toBe('aborted');
    expect(server.requests).toHaveLength(0);
  });

  it('happens automatically when the consumer stops reading', async () => {
    const { model, server } = await double(says(LONG), [{ kind: 'hang', at: 'firstDelta' }]);
    const asking = model.ask(prompt('Hi'), new AbortController().signal);
    await asking.next();
    await asking.return(undefined as never);
    await expect.poll(() => server.requests[0]!.abandoned).toBe(true);
  });
});

describe('a stream that breaks', () => {
  const edit = says({ type: 'tool_use', id: 'toolu_1', name: 'edit_file', input: { path: LONG } });

  it.each([
    ['ends before message_stop', { kind: 'cut', at: 'messageStop' }],
    ['ends inside a tool call', { kind: 'cut', at: 'toolUse' }],
    ['is reset inside a tool call', { kind: 'cut', at: 'toolUse', how: 'reset' }],
    ['has an event that is not JSON', { kind: 'malformed' }],
  ] as const)('is a cut reply if it %s', async (_, fault) => {
    const { model, server } = await double(edit, [fault]);
    const { result } = await ask(model, prompt('Edit', { tools: [editTool] }));
    expect(failureIn(result).type).toBe('streamCut');
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['overloaded_error', 'overloaded'],
    ['rate_limit_error', 'rateLimited'],
    ['api_error', 'server'],
    ['invalid_request_error', 'invalidRequest'],
  ] as const)('fails with the type that its error event names: %s', async (type, failure) => {
    const { model } = await double(says(LONG), [
      { kind: 'errorEvent', type, message: 'Not today' },
    ]);
    const { result } = await ask(model, prompt('Hi'));
    expect(failureIn(result)).toMatchObject({ type: failure });
    expect(failureIn(result).message).toContain('Not today');
  });

  it('is distinguished from a web page', async () => {
    const baseUrl = await oddServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>');
    });
    const model = new AnthropicModel(makeClient({ apiKey: 'k', baseUrl }));
    const failure = failureIn((await ask(model, prompt('Hi'))).result);
    expect(failure.type).toBe('streamCut');
    expect(failure.message).toContain('text/html');
    expect(failure.message).toContain('plimsoll.baseUrl');
  });

  it('is a cut reply if an event lacks a required field', async () => {
    const baseUrl = await oddServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('event: content_block_start\ndata: {"type":"content_block_start"}\n\n');
    });
    const model = new AnthropicModel(makeClient({ apiKey: 'k', baseUrl }));
    expect(failureIn((await ask(model, prompt('Hi'))).result).type).toBe('streamCut');
  });
});
