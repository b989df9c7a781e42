import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type Anthropic from '@anthropic-ai/sdk';
import { startStrictServer, type StrictServer } from '../../src/offline/strictServer';
import { validateRequest } from '../../src/offline/validateRequest';
import { answerTo, clientOf, haiku45, oldSonnet, opus, says, sonnet } from './double';

let server: StrictServer;
let client: Anthropic;

beforeAll(async () => {
  server = await startStrictServer({ respond: says('Hello.') });
  client = clientOf(server);
});

afterAll(() => server.close());

const ask = { role: 'user', content: 'Hi' };
const base = { model: sonnet, max_tokens: 100, messages: [ask] };
const readTool = { name: 'read_file', input_schema: { type: 'object' } };
const call = (id: string) => ({ type: 'tool_use', id, name: 'read_file', input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'text' });
const text = (words: string) => ({ type: 'text', text: words });
const cached = (words: string, ttl?: string) => ({
  ...text(words),
  cache_control: { type: 'ephemeral', ...(ttl === undefined ? {} : { ttl }) },
});

const answer = (changes: object) => answerTo(client, { ...base, ...changes });
const answerToMessages = (...messages: readonly object[]) => answer({ messages });
const refused = (message: string) => `400 invalid_request_error: ${message}`;

describe('a body', () => {
  it('that is valid is answered', async () => {
    expect(await answer({})).toBe('accepted');
  });

  it('may use every field the double knows', async () => {
    const everything = {
      system: [cached('Be brief.', '1h')],
      tools: [{ ...readTool, type: 'custom', description: 'Reads', strict: true }],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      thinking: { type: 'adaptive', display: 'summarized' },
      cache_control: { type: 'ephemeral' },
      output_config: { effort: 'low' },
      metadata: { user_id: 'u' },
      service_tier: 'auto',
      stop_sequences: ['STOP'],
      diagnostics: { previous_message_id: null },
    };
    expect(await answer(everything)).toBe('accepted');
  });

  it('with an unknown field is refused', async () => {
    expect(await answer({ xyz: 1 })).toBe(refused('xyz: Extra inputs are not permitted'));
  });

  it('without max_tokens is refused', async () => {
    const { max_tokens: _, ...rest } = base;
    expect(await answerTo(client, rest)).toBe(refused('max_tokens: Field required'));
  });

  it('with max_tokens that is no whole number is refused', async () => {
    expect(await answer({ max_tokens: 1.5 })).toBe(
      refused('max_tokens: Input should be a valid integer'),
    );
  });

  it('with negative max_tokens is refused', async () => {
    expect(await answer({ max_tokens: -1 })).toBe(
      refused('max_tokens: Input should be greater than or equal to 0'),
    );
  });

  it("with max_tokens over the model's maximum is refused, at the maximum accepted", async () => {
    expect(await answer({ max_tokens: 128_001, stream: true })).toBe(
      refused(
        'max_tokens: 128001 > 128000, which is the maximum allowed number of output tokens for claude-sonnet-5-5',
      ),
    );
    expect(await answer({ max_tokens: 128_000, stream: true })).toBe('accepted');
  });

  it('with an unknown model is answered 404', async () => {
    expect(await answer({ model: 'claude-none' })).toBe('404 not_found_error: model: claude-none');
  });

  it.each(['temperature', 'top_p', 'top_k'])('with %s is refused', async (name) => {
    expect(await answer({ [name]: 1 })).toBe(refused(`${name}: Extra inputs are not permitted`));
  });

  it('that is an array is refused', async () => {
    expect(await answerTo(client, [])).toBe(refused('body: Input should be an object'));
  });

  it('of wrong types is refused by the place of the first wrong one', async () => {
    expect(await answer({ stream: 'yes' })).toBe(
      refused('stream: Input should be a valid boolean'),
    );
    expect(await answer({ system: 5 })).toBe(refused('system: Input should be a valid array'));
    expect(await answer({ stop_sequences: [''] })).toBe(
      refused('stop_sequences.0: String should have at least 1 character'),
    );
    expect(await answer({ model: 7 })).toBe(refused('model: Input should be a valid string'));
  });
});

describe('messages', () => {
  it('must be there', async () => {
    expect(await answerToMessages()).toBe(refused('messages: at least one message is required'));
  });

  it('begin with the user', async () => {
    expect(await answerToMessages({ role: 'assistant', content: 'Hi' }, ask)).toBe(
      refused('messages: first message must use the "user" role'),
    );
  });

  it('know three roles', async () => {
    expect(await answerToMessages({ role: 'tool', content: 'x' })).toBe(
      refused("messages.0.role: Input should be 'user', 'assistant' or 'system'"),
    );
  });

  it('of the system follow a user message and need a model that takes them', async () => {
    const system = { role: 'system', content: 'Be brief.' };
    expect(await answerToMessages(ask, system)).toBe('accepted');
    expect(
      await answerToMessages(ask, { role: 'assistant', content: 'Yes' }, system, ask),
    ).toContain('a "system" message must directly follow a "user" message');
    expect(await answer({ model: haiku45, messages: [ask, system] })).toBe(
      refused("role 'system' is not supported on this model"),
    );
  });

  it('may not be empty', async () => {
    const message =
      'messages.0: all messages must have non-empty content except for the optional final assistant message';
    expect(await answerToMessages({ role: 'user', content: '' })).toBe(refused(message));
    expect(await answerToMessages({ role: 'user', content: [] })).toBe(refused(message));
  });

  it('may not hold empty text', async () => {
    const message = refused('messages: text content blocks must be non-empty');
    expect(await answerToMessages({ role: 'user', content: [text(''), text('a')] })).toBe(message);
  });

  it('may not hold text of whitespace only', async () => {
    const message = refused('messages: text content blocks must contain non-whitespace text');
    expect(await answerToMessages({ role: 'user', content: [text(' \n')] })).toBe(message);
    expect(await answerToMessages({ role: 'user', content: '  ' })).toBe(message);
  });

  it('may not hold empty text inside a tool result', async () => {
    const nested = { ...result('a'), content: [text('')] };
    expect(
      await answerToMessages(
        ask,
        { role: 'assistant', content: [call('a')] },
        { role: 'user', content: [nested] },
      ),
    ).toBe(refused('messages: text content blocks must be non-empty'));
  });

  it('hold only blocks of their role', async () => {
    expect(await answerToMessages({ role: 'user', content: [call('a')] })).toBe(
      refused('messages.0.content.0: `tool_use` blocks can only be in `assistant` messages'),
    );
    expect(
      await answerToMessages(ask, { role: 'assistant', content: [result('a')] }, ask),
    ).toContain('`tool_result` blocks can only be in `user` messages');
    const thinking = { type: 'thinking', thinking: 'x', signature: 'y' };
    expect(await answerToMessages({ role: 'user', content: [thinking] })).toContain(
      '`thinking` blocks can only be in `assistant` messages',
    );
    const document = {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'x' },
    };
    expect(await answerToMessages({ role: 'user', content: [document] })).toBe('accepted');
    expect(await answerToMessages(ask, { role: 'assistant', content: [document] }, ask)).toContain(
      '`document` blocks can only be in `user` messages',
    );
  });

  it('of the user carry no citations', async () => {
    const content = [{ ...text('x'), citations: [{ type: 'char_location' }] }];
    expect(await answerToMessages({ role: 'user', content })).toContain('citations');
  });

  it('hold no block of an unknown type', async () => {
    expect(await answerToMessages({ role: 'user', content: [{ type: 'video' }] })).toContain(
      "messages.0.content.0: Input tag 'video' found using 'type' does not match any of the expected tags: 'text', 'image'",
    );
  });

  it('hold no block with unknown fields', async () => {
    expect(await answerToMessages({ role: 'user', content: [{ ...text('a'), x: 1 }] })).toBe(
      refused('messages.0.content.0.text.x: Extra inputs are not permitted'),
    );
  });

  it('end with the user where the model takes no prefill', async () => {
    const prefilled = [ask, { role: 'assistant', content: 'The answer is' }];
    expect(await answer({ messages: prefilled })).toBe(
      refused(
        'This model does not support assistant message prefill. The conversation must end with a user message.',
      ),
    );
    expect(await answer({ model: haiku45, messages: prefilled })).toBe('accepted');
  });

  it('that are prefilled do not end with whitespace', async () => {
    const messages = [ask, { role: 'assistant', content: 'The answer is ' }];
    expect(await answer({ model: haiku45, messages })).toBe(
      refused('messages: final assistant content cannot end with trailing whitespace'),
    );
  });
});

describe('the system prompt', () => {
  it('may be empty as text but holds no empty block', async () => {
    expect(await answer({ system: '' })).toBe('accepted');
    expect(await answer({ system: [text('')] })).toBe(
      refused('system: text content blocks must be non-empty'),
    );
  });

  it('holds text only', async () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://a/b.png' } };
    expect(await answer({ system: [image] })).toContain("system.0: Input tag 'image'");
  });
});

describe('tools', () => {
  it('have names of letters, digits, _ and -', async () => {
    expect(await answer({ tools: [{ ...readTool, name: 'read file' }] })).toBe(
      refused("tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'"),
    );
  });

  it('have names of at most 128 characters', async () => {
    expect(await answer({ tools: [{ ...readTool, name: 'a'.repeat(129) }] })).toBe(
      refused('tools.0.custom.name: String should have at most 128 characters'),
    );
    expect(await answer({ tools: [{ ...readTool, name: 'a'.repeat(128) }] })).toBe('accepted');
  });

  it('have unique names', async () => {
    expect(await answer({ tools: [readTool, readTool] })).toBe(
      refused('tools: Tool names must be unique.'),
    );
  });

  it('have an input schema of type object', async () => {
    expect(await answer({ tools: [{ name: 'a' }] })).toBe(
      refused('tools.0.custom.input_schema: Field required'),
    );
    expect(await answer({ tools: [{ name: 'a', input_schema: { type: 'string' } }] })).toBe(
      refused("tools.0.custom.input_schema.type: Input should be 'object'"),
    );
    expect(await answer({ tools: [{ name: 'a', input_schema: {} }] })).toBe(
      refused('tools.0.custom.input_schema.type: Field required'),
    );
  });

  it('must be there for a tool choice', async () => {
    expect(await answer({ tool_choice: { type: 'auto' } })).toBe(
      refused('tool_choice may only be specified while providing tools.'),
    );
  });

  it('must hold the chosen one', async () => {
    expect(await answer({ tools: [readTool], tool_choice: { type: 'tool', name: 'b' } })).toBe(
      refused("Tool 'b' not found in provided tools"),
    );
  });

  it('cannot be forced on a model that always thinks', async () => {
    const forced = { tools: [readTool], tool_choice: { type: 'any' } };
    expect(await answer({ ...forced, model: opus })).toContain('not supported for this model');
    expect(await answer(forced)).toBe('accepted');
  });
});

describe('a tool pair', () => {
  const asks = (...calls: readonly object[]) => ({ role: 'assistant', content: calls });
  const gives = (...content: readonly object[]) => ({ role: 'user', content });
  const unanswered = (id: string) =>
    refused(
      `messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    );

  it('is accepted with text behind the results', async () => {
    expect(
      await answerToMessages(
        ask,
        asks(call('a'), call('b')),
        gives(result('b'), result('a'), text('Go on')),
      ),
    ).toBe('accepted');
  });

  it('without its result is refused', async () => {
    expect(await answerToMessages(ask, asks(call('a')), ask)).toBe(unanswered('a'));
    expect(await answerToMessages(ask, asks(call('a'), call('b')), gives(result('a')))).toBe(
      unanswered('b'),
    );
  });

  it('with a result that is not first in its message is refused', async () => {
    expect(await answerToMessages(ask, asks(call('a')), gives(text('Here'), result('a')))).toBe(
      unanswered('a'),
    );
  });

  it('with a result only in a later message is refused', async () => {
    expect(
      await answerToMessages(ask, asks(call('a')), ask, asks(text('Hm')), gives(result('a'))),
    ).toBe(unanswered('a'));
  });

  it('may be split over consecutive messages of one role, which are merged', async () => {
    expect(
      await answerToMessages(
        ask,
        asks(text('I read both.')),
        asks(call('a')),
        asks(call('b')),
        gives(result('a')),
        gives(result('b')),
        ask,
      ),
    ).toBe('accepted');
    expect(
      await answerToMessages(
        ask,
        asks(call('a')),
        asks(call('b')),
        ask,
        gives(result('a'), result('b')),
      ),
    ).toBe(unanswered('a, b'));
  });

  it('without its call is refused', async () => {
    const message = (place: string) =>
      refused(
        `${place}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: z. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    expect(await answerToMessages(gives(result('z')))).toBe(message('messages.0.content.0'));
    expect(await answerToMessages(ask, asks(call('a')), gives(result('a'), result('z')))).toBe(
      message('messages.2.content.1'),
    );
  });

  it('with two results is refused', async () => {
    expect(await answerToMessages(ask, asks(call('a')), gives(result('a'), result('a')))).toContain(
      'each tool_use must have a single result. Found multiple `tool_result` blocks with id: a',
    );
  });

  it('needs an id of its own', async () => {
    expect(
      await answerToMessages(
        ask,
        asks(call('a')),
        gives(result('a')),
        asks(call('a')),
        gives(result('a')),
      ),
    ).toBe(refused('messages.3.content.0: `tool_use` ids must be unique'));
  });

  it('needs an id of letters, digits, _ and -', async () => {
    expect(await answerToMessages(ask, asks(call('f:0')), gives(result('f:0')))).toBe(
      refused("messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"),
    );
  });

  it('needs an object as input', async () => {
    const bad = { ...call('a'), input: '{}' };
    expect(await answerToMessages(ask, asks(bad), gives(result('a')))).toBe(
      refused('messages.1.content.0.tool_use.input: Input should be a valid dictionary'),
    );
  });
});

describe('cache_control', () => {
  const user = (...content: readonly object[]) => answerToMessages({ role: 'user', content });

  it('may stand on four blocks, not on five', async () => {
    const four = ['a', 'b', 'c', 'd'].map((words) => cached(words));
    expect(await user(...four)).toBe('accepted');
    expect(await user(...four, cached('e'))).toBe(
      refused('A maximum of 4 blocks with cache_control may be provided. Found 5.'),
    );
  });

  it('is counted over tools, system, messages and the results inside them', async () => {
    const ephemeral = { cache_control: { type: 'ephemeral' } };
    const body = {
      cache_control: { type: 'ephemeral' },
      tools: [{ ...readTool, ...ephemeral }],
      system: [cached('s')],
      messages: [
        ask,
        { role: 'assistant', content: [{ ...call('a'), ...ephemeral }] },
        { role: 'user', content: [{ ...result('a'), content: [cached('r')] }] },
      ],
    };
    expect(await answer(body)).toContain('Found 5.');
  });

  it('may not stand on empty text', async () => {
    expect(await user(text('a'), cached(''))).toBe(
      refused('messages.0.content.1.text: cache_control cannot be set for empty text blocks'),
    );
  });

  it('may not stand on thinking', async () => {
    const thinking = {
      type: 'thinking',
      thinking: 'x',
      signature: 'y',
      cache_control: { type: 'ephemeral' },
    };
    expect(await answerToMessages(ask, { role: 'assistant', content: [thinking] }, ask)).toBe(
      refused('messages.1.content.0.thinking.cache_control: Extra inputs are not permitted'),
    );
  });

  it('of an hour stands before that of five minutes', async () => {
    expect(await user(cached('a', '1h'), cached('b'))).toBe('accepted');
    expect(await user(cached('a', '5m'), cached('b', '1h'))).toContain(
      "messages.0.content.1.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.",
    );
  });

  it('knows two lifetimes', async () => {
    expect(await user(cached('a', '2h'))).toContain("ttl: Input should be '5m' or '1h'");
  });
});

describe('the thinking setting', () => {
  it('must be one the model knows', async () => {
    expect(await answer({ model: opus, thinking: { type: 'disabled' } })).toBe(
      refused(
        '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
      ),
    );
    expect(await answer({ thinking: { type: 'disabled' } })).toBe('accepted');
  });

  it('leaves the budget between 1024 tokens and max_tokens', async () => {
    const budget = (budget_tokens: number) =>
      answer({
        model: haiku45,
        max_tokens: 2_000,
        thinking: { type: 'enabled', budget_tokens },
      });
    expect(await budget(1_023)).toContain('greater than or equal to 1024');
    expect(await budget(1_024)).toBe('accepted');
    expect(await budget(2_000)).toBe(
      refused('`max_tokens` must be greater than `thinking.budget_tokens`.'),
    );
  });

  it('goes with no forced tool', async () => {
    const body = {
      model: haiku45,
      max_tokens: 2_000,
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      tools: [readTool],
      tool_choice: { type: 'any' },
    };
    expect(await answer(body)).toBe(
      refused('Thinking may not be enabled when tool_choice forces tool use.'),
    );
  });

  it('may hold block_binding only with its beta', async () => {
    const thinking = {
      type: 'adaptive',
      block_binding: { prefix_mismatch_behavior: 'drop_block' },
    };
    expect(await answer({ thinking })).toBe(
      refused('thinking.adaptive.block_binding: Extra inputs are not permitted'),
    );
    const beta = { 'anthropic-beta': 'thinking-binding-controls-2026-08-01' };
    expect(await answerTo(client, { ...base, thinking }, '/v1/messages', beta)).toBe('accepted');
  });
});

describe('headers', () => {
  const send = async (headers: Record<string, string>, body: string = JSON.stringify(base)) => {
    const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', headers, body });
    const answered = (await response.json()) as { error?: { message: string } };
    return `${response.status} ${answered.error?.message ?? 'accepted'}`;
  };
  const version = { 'anthropic-version': '2026-10-21' };
  const key = { 'x-api-key': 'test-key' };

  it('need a credential, either way', async () => {
    expect(await send(version)).toBe('401 x-api-key header is required');
    expect(await send({ ...version, authorization: 'Bearer ' })).toContain('401');
    expect(await send({ ...version, ...key })).toBe('200 accepted');
    expect(await send({ ...version, authorization: 'Bearer test-key' })).toBe('200 accepted');
  });

  it('need a known version', async () => {
    expect(await send(key)).toBe('400 anthropic-version: header is required');
    expect(await send({ ...key, 'anthropic-version': '2020-01-01' })).toContain(
      'is not a valid version',
    );
  });

  it('name known betas only', async () => {
    expect(await send({ ...version, ...key, 'anthropic-beta': 'made-up-2026-01-01' })).toContain(
      'Unexpected value(s) `made-up-2026-01-01`',
    );
  });

  it('of the SDK are a bearer token and the newest version, and no credential is recorded', async () => {
    await client.messages.create({ ...base, messages: [{ role: 'user', content: 'Hi' }] });
    const { headers } = server.requests.at(-1)!;
    expect(headers['anthropic-version']).toBe('2026-10-21');
    expect(JSON.stringify(server.requests)).not.toContain('test-key');
  });

  it('of an older version leave sampling to older models', async () => {
    const old = { ...key, 'anthropic-version': '2023-06-01' };
    const warm = (model: string, temperature = 0.5) =>
      send(old, JSON.stringify({ ...base, model, temperature }));
    expect(await warm(haiku45)).toBe('200 accepted');
    expect(await warm(haiku45, 2)).toBe('400 temperature: range: 0..1');
    expect(await warm(sonnet)).toBe('400 `temperature` is deprecated for this model.');
  });

  it('do not save a body that is no JSON', async () => {
    expect(await send({ ...version, ...key }, '{"model":')).toBe(
      '400 The request body is not valid JSON.',
    );
  });
});

describe('the server', () => {
  it('refuses a body over 32 MB', async () => {
    const content = 'a'.repeat(32 * 1024 * 1024);
    expect(await answerToMessages({ role: 'user', content })).toBe(
      '413 request_too_large: Request exceeds the maximum size',
    );
  });

  it('knows no other paths and methods', async () => {
    expect(await answerTo(client, base, '/v1/complete')).toBe('404 not_found_error: Not found');
    const headers = { 'x-api-key': 'k', 'anthropic-version': '2026-10-21' };
    expect((await fetch(`${server.url}/v1/messages`, { headers })).status).toBe(405);
  });

  it('puts a request id on refusals', async () => {
    const error = await client.post('/v1/messages', { body: {} }).catch((e: unknown) => e);
    expect(error).toMatchObject({ requestID: expect.stringMatching(/^req_offline_\d+$/) });
  });
});

describe('count_tokens', () => {
  const count = (body: object) => answerTo(client, body, '/v1/messages/count_tokens');
  const counted = { model: sonnet, messages: [ask] };

  it('takes neither max_tokens nor stream', async () => {
    expect(await count(counted)).toBe('accepted');
    expect(await count({ ...counted, max_tokens: 1 })).toBe(
      refused('max_tokens: Extra inputs are not permitted'),
    );
    expect(await count({ ...counted, stream: true })).toBe(
      refused('stream: Extra inputs are not permitted'),
    );
  });

  it('refuses what messages refuses', async () => {
    expect(await count({ ...counted, model: 'claude-none' })).toContain('404');
    expect(await count({ ...counted, messages: [] })).toContain('at least one message');
    expect(
      await count({
        ...counted,
        messages: [ask, { role: 'assistant', content: [call('a')] }, ask],
      }),
    ).toContain('`tool_use` ids were found without');
  });
});

describe('a recorded body', () => {
  it('is validated without a server', () => {
    expect(validateRequest(JSON.parse(JSON.stringify({ ...base, stream: true })))).toBeUndefined();
    expect(validateRequest({ ...base, max_tokens: 64_001, model: oldSonnet })).toMatchObject({
      status: 400,
    });
  });
});
