import { describe, expect, it } from 'vitest';
import type Anthropic from '@anthropic-ai/sdk';
import type { ScriptedPart } from '../../src/offline/messagesApi';
import { answerTo, haiku45, opus, saysInTurn, startDouble } from './double';

type Message = Anthropic.MessageParam;

const beta = 'thinking-binding-controls-2026-08-01';
const differentConversation = 'The block is bound to a different conversation.';
const unmodifiable =
  '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.';

const thought = (words: string): ScriptedPart => ({ type: 'thinking', thinking: words });
const said = (words: string): ScriptedPart => ({ type: 'text', text: words });
const user = (content: string): Message => ({ role: 'user', content });
const tools = [{ name: 'read_file', input_schema: { type: 'object' as const } }];

interface Talk {
  readonly client: Anthropic;
  readonly messages: readonly Message[];
  readonly body: { model: string; max_tokens: number; messages: Message[] };
}

/**
 * Gets three prompts answered with thinking, adds a fourth prompt, and returns the body that asks
 * it.
 */
async function threeThoughts(model = opus, extra: object = {}): Promise<Talk> {
  const { client } = await startDouble(
    saysInTurn(
      [thought('First.'), said('One.')],
      [thought('Second.'), said('Two.')],
      [thought('Third.'), said('Three.')],
    ),
  );
  const messages: Message[] = [];
  for (const prompt of ['Begin', 'Go on', 'And?']) {
    messages.push(user(prompt));
    const { content } = await client.messages.create({
      model,
      max_tokens: 5_000,
      messages,
      ...extra,
    });
    messages.push({ role: 'assistant', content: content as Anthropic.ContentBlockParam[] });
  }
  messages.push(user('Last'));
  return { client, messages, body: { model, max_tokens: 5_000, messages, ...extra } };
}

const withoutThinkingIn = (
  messages: readonly Message[],
  ...indexes: readonly number[]
): Message[] =>
  messages.map((message, index): Message =>
    indexes.includes(index) && message.role === 'assistant' && typeof message.content !== 'string'
      ? { ...message, content: message.content.filter(({ type }) => type !== 'thinking') }
      : message,
  );

const replaced = (messages: readonly Message[], at: number, message: Message) =>
  messages.map((each, index) => (index === at ? message : each));

const dropBlock = {
  thinking: { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } },
};

describe('thinking', () => {
  it('has no text unless the request asks for it, and can be sent back', async () => {
    const { client, messages, body } = await threeThoughts();
    expect(messages[1]?.content[0]).toMatchObject({ type: 'thinking', thinking: '' });
    expect(await answerTo(client, body)).toBe('accepted');
  });

  it('may be removed from the start, from the end, or completely', async () => {
    const { client, messages, body } = await threeThoughts();
    for (const removed of [[1], [1, 3], [5], [3, 5], [1, 3, 5]]) {
      const kept = withoutThinkingIn(messages, ...removed);
      expect(await answerTo(client, { ...body, messages: kept })).toBe('accepted');
    }
  });

  it('with a gap is rejected', async () => {
    const { client, messages, body } = await threeThoughts();
    const gap = withoutThinkingIn(messages, 3);
    expect(await answerTo(client, { ...body, messages: gap })).toBe(
      `400 invalid_request_error: messages.5.content.0: Invalid \`signature\` in \`thinking\` block. ${differentConversation} Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block". That setting requires the \`thinking-binding-controls-2026-08-01\` value in the \`anthropic-beta\` header.`,
    );
  });

  it('that was removed is rejected when it returns before newer thinking', async () => {
    const { client, messages, body } = await threeThoughts();
    const rest = withoutThinkingIn(messages, 1, 3, 5);
    const fresh = await startDouble(saysInTurn([thought('Fourth.'), said('Four.')]));
    const answered = await fresh.client.messages.create({ ...body, messages: rest });
    const next = (before: readonly Message[]) => ({
      ...body,
      messages: [...before, { role: 'assistant', content: answered.content }, user('Then?')],
    });
    expect(await answerTo(client, next(rest))).toBe('accepted');
    expect(await answerTo(client, next(messages))).toContain(differentConversation);
  });

  it.each([
    ['an earlier prompt changed', 0, user('Begin!')],
    ['an earlier prompt left out', 2, user(' ')],
    ['an earlier answer changed', 1, { role: 'assistant', content: 'Uno.' } as Message],
  ])('after %s is rejected', async (_, at, message) => {
    const { client, messages, body } = await threeThoughts();
    const changed =
      message.content === ' '
        ? messages.filter((_each, index) => index !== at)
        : replaced(messages, at, message);
    expect(await answerTo(client, { ...body, messages: changed })).toContain(differentConversation);
  });

  it('after a changed system prompt or changed tools is rejected with the reason', async () => {
    const { client, body } = await threeThoughts(opus, { system: 'Be brief.', tools });
    expect(await answerTo(client, body)).toBe('accepted');
    expect(await answerTo(client, { ...body, system: 'Be long.' })).toContain(
      'The `system` prompt differs from the one this block was created with.',
    );
    expect(await answerTo(client, { ...body, tools: [] })).toContain(differentConversation);
  });

  it('stays valid with moved cache_control, shorthand, split messages, effort or max_tokens', async () => {
    const { client, messages, body } = await threeThoughts(opus, { system: 'Be brief.', tools });
    const cache_control = { type: 'ephemeral' as const };
    const respelled = replaced(messages, 0, {
      role: 'user',
      content: [{ type: 'text', text: 'Begin', cache_control }],
    });
    const split = respelled.flatMap((message): object[] =>
      typeof message.content === 'string'
        ? [message]
        : message.content.map((block) => ({ role: message.role, content: [block] })),
    );
    const same = {
      ...body,
      messages: split,
      max_tokens: 77,
      system: [{ type: 'text', text: 'Be brief.', cache_control }],
      tools: tools.map((tool) => ({ ...tool, cache_control })),
      output_config: { effort: 'high' },
    };
    expect(await answerTo(client, same)).toBe('accepted');
  });

  it('that failed is dropped on demand, with all later thinking, and is not counted', async () => {
    const { client, messages, body } = await threeThoughts();
    const changed = replaced(messages, 2, user('Go on!'));
    const params = { ...body, ...dropBlock, messages: changed };
    const answer = await client.post<Anthropic.Beta.BetaMessage>('/v1/messages', {
      body: params,
      headers: { 'anthropic-beta': beta },
    });
    const reason = 'prefix_binding_mismatch';
    expect(answer.input_transformations).toEqual([
      { type: 'thinking_dropped', path: 'messages.3.content.0', reason },
      { type: 'thinking_dropped', path: 'messages.5.content.0', reason },
    ]);
    const rest = withoutThinkingIn(changed, 3, 5);
    const bare = await client.messages.countTokens({ model: opus, messages: rest });
    expect(answer.usage.input_tokens).toBe(bare.input_tokens);
    expect(await answerTo(client, { ...body, messages: changed })).toContain(differentConversation);
  });

  it('that is valid is reported with an empty list when the beta is on', async () => {
    const { client, body } = await threeThoughts();
    const sent = { ...body, betas: [beta as Anthropic.Beta.AnthropicBeta] };
    const answer = await client.beta.messages.create(sent);
    expect(answer.input_transformations).toEqual([]);
  });

  it('of another model is left out without an error', async () => {
    const { client, body } = await threeThoughts();
    const model = 'claude-fable-5-2';
    const answer = await client.post<Anthropic.Beta.BetaMessage>('/v1/messages', {
      body: { ...body, model },
      headers: { 'anthropic-beta': beta },
    });
    expect(answer.input_transformations?.map((each) => each.reason)).toEqual([
      'model_binding_mismatch',
      'model_binding_mismatch',
      'model_binding_mismatch',
    ]);
  });

  it('without a signature of the strict server is rejected', async () => {
    const { client, messages, body } = await threeThoughts();
    for (const block of [
      { type: 'thinking', thinking: '', signature: 'made.up' },
      { type: 'redacted_thinking', data: 'made up' },
    ]) {
      const content = [block, { type: 'text', text: 'Two.' }] as Anthropic.ContentBlockParam[];
      const forged = replaced(messages, 3, { role: 'assistant', content });
      expect(await answerTo(client, { ...body, messages: forged })).toContain(
        'messages.3.content.0: Invalid',
      );
    }
  });

  it('with a changed text is rejected, with a separate message for the latest message', async () => {
    const { client, messages, body } = await threeThoughts();
    const reworded = (index: number) =>
      messages.map((message, at) =>
        at === index && typeof message.content !== 'string'
          ? {
              ...message,
              content: message.content.map((block) =>
                block.type === 'thinking' ? { ...block, thinking: 'Reworded.' } : block,
              ),
            }
          : message,
      );
    expect(await answerTo(client, { ...body, messages: reworded(3) })).toBe(
      '400 invalid_request_error: messages.3.content.0: Invalid `signature` in `thinking` block',
    );
    expect(await answerTo(client, { ...body, messages: reworded(5) })).toBe(
      `400 invalid_request_error: messages.5.content.0: ${unmodifiable}`,
    );
  });

  it('of the latest message stays complete', async () => {
    const { client } = await startDouble(
      saysInTurn([
        thought('First.'),
        said('One.'),
        thought('Second.'),
        { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} },
      ]),
    );
    const ask = { model: opus, max_tokens: 5_000, tools };
    const first = await client.messages.create({ ...ask, messages: [user('Begin')] });
    const next = (content: readonly unknown[], more: readonly object[] = []) =>
      answerTo(client, {
        ...ask,
        messages: [
          user('Begin'),
          { role: 'assistant', content },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
          ...more,
        ],
      });
    expect(await next(first.content)).toBe('accepted');
    expect(await next(first.content.slice(1))).toContain(unmodifiable);
    expect(await next(first.content.filter((_, at) => at !== 2))).toContain(unmodifiable);
    expect(await next(first.content.filter(({ type }) => type !== 'thinking'))).toBe('accepted');
    const later = { role: 'assistant', content: 'Read.' };
    expect(await next(first.content.slice(1), [later, user('Then?')])).toBe('accepted');
  });

  it('from a stream is bound, too', async () => {
    const { client } = await startDouble(saysInTurn([thought('First.'), said('One.')]));
    const ask = { model: opus, max_tokens: 5_000, system: 'Be brief.' };
    const { content } = await client.messages
      .stream({ ...ask, messages: [user('Begin')] })
      .finalMessage();
    const messages = [user('Begin'), { role: 'assistant', content }, user('Then?')];
    expect(await answerTo(client, { ...ask, messages })).toBe('accepted');
    expect(await answerTo(client, { ...ask, system: 'No.', messages })).toContain('`system`');
  });

  it('of an older model is signed but not bound', async () => {
    const thinking = { type: 'enabled', budget_tokens: 1_024 };
    const { client, messages, body } = await threeThoughts(haiku45, { thinking });
    expect(messages[1]?.content[0]).toMatchObject({ thinking: 'First.' });
    const changed = replaced(messages, 0, user('Begin!'));
    expect(await answerTo(client, { ...body, messages: changed })).toBe('accepted');
    const forged = replaced(messages, 1, {
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'First.', signature: 'made.up' }],
    });
    expect(await answerTo(client, { ...body, messages: forged })).toContain('Invalid `signature`');
  });

  it('with its text left out is still counted', async () => {
    const { client, messages } = await threeThoughts();
    const count = async (sent: readonly Message[]) =>
      (await client.messages.countTokens({ model: opus, messages: [...sent] })).input_tokens;
    expect(await count(messages)).toBeGreaterThan(
      await count(withoutThinkingIn(messages, 1, 3, 5)),
    );
  });
});
