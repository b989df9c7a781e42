import { describe, expect, it, onTestFinished, vi } from 'vitest';
import Anthropic from '@anthropic-ai/sdk';
import { answerTo, failure, says, sonnet, startDouble } from './double';

const ask = {
  model: sonnet,
  max_tokens: 1_000,
  messages: [{ role: 'user' as const, content: 'Hi' }],
};
const counted = { model: sonnet, messages: ask.messages };
const words = 'Enough words for several deltas, so that there is a middle to break. '.repeat(5);
const write = {
  type: 'tool_use' as const,
  id: 'toolu_1',
  name: 'create_file',
  input: { text: words },
};

describe('a status fault', () => {
  it.each([
    [402, Anthropic.PaymentRequiredError, 'billing_error'],
    [403, Anthropic.PermissionDeniedError, 'permission_error'],
    [409, Anthropic.ConflictError, 'conflict_error'],
    [429, Anthropic.RateLimitError, 'rate_limit_error'],
    [500, Anthropic.InternalServerError, 'api_error'],
    [504, Anthropic.InternalServerError, 'timeout_error'],
    [529, Anthropic.InternalServerError, 'overloaded_error'],
  ])('of %i is the error of that status', async (status, kind, type) => {
    const { server, client } = await startDouble();
    server.addFault({ path: '/v1/messages', effect: { kind: 'status', status, message: 'No.' } });
    const error = await failure(client.messages.create(ask));
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ status, type, apiMessage: 'No.' });
    expect(server.requests[0]?.status).toBe(status);
  });

  it('can redirect', async () => {
    const { server } = await startDouble();
    const effect = { kind: 'redirect', status: 308, location: 'http://other.test/x' } as const;
    server.addFault({ path: '/v1/models', effect });
    const headers = { 'anthropic-version': '2026-10-21', 'x-api-key': 'k' };
    const response = await fetch(`${server.url}/v1/models`, { headers, redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([
      308,
      'http://other.test/x',
    ]);
  });

  it('has its retry headers', async () => {
    const { server, client } = await startDouble();
    const effect = {
      kind: 'status',
      status: 429,
      retryAfterSeconds: 7,
      retryAfterMs: 6_500,
      shouldRetry: false,
    } as const;
    server.addFault({ path: '/v1/messages', effect });
    const error = await failure(client.messages.create(ask));
    if (!(error instanceof Anthropic.RateLimitError)) throw error;
    const header = (name: string) => error.headers.get(name);
    expect(['retry-after', 'retry-after-ms', 'x-should-retry'].map(header)).toEqual([
      '7',
      '6500',
      'false',
    ]);
  });

  it('ends after one request, or after the given number', async () => {
    const { server, client } = await startDouble();
    const effect = { kind: 'status', status: 529 } as const;
    server.addFault({ path: '/v1/messages', effect });
    server.addFault({
      path: '/v1/messages',
      effect: { ...effect, status: 500 },
      skip: 1,
      times: 2,
    });
    const statuses: number[] = [];
    for (let at = 0; at < 5; at += 1) {
      await client.messages.create(ask).catch(() => undefined);
      statuses.push(server.requests.at(-1)!.status!);
    }
    expect(statuses).toEqual([529, 200, 500, 500, 200]);
  });

  it("is handled by the SDK's own retries", async () => {
    const { server, client } = await startDouble();
    const effect = { kind: 'status', status: 529, retryAfterMs: 1 } as const;
    server.addFault({ path: '/v1/messages', effect, times: 2 });
    const message = await client.withOptions({ maxRetries: 2 }).messages.create(ask);
    expect(message.stop_reason).toBe('end_turn');
    expect(server.requests.map(({ status }) => status)).toEqual([529, 529, 200]);
  });

  it("may have a proxy's body", async () => {
    const { server, client } = await startDouble();
    const body = '<html>Bad gateway</html>';
    server.addFault({ path: '/v1/messages', effect: { kind: 'status', status: 502, body } });
    const error = await failure(client.messages.create(ask));
    expect(error).toMatchObject({ status: 502, apiMessage: null });
  });

  it('affects only its own path', async () => {
    const { server, client } = await startDouble();
    server.addFault({ path: '/v1/models', effect: { kind: 'status', status: 500 } });
    expect((await client.messages.create(ask)).stop_reason).toBe('end_turn');
    expect((await client.messages.countTokens(counted)).input_tokens).toBeGreaterThan(0);
    await expect(client.models.list()).rejects.toMatchObject({ status: 500 });
  });

  it('does not hide an invalid request, which does not use it up', async () => {
    const { server, client } = await startDouble();
    server.addFault({ path: '/v1/messages', effect: { kind: 'status', status: 529 } });
    expect(await answerTo(client, { ...ask, messages: [] })).toContain('at least one message');
    expect(await answerTo(client, ask)).toContain('529');
  });
});

describe('a broken stream', () => {
  it.each(['end', 'reset'] as const)('cut before message_stop by %s throws', async (how) => {
    const { server, client } = await startDouble(says(words));
    server.addFault({ path: '/v1/messages', effect: { kind: 'cut', at: 'messageStop', how } });
    let seen = '';
    const stream = client.messages.stream(ask).on('text', (delta) => (seen += delta));
    expect(await failure(stream.finalMessage())).toBeInstanceOf(Anthropic.AnthropicError);
    expect(seen).toBe(words);
    expect(await client.messages.stream(ask).finalText()).toBe(words);
  });

  it('cut inside a tool call gives no whole input', async () => {
    const { server, client } = await startDouble(says('Writing.', write));
    server.addFault({ path: '/v1/messages', effect: { kind: 'cut', at: 'toolUse' } });
    let json = '';
    const blocks: string[] = [];
    const stream = client.messages
      .stream(ask)
      .on('inputJson', (piece) => (json += piece))
      .on('contentBlock', ({ type }) => blocks.push(type));
    expect(await failure(stream.finalMessage())).toBeInstanceOf(Anthropic.AnthropicError);
    expect(json.length).toBeGreaterThan(0);
    expect(JSON.stringify(write.input).startsWith(json)).toBe(true);
    expect(() => JSON.parse(json)).toThrow();
    expect(blocks).toEqual(['text']);
  });

  it('with malformed data throws after the first delta', async () => {
    const { server, client } = await startDouble(says(words));
    server.addFault({ path: '/v1/messages', effect: { kind: 'malformed' } });
    const seen: string[] = [];
    const stream = client.messages.stream(ask).on('text', (delta) => seen.push(delta));
    expect((await failure(stream.finalMessage())).message).toContain('JSON');
    expect(seen.length).toBe(1);
  });

  it('with an error event throws an APIError without status, which is not retried', async () => {
    const { server, client } = await startDouble(says(words));
    const effect = {
      kind: 'errorEvent',
      type: 'overloaded_error',
      message: 'Overloaded',
    } as const;
    server.addFault({ path: '/v1/messages', effect });
    const stream = client.withOptions({ maxRetries: 2 }).messages.stream(ask);
    const error = await failure(stream.finalMessage());
    expect(error).toBeInstanceOf(Anthropic.APIError);
    expect(error).toMatchObject({ status: undefined, type: 'overloaded_error' });
    expect(server.requests.length).toBe(1);
  });
});

describe('a broken plain answer', () => {
  it.each([{ kind: 'cut', at: 'messageStop' } as const, { kind: 'malformed' } as const])(
    'by $kind is not JSON',
    async (effect) => {
      const { server, client } = await startDouble(says(words));
      server.addFault({ path: '/v1/messages', effect });
      expect((await failure(client.messages.create(ask))).message).toContain('JSON');
    },
  );

  it('by a hang never arrives', async () => {
    const { server, client } = await startDouble();
    server.addFault({ path: '/v1/messages', effect: { kind: 'hang', at: 'firstDelta' } });
    const error = await failure(client.messages.create(ask, { timeout: 50 }));
    expect(error).toBeInstanceOf(Anthropic.APIConnectionTimeoutError);
  });

  it('by an error event is that error', async () => {
    const { server, client } = await startDouble();
    const effect = { kind: 'errorEvent', type: 'api_error', message: 'No.' } as const;
    server.addFault({ path: '/v1/messages', effect });
    await expect(client.messages.create(ask)).rejects.toMatchObject({ status: 500 });
  });
});

describe('a lost connection', () => {
  it('before the headers is a connection error', async () => {
    const { server, client } = await startDouble();
    server.addFault({ path: '/v1/messages', effect: { kind: 'drop' } });
    const error = await failure(client.messages.create(ask));
    expect(error).toBeInstanceOf(Anthropic.APIConnectionError);
    expect(server.requests[0]).toMatchObject({ status: undefined, abandoned: true });
  });
});

describe('a server that hangs', () => {
  it('before the headers is abandoned by the client after its timeout', async () => {
    const { server, client } = await startDouble();
    server.addFault({ path: '/v1/messages', effect: { kind: 'hang', at: 'headers' } });
    // The test decides when the timeout ends: the request has arrived by then.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = failure(client.messages.create(ask, { timeout: 500 }));
    await expect.poll(() => server.requests.length).toBe(1);
    vi.advanceTimersByTime(500);
    expect(await asked).toBeInstanceOf(Anthropic.APIConnectionTimeoutError);
    await expect
      .poll(() => server.requests[0])
      .toMatchObject({ status: undefined, abandoned: true });
  });

  it('after the first delta is abandoned by the client when it stops', async () => {
    const { server, client } = await startDouble(says(words));
    server.addFault({ path: '/v1/messages', effect: { kind: 'hang', at: 'firstDelta' } });
    const stream = client.messages.stream(ask);
    const ended = failure(stream.finalMessage());
    await stream.emitted('text');
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(server.requests[0]).toMatchObject({ status: 200, abandoned: false });
    stream.abort();
    expect(await ended).toBeInstanceOf(Anthropic.APIUserAbortError);
    await expect.poll(() => server.requests[0]?.abandoned).toBe(true);
  });

  it('can still be closed', async () => {
    const { server, client } = await startDouble();
    server.addFault({ path: '/v1/messages', effect: { kind: 'hang', at: 'headers' }, times: 2 });
    const plain = failure(client.messages.create(ask));
    const stream = failure(client.messages.stream(ask).finalMessage());
    await expect.poll(() => server.requests.length).toBe(2);
    await server.close();
    expect(await plain).toBeInstanceOf(Anthropic.APIConnectionError);
    expect(await stream).toBeInstanceOf(Anthropic.APIConnectionError);
    await server.close();
  });
});

describe('a slow server', () => {
  it('waits before the headers and between deltas', async () => {
    const { server, client } = await startDouble(says(words));
    const effect = { kind: 'slow', headersMs: 40, deltaMs: 10 } as const;
    server.addFault({ path: '/v1/messages', effect });
    const started = performance.now();
    const stream = client.messages.stream(ask);
    await stream.emitted('connect');
    expect(performance.now() - started).toBeGreaterThan(35);
    expect(await stream.finalText()).toBe(words);
    expect(performance.now() - started).toBeGreaterThan(90);
  });
});

describe('count_tokens', () => {
  it.each([404, 429, 500, 501])('can fail with %i', async (status) => {
    const { server, client } = await startDouble();
    const path = '/v1/messages/count_tokens';
    server.addFault({ path, effect: { kind: 'status', status } });
    await expect(client.messages.countTokens(counted)).rejects.toMatchObject({ status });
    expect((await client.messages.countTokens(counted)).input_tokens).toBeGreaterThan(0);
  });

  it('can answer 0', async () => {
    const { server, client } = await startDouble();
    const effect = { kind: 'count', inputTokens: 0 } as const;
    server.addFault({ path: '/v1/messages/count_tokens', effect });
    expect((await client.messages.countTokens(counted)).input_tokens).toBe(0);
  });

  it('can time out', async () => {
    const { server, client } = await startDouble();
    const effect = { kind: 'hang', at: 'headers' } as const;
    server.addFault({ path: '/v1/messages/count_tokens', effect });
    const error = await failure(client.messages.countTokens(counted, { timeout: 50 }));
    expect(error).toBeInstanceOf(Anthropic.APIConnectionTimeoutError);
  });
});
