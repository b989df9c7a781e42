import { describe, expect, it } from 'vitest';
import type Anthropic from '@anthropic-ai/sdk';
import { haiku45, oldSonnet, says, sonnet, startDouble } from './double';

type Block = Anthropic.TextBlockParam;

/** Makes text of about this many tokens, different for each name. */
const words = (name: string, tokens: number) => `${name} `.repeat(tokens).trim();

const block = (name: string, tokens: number, ttl?: '5m' | '1h'): Block => ({
  type: 'text',
  text: words(name, tokens),
  ...(ttl === undefined ? {} : { cache_control: { type: 'ephemeral', ttl } }),
});

/** Sends user blocks and returns [input, created, read] from the usage. */
function sender(client: Anthropic, model = sonnet) {
  return async (
    content: Block[],
    extra: Partial<Anthropic.MessageCreateParamsNonStreaming> = {},
  ) => {
    const messages = [{ role: 'user' as const, content }];
    const { usage } = await client.messages.create({ model, max_tokens: 10, messages, ...extra });
    return {
      input: usage.input_tokens,
      created: usage.cache_creation_input_tokens,
      read: usage.cache_read_input_tokens,
      hour: usage.cache_creation?.ephemeral_1h_input_tokens,
    };
  };
}

describe('the prompt cache', () => {
  it('is written by the first request and read by the next', async () => {
    const { client } = await startDouble();
    const send = sender(client);
    const first = await send([block('a', 600, '5m'), block('b', 10)]);
    expect(first).toMatchObject({ read: 0, created: 604 });
    const second = await send([block('a', 600, '5m'), block('c', 10)]);
    expect(second).toMatchObject({ read: 604, created: 0, input: first.input });
  });

  it('grows along a conversation: the old breakpoint is read, the rest written', async () => {
    const { client } = await startDouble();
    const send = sender(client);
    await send([block('a', 600, '5m')]);
    const second = await send([block('a', 600), block('b', 100, '5m')]);
    expect(second).toMatchObject({ read: 604, created: 100 });
  });

  it('is missed if a byte before the breakpoint changed', async () => {
    const { client } = await startDouble();
    const send = sender(client);
    await send([block('a', 600), block('b', 600, '5m')]);
    expect(await send([block('A', 600), block('b', 600, '5m')])).toMatchObject({ read: 0 });
    expect(await send([block('a', 600), block('b', 600, '5m')])).toMatchObject({ created: 0 });
    const system = 'Be brief.';
    expect(await send([block('a', 600), block('b', 600, '5m')], { system })).toMatchObject({
      read: 0,
    });
  });

  it('covers tools, then system, then messages', async () => {
    const { client } = await startDouble();
    const send = sender(client);
    const tool = {
      name: 'a',
      description: words('t', 600),
      input_schema: { type: 'object' as const },
    };
    const tools = [{ ...tool, cache_control: { type: 'ephemeral' as const } }];
    const first = await send([block('a', 10)], { tools, system: 'One.' });
    expect(first.created).toBeGreaterThan(600);
    const second = await send([block('b', 10)], { tools, system: 'Two.' });
    expect(second.read).toBe(first.created);
  });

  it('can be marked on a tool result and inside it', async () => {
    const { client } = await startDouble();
    const answer = async (own: object, inner: object) => {
      const text = { type: 'text' as const, text: words('r', 600), ...inner };
      const { usage } = await client.messages.create({
        model: sonnet,
        max_tokens: 10,
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'a', input: {} }] },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 't', content: [text], ...own },
              { type: 'text', text: 'Go on' },
            ],
          },
        ],
      });
      return [usage.cache_creation_input_tokens, usage.cache_read_input_tokens];
    };
    const mark = { cache_control: { type: 'ephemeral' as const } };
    const [created = 0] = await answer(mark, {});
    expect(created).toBeGreaterThan(600);
    expect(await answer({}, mark)).toEqual([0, created]);
    expect(await answer({}, {})).toEqual([0, 0]);
  });

  it('is kept per model', async () => {
    const { client } = await startDouble();
    await sender(client)([block('a', 600, '5m')]);
    const other = await sender(client, 'claude-opus-5-5')([block('a', 600, '5m')]);
    expect(other).toMatchObject({ read: 0, created: 604 });
  });

  it.each([
    [sonnet, 512],
    [oldSonnet, 1_024],
    [haiku45, 4_096],
  ])('of %s begins at %i tokens and is silently off below', async (model, minimum) => {
    const { client } = await startDouble();
    const send = sender(client, model);
    // A turn costs 4 tokens in addition to its text.
    expect(await send([block('a', minimum - 5, '5m')])).toMatchObject({ created: 0, read: 0 });
    expect(await send([block('a', minimum - 4, '5m')])).toMatchObject({ created: minimum });
  });

  it('looks back 20 blocks from a breakpoint, not 21', async () => {
    const { client } = await startDouble();
    const send = sender(client);
    await send([block('a', 600, '5m')]);
    const more = (count: number) => Array.from({ length: count }, (_, at) => block(`b${at}`, 1));
    expect(await send([block('a', 600), ...more(19), block('z', 1, '5m')])).toMatchObject({
      read: 0,
    });
    expect(await send([block('a', 600), ...more(18), block('y', 1, '5m')])).toMatchObject({
      read: 604,
    });
  });

  it('expires after five minutes, or after an hour on request, and a hit renews it', async () => {
    let now = 0;
    const { client } = await startDouble(says('x'), { now: () => now });
    const send = sender(client);
    const short = () => send([block('a', 600, '5m')]);
    const long = () => send([block('h', 600, '1h')]);
    await short();
    expect(await long()).toMatchObject({ created: 604, hour: 604 });
    now += 5 * 60_000 - 1;
    expect(await short()).toMatchObject({ read: 604 });
    now += 5 * 60_000 - 1;
    expect(await short()).toMatchObject({ read: 604 });
    now += 5 * 60_000;
    expect(await short()).toMatchObject({ read: 0, created: 604, hour: 0 });
    expect(await long()).toMatchObject({ read: 604 });
    now += 60 * 60_000;
    expect(await long()).toMatchObject({ read: 0 });
  });

  it('marks the last block automatically if the request asks for it', async () => {
    const { client } = await startDouble();
    const send = sender(client);
    const cache_control = { type: 'ephemeral' as const };
    expect(await send([block('a', 600)], { cache_control })).toMatchObject({ created: 604 });
    expect(await send([block('a', 600), block('b', 50)], { cache_control })).toMatchObject({
      read: 604,
      created: 50,
    });
  });

  it('is unchanged by counts and by failed requests', async () => {
    const { server, client } = await startDouble();
    const send = sender(client);
    const content = [block('a', 600, '5m')];
    await client.messages.countTokens({ model: sonnet, messages: [{ role: 'user', content }] });
    server.addFault({ path: '/v1/messages', effect: { kind: 'status', status: 529 } });
    await expect(send(content)).rejects.toMatchObject({ status: 529 });
    expect(await send(content)).toMatchObject({ read: 0, created: 604 });
  });
});

describe('a cache diagnosis', () => {
  it('names the changes since the previous answer and their cost', async () => {
    const { client } = await startDouble();
    const ask = async (content: Block[], previous: string | null, extra: object = {}) => {
      const message = await client.messages.create({
        model: sonnet,
        max_tokens: 10,
        system: 'Be brief.',
        messages: [{ role: 'user', content }],
        diagnostics: { previous_message_id: previous },
        ...extra,
      });
      return { id: message.id, why: message.diagnostics?.cache_miss_reason };
    };
    const start = [block('a', 600), block('b', 100, '5m')];
    const { id, why } = await ask(start, null);
    expect(why).toBeUndefined();
    expect((await ask([...start, block('c', 5)], id)).why).toBeUndefined();
    const edited = await ask([block('A', 600), block('b', 100, '5m')], id);
    expect(edited.why).toMatchObject({ type: 'messages_changed' });
    expect(edited.why).toHaveProperty('cache_missed_input_tokens', 600 + 100 + 4 + 3);
    expect((await ask(start, id, { system: 'No.' })).why).toMatchObject({ type: 'system_changed' });
    const tools = [{ name: 'a', input_schema: { type: 'object' } }];
    expect((await ask(start, id, { tools })).why).toMatchObject({ type: 'tools_changed' });
    const model = 'claude-opus-5-5';
    expect((await ask(start, id, { model })).why).toMatchObject({ type: 'model_changed' });
    expect((await ask(start, 'msg_none')).why).toEqual({ type: 'previous_message_not_found' });
  });
});
