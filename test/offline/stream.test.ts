import { describe, expect, it } from 'vitest';
import { clientOf, haiku45, opus, says, sonnet, startDouble } from './double';

const ask = {
  model: sonnet,
  max_tokens: 1_000,
  messages: [{ role: 'user' as const, content: 'Hi' }],
};

const readCall = {
  type: 'tool_use' as const,
  id: 'toolu_1',
  name: 'read_file',
  input: {
    path: 'src/a/very/long/path/that/needs/more/than/one/delta/to/be/sent.ts',
    lines: [1, 2],
  },
};

interface SentEvent {
  readonly event: string;
  readonly data: {
    readonly type: string;
    readonly content_block?: { readonly input?: unknown };
    readonly delta?: unknown;
    readonly message?: { readonly usage: { readonly input_tokens: number } };
    readonly usage?: { readonly input_tokens: number; readonly output_tokens: number };
  };
}

async function eventsOf(url: string, body: object): Promise<readonly SentEvent[]> {
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': 'test-key', 'anthropic-version': '2026-10-21' },
    body: JSON.stringify({ ...body, stream: true }),
  });
  const frames = (await response.text()).trim().split('\n\n');
  return frames.map((frame) => {
    const [event = '', data = ''] = frame.split('\n');
    return {
      event: event.replace('event: ', ''),
      data: JSON.parse(data.replace('data: ', '')) as SentEvent['data'],
    };
  });
}

describe('a stream read by the SDK', () => {
  it('has text in several deltas', async () => {
    const words = `An odd beginning ${'🙂'.repeat(60)} and plain words, more than one delta holds.`;
    const { client } = await startDouble(says(words));
    const deltas: string[] = [];
    const stream = client.messages.stream(ask).on('text', (delta) => deltas.push(delta));
    const message = await stream.finalMessage();
    expect(message.content).toEqual([{ type: 'text', text: words, citations: null }]);
    expect(message.stop_reason).toBe('end_turn');
    expect(deltas.length).toBeGreaterThan(3);
    expect(deltas.filter((delta) => /\p{Surrogate}/u.test(delta))).toEqual([]);
  });

  it('has a tool call with its input in pieces', async () => {
    const { client } = await startDouble(says('I read it.', readCall));
    const pieces: string[] = [];
    const stream = client.messages.stream(ask).on('inputJson', (piece) => pieces.push(piece));
    const message = await stream.finalMessage();
    expect(message.content[1]).toMatchObject({ ...readCall, caller: { type: 'direct' } });
    expect(message.stop_reason).toBe('tool_use');
    expect(pieces[0]).toBe('');
    expect(pieces.length).toBeGreaterThan(2);
  });

  it('has thinking with its signature just before the block stops', async () => {
    const { client } = await startDouble(
      says({ type: 'thinking', thinking: 'Let me see.' }, 'Yes.'),
    );
    const types: string[] = [];
    const stream = client.messages
      .stream({ ...ask, thinking: { type: 'adaptive', display: 'summarized' } })
      .on('streamEvent', (event) =>
        types.push(event.type === 'content_block_delta' ? event.delta.type : event.type),
      );
    const message = await stream.finalMessage();
    expect(message.content[0]).toMatchObject({ type: 'thinking', thinking: 'Let me see.' });
    expect(types.slice(0, 5)).toEqual([
      'message_start',
      'content_block_start',
      'thinking_delta',
      'signature_delta',
      'content_block_stop',
    ]);
    expect(message.usage.output_tokens_details?.thinking_tokens).toBeGreaterThan(0);
  });

  it('has the content of the plain answer', async () => {
    const respond = says({ type: 'thinking', thinking: 'Hm.' }, 'I read it.', readCall);
    const streamed = await (await startDouble(respond)).client.messages.stream(ask).finalMessage();
    const plain = await (await startDouble(respond)).client.messages.create(ask);
    expect({ ...plain, parsed_output: null }).toEqual(streamed);
  });

  it('can be stopped by the client', async () => {
    const { server, client } = await startDouble(() => ({
      content: [{ type: 'text', text: 'word '.repeat(500) }],
      delayMs: 5,
    }));
    const stream = client.messages.stream(ask);
    stream.on('text', () => stream.abort());
    await expect(stream.finalMessage()).rejects.toThrow('aborted');
    await expect.poll(() => server.requests[0]?.abandoned).toBe(true);
  });
});

describe('the events of a stream', () => {
  it('arrive in the order of the API', async () => {
    const { server } = await startDouble(says('Hello.', readCall));
    const events = await eventsOf(server.url, ask);
    const names = events.map(({ event }) => event).filter((name, at, all) => name !== all[at - 1]);
    expect(names).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(events.every(({ event, data }) => event === data.type)).toBe(true);
  });

  it('begin a tool call with an empty input and an empty delta', async () => {
    const { server } = await startDouble(says(readCall));
    const events = await eventsOf(server.url, ask);
    const start = events.findIndex(({ event }) => event === 'content_block_start');
    expect(events[start]?.data.content_block?.input).toEqual({});
    const first = events.find(({ event }) => event === 'content_block_delta');
    expect(first?.data.delta).toEqual({ type: 'input_json_delta', partial_json: '' });
  });

  it('have the input tokens at the start and all output tokens at the end', async () => {
    const { server } = await startDouble(says('Hello. '.repeat(50)));
    const events = await eventsOf(server.url, ask);
    const start = events[0]?.data.message;
    const end = events.at(-2)?.data;
    expect(start).toMatchObject({ content: [], stop_reason: null, usage: { output_tokens: 1 } });
    expect(end?.usage?.input_tokens).toBe(start?.usage.input_tokens);
    expect(end?.usage?.output_tokens).toBeGreaterThan(50);
    expect(end?.delta).toMatchObject({ stop_reason: 'end_turn', stop_sequence: null });
  });
});

describe('a scripted reply', () => {
  it('gets the same id each time for a tool call without one', async () => {
    const { client } = await startDouble(says({ type: 'tool_use', name: 'a', input: {} }));
    const ids = [await client.messages.create(ask), await client.messages.create(ask)].map(
      ({ content }) => (content[0]?.type === 'tool_use' ? content[0].id : ''),
    );
    expect(ids[0]).toMatch(/^toolu_[0-9a-f]+$/);
    expect(ids[1]).toBe(ids[0]);
  });

  it('may name its own stop reason', async () => {
    const { client } = await startDouble(() => ({ content: [], stopReason: 'refusal' }));
    const message = await client.messages.create(ask);
    expect(message).toMatchObject({
      content: [],
      stop_reason: 'refusal',
      stop_details: { type: 'refusal' },
    });
  });

  it('ends at a stop sequence', async () => {
    const { client } = await startDouble(says('one two three', 'four'));
    const message = await client.messages.create({ ...ask, stop_sequences: ['three', 'two'] });
    expect(message).toMatchObject({
      content: [{ text: 'one ' }],
      stop_reason: 'stop_sequence',
      stop_sequence: 'two',
    });
    const first = await client.messages.create({ ...ask, stop_sequences: ['one'] });
    expect(first).toMatchObject({ content: [], stop_reason: 'stop_sequence' });
    const thinker = await startDouble(says({ type: 'thinking', thinking: 'one' }, 'one two'));
    const behind = await thinker.client.messages.create({ ...ask, stop_sequences: [' two'] });
    expect(behind.content.map(({ type }) => type)).toEqual(['thinking', 'text']);
  });

  it('gets the request as it was sent', async () => {
    let seen: unknown;
    const { client } = await startDouble((request) => {
      seen = request;
      return { content: [] };
    });
    await client.messages.create(ask);
    expect(seen).toEqual(ask);
  });

  it('that throws gives a 500', async () => {
    const { client } = await startDouble(() => {
      throw new Error('out of words');
    });
    await expect(client.messages.create(ask)).rejects.toThrow('out of words');
  });

  it('has no thinking if thinking is off', async () => {
    const { client } = await startDouble(says({ type: 'thinking', thinking: 'Hm.' }, 'Yes.'));
    const types = async (model: string, thinking?: { type: 'disabled' }) =>
      (
        await client.messages.create({ ...ask, model, ...(thinking ? { thinking } : {}) })
      ).content.map(({ type }) => type);
    expect(await types(opus)).toEqual(['thinking', 'text']);
    expect(await types(sonnet, { type: 'disabled' })).toEqual(['text']);
    expect(await types(haiku45)).toEqual(['text']);
  });
});

describe('the models', () => {
  it('are listed with their limits', async () => {
    const { client } = await startDouble();
    const limits: string[] = [];
    for await (const model of client.models.list({ limit: 2 })) {
      limits.push(`${model.id} ${model.max_input_tokens} ${model.max_tokens}`);
    }
    expect(limits).toEqual([
      'claude-haiku-5-5 1000000 128000',
      'claude-sonnet-5-5 1000000 128000',
      'claude-opus-5-5 1000000 128000',
      'claude-fable-5-2 1000000 128000',
      'claude-haiku-4-5 200000 64000',
      'claude-sonnet-4-20250514 200000 64000',
    ]);
  });

  it('are listed backwards, too', async () => {
    const { client } = await startDouble();
    const page = await client.models.list({ before_id: opus, limit: 1 });
    expect(page.data.map(({ id }) => id)).toEqual([sonnet]);
    expect(page.has_more).toBe(true);
  });

  it('are described individually', async () => {
    const { client } = await startDouble();
    const model = await client.models.retrieve(opus);
    expect(model).toMatchObject({ type: 'model', id: opus, line: 'opus', lifecycle: 'active' });
    expect(model.capabilities?.thinking.types.disabled.supported).toBe(false);
  });

  it('give a 404 if the server does not have them', async () => {
    const { client } = await startDouble();
    await expect(client.models.retrieve('claude-none')).rejects.toMatchObject({ status: 404 });
  });
});

describe('the server', () => {
  it('records requests and answers in order', async () => {
    const told: string[] = [];
    const { server, client } = await startDouble(says('Hello.'), {
      onRequest: ({ method, path, status }) => told.push(`${method} ${path} ${status}`),
    });
    await client.messages.create(ask);
    await client.messages.countTokens({ model: sonnet, messages: [...ask.messages] });
    await client.models.list();
    await client.messages.create({ ...ask, model: 'claude-none' }).catch(() => undefined);
    expect(told).toEqual([
      'POST /v1/messages 200',
      'POST /v1/messages/count_tokens 200',
      'GET /v1/models 200',
      'POST /v1/messages 404',
    ]);
    expect(server.requests[0]?.body).toEqual(ask);
    expect(server.requests.map(({ abandoned }) => abandoned)).toEqual([false, false, false, false]);
  });

  it('frees its port even while a stream is open', async () => {
    const { startStrictServer } = await import('../../src/offline/strictServer');
    const server = await startStrictServer({
      respond: () => ({ content: [{ type: 'text', text: 'word '.repeat(500) }], delayMs: 50 }),
    });
    const stream = clientOf(server).messages.stream(ask);
    const ended = stream.finalMessage().catch((error: unknown) => error);
    await stream.emitted('text');
    await server.close();
    expect(await ended).toBeInstanceOf(Error);
    await expect(fetch(`${server.url}/v1/models`)).rejects.toThrow();
  });
});
