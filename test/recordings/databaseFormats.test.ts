import { describe, expect, it } from 'vitest';
import { drawn, transcriptOf } from './support/drawnTranscript';

describe('a session of Goose', () => {
  const text = (words: string) => ({ type: 'text', text: words });
  const message = (role: string, content: readonly object[], metadata: object = {}) => ({
    role,
    created: 1_800_000_000,
    content,
    metadata,
  });
  const request = (id: string, name: string) => ({
    type: 'toolRequest',
    id,
    toolCall: { status: 'success', value: { name, arguments: { path: 'a' } } },
  });
  const response = (id: string, toolResult: object) => ({ type: 'toolResponse', id, toolResult });
  const session = (...conversation: readonly object[]) => ({
    id: '1',
    working_dir: '/app',
    conversation,
    input_tokens: 900,
    output_tokens: 50,
    model_config: { model_name: 'gpt-5.4' },
  });

  it('has each call with its result, its model, and the usage of its newest request', () => {
    const image = { type: 'image', data: 'abcd', mimeType: 'image/png' };
    const recorded = session(
      message('user', [text('Go.')]),
      message('assistant', [text('I look.'), request('c1', 'view'), request('c2', 'shell')]),
      message('user', [
        response('c1', {
          status: 'success',
          value: {
            content: [
              { ...text('for the model'), annotations: { audience: ['assistant'] } },
              { ...text('for the user'), annotations: { audience: ['user'] } },
              { type: 'resource', resource: { uri: 'a', text: 'a text' } },
              image,
            ],
            isError: false,
          },
        }),
        response('c2', { status: 'error', error: 'It failed.' }),
      ]),
      message('assistant', [{ type: 'thinking', thinking: '', signature: '' }, text('Done.')]),
      message('assistant', [{ type: 'systemNotification', msg: 'Compacted' }]),
    );
    expect(drawn(recorded)).toEqual([
      'prompt Go.',
      'reply I look. view(c1)=for the model\na text [image image/png 4] shell(c2)!It failed.',
      'reply Done.',
    ]);
    const { entries } = transcriptOf(session(...recorded.conversation.slice(0, 4)));
    expect(entries.map((entry) => entry.type === 'reply' && [entry.model, entry.usage])).toEqual([
      false,
      ['gpt-5.4', undefined],
      ['gpt-5.4', expect.objectContaining({ inputTokens: 900, outputTokens: 50 })],
    ]);
    expect(entries[0]?.at).toBe(1_800_000_000_000);
  });

  it('has the list of parts alone in the results of older versions', () => {
    const result = response('c1', { status: 'success', value: [text('a')] });
    expect(
      drawn(
        session(
          message('user', [text('Go.')]),
          message('assistant', [request('c1', 'view')]),
          message('user', [result]),
        ),
      )[1],
    ).toBe('reply view(c1)=a');
  });

  it('has each compaction with its summary, and each prompt once', () => {
    const gone = { userVisible: true, agentVisible: false };
    const invisible = { userVisible: false, agentVisible: false };
    const agentOnly = { userVisible: false, agentVisible: true };
    const goOn = [text('Your context was compacted.')];
    expect(
      drawn(
        session(
          message('user', [text('Go.')], gone),
          message('assistant', [text('Going.')], gone),
          message('user', [text('First summary.')], invisible),
          message('assistant', goOn, invisible),
          message('user', [text('Go on.')], invisible),
          message('user', [text('Second summary.')], agentOnly),
          message('assistant', goOn, agentOnly),
          message('user', [text('Go on.')]),
          message('assistant', [text('Done.')]),
        ),
      ),
    ).toEqual([
      'prompt Go.',
      'reply Going.',
      'compacted First summary.',
      'compacted Second summary.',
      'prompt Go on.',
      'reply Done.',
    ]);
  });

  it('of version 1.51 has the usage of each request, and what was charged for a summary', () => {
    const at = (created: number, one: object) => ({ ...one, created });
    const row = (created_timestamp: number, input_tokens: number, more: object = {}) => ({
      created_timestamp,
      input_tokens,
      output_tokens: 5,
      cache_read_tokens: 400,
      cache_write_tokens: null,
      model: 'claude-sonnet-4-5',
      is_compaction: 0,
      ...more,
    });
    const hidden = { userVisible: false };
    const recorded = {
      ...session(
        at(10, message('user', [text('Go.')])),
        at(11, message('assistant', [text('I look.'), request('c1', 'view')])),
        at(12, message('user', [response('c1', { status: 'success', value: [text('a')] })])),
        // In the second in which the request before it was counted.
        at(13, message('assistant', [text('Done.')])),
        at(20, message('user', [text('So far.')], hidden)),
        at(20, message('assistant', [text('Go on.')], hidden)),
        at(21, message('assistant', [text('More.')])),
      ),
      usage_ledger: [
        row(13, 900, { cost: 0.5 }),
        row(14, 1_000, { model: null }),
        row(20, 7_000, { is_compaction: 1 }),
        row(22, 500),
        { created_timestamp: 'soon', input_tokens: 9 },
        7,
      ],
    };
    const [, first, second, compaction, third] = transcriptOf(recorded).entries;
    const of = (inputTokens: number) => ({ usage: { inputTokens, cacheReadTokens: 400 } });
    expect(first).toMatchObject({ ...of(500), usd: 0.5, model: 'claude-sonnet-4-5' });
    expect(second).toMatchObject({ ...of(600), model: 'gpt-5.4' });
    expect(compaction).toMatchObject({ type: 'compacted', summary: 'So far.' });
    expect(third).toMatchObject({ ...of(100), otherCharges: [of(6_600)] });
  });
});

describe('a session of Crush', () => {
  const message = (role: string, parts: readonly (readonly [string, object])[], more = {}) => ({
    role,
    model: 'm',
    created_at: 1_800_000_000,
    ...more,
    parts: parts.map(([type, data]) => ({ type, data })),
  });
  const text = (words: string) => ['text', { text: words }] as const;
  const session = (...messages: readonly object[]) => ({
    session: { id: 's', prompt_tokens: 900, completion_tokens: 50 },
    messages,
  });

  it('has each call with its result, images, and the usage of its newest request', () => {
    const call = (id: string) =>
      ['tool_call', { id, name: 'view', input: '{"path":"a"}' }] as const;
    const result = (id: string, more: object) =>
      ['tool_result', { tool_call_id: id, content: 'a', is_error: false, ...more }] as const;
    const recorded = session(
      message('user', [text('Go.'), ['binary', { MIMEType: 'image/png', Data: 'abcd' }]]),
      message('assistant', [['reasoning', { thinking: 'x' }], call('c1'), call('c2')]),
      message('tool', [result('c1', { is_error: true }), result('c2', {})]),
      message('assistant', [text('Done.'), ['finish', { reason: 'end_turn' }]]),
      message('user', [['shell_command', { command: 'ls' }]]),
    );
    expect(drawn(recorded)).toEqual([
      'prompt Go. [image image/png 4]',
      'reply view(c1)!a view(c2)=a',
      'reply Done.',
    ]);
    const { entries, notes } = transcriptOf(recorded);
    expect(entries[2]).toMatchObject({ model: 'm', usage: { inputTokens: 900, outputTokens: 50 } });
    expect(notes).toContain("1 line of the user's own commands skipped.");
  });

  it('has each summary as a compaction', () => {
    expect(
      drawn(
        session(
          message('user', [text('Go.')]),
          message('assistant', [text('Going.')]),
          message('assistant', [text('So far.')], { is_summary_message: 1 }),
          message('assistant', [text('Done.')]),
        ),
      ),
    ).toEqual(['prompt Go.', 'reply Going.', 'compacted So far.', 'reply Done.']);
  });
});

describe('a thread of Zed', () => {
  const usage = { input_tokens: 9, cache_read_input_tokens: 40, output_tokens: 5 };
  const thread = (version: string, messages: readonly unknown[], more: object = {}) => ({
    version,
    updated_at: '2026-11-24T10:00:00Z',
    messages,
    model: { provider: 'anthropic', model: 'claude-sonnet-4-5' },
    ...more,
  });

  it('of version 0.3 has each call with its result, mentions, images, and the usage of each turn', () => {
    const use = { id: 'c1', name: 'read_file', raw_input: '{}', input: { path: 'a' } };
    const result = (content: unknown) => ({ tool_use_id: 'c1', is_error: false, content });
    const messages = [
      {
        User: {
          id: 'u1',
          content: [
            { Text: 'Go.' },
            { Mention: { uri: { File: { abs_path: '/a' } }, content: 'a file' } },
            { Image: { source: 'abcd', size: null } },
          ],
        },
      },
      {
        Agent: {
          content: [
            { Thinking: { text: 'x', signature: null } },
            { Text: 'I look.' },
            { ToolUse: use },
          ],
          tool_results: { c1: result([{ Text: 'a' }, { Image: { source: 'ab' } }]) },
        },
      },
      'Resume',
      { Agent: { content: [{ Text: 'Done.' }], tool_results: {} } },
    ];
    const recorded = thread('0.3.0', messages, {
      title: 'The parser',
      request_token_usage: { u1: usage },
    });
    expect(drawn(recorded)).toEqual([
      'prompt Go.\na file [image image/png 4]',
      'reply I look. read_file(c1)=a [image image/png 2]',
      'reply Done.',
    ]);
    const { entries } = transcriptOf(recorded);
    expect(entries.map((entry) => entry.type === 'reply' && entry.usage?.cacheReadTokens)).toEqual([
      false,
      undefined,
      40,
    ]);
  });

  it('of earlier versions has the results in the same or in the next message', () => {
    const uses = [{ id: 'c1', name: 'read_file', input: {} }];
    const results = [{ tool_use_id: 'c1', is_error: false, content: 'a', output: null }];
    const said = (role: string, words: string, more: object = {}) => ({
      id: 1,
      role,
      segments: [{ type: 'text', text: words }],
      ...more,
    });
    const lines = ['prompt Go.', 'reply I look. read_file(c1)=a', 'reply Done.'];
    const later = [
      said('user', 'Go.'),
      said('assistant', 'I look.', { tool_uses: uses, tool_results: results }),
      said('assistant', 'Done.'),
    ];
    expect(drawn(thread('0.2.0', later, { summary: 'T' }))).toEqual(lines);
    const first = [
      said('user', 'Go.'),
      said('assistant', 'I look.', { tool_uses: uses }),
      said('user', 'Here are the results.', { tool_results: results }),
      said('assistant', 'Done.'),
    ];
    expect(drawn(thread('0.1.0', first, { summary: 'T' }))).toEqual(lines);
  });

  it('since version 1.7 has its compactions, which keep the prompts', () => {
    const said = (id: string, ...words: readonly string[]) => ({
      User: { id, content: words.map((Text) => ({ Text })) },
    });
    const replied = (Text: string) => ({ Agent: { content: [{ Text }], tool_results: {} } });
    const thread = (...messages: readonly object[]) => ({
      version: '0.3.0',
      title: 'The parser',
      updated_at: '2026-06-30T10:00:00Z',
      model: { provider: 'p', model: 'm' },
      request_token_usage: {},
      messages,
    });
    const native = { ProviderNative: { provider: 'openai', items: [{}] } };
    const recorded = thread(
      said('u1', 'Go.'),
      replied('One.'),
      { Compaction: { Summary: 'So far.' } },
      said('u2', 'On.'),
      replied('Two.'),
      // The user asked for it.
      said('u3'),
      { Compaction: native },
      said('u4', 'x'.repeat(80_000)),
      replied('Three.'),
      { Compaction: { Summary: 'More.' } },
      said('u5', 'End.'),
      replied('Four.'),
    );
    expect(drawn(recorded).map((line) => line.slice(0, 30))).toEqual([
      'prompt Go.',
      'reply One.',
      'compacted So far. keeping 0',
      'prompt On.',
      'reply Two.',
      'compacted  keeping 0 3',
      `prompt ${'x'.repeat(23)}`,
      'reply Three.',
      'compacted More. keeping 6',
      'prompt End.',
      'reply Four.',
    ]);
    const { entries, notes } = transcriptOf(recorded);
    expect(entries.flatMap((one) => (one.type === 'compacted' ? [one.byUser] : []))).toEqual([
      undefined,
      true,
      undefined,
    ]);
    expect(notes).toEqual([]);
  });

  it('has the input of a call, also where its form is named', () => {
    const use = (id: string, input: unknown) => ({ ToolUse: { id, name: 'read', input } });
    const { entries } = transcriptOf({
      title: 't',
      updated_at: '2026-06-30T10:00:00Z',
      messages: [
        { User: { id: 'u', content: [{ Text: 'Go.' }] } },
        {
          Agent: {
            content: [
              use('a', { type: 'json', value: { path: 'a' } }),
              use('b', { type: 'text', value: 'free' }),
              use('c', { type: 'json', path: 'c' }),
            ],
            tool_results: {},
          },
        },
      ],
    });
    const [, reply] = entries;
    const parts = reply?.type === 'reply' ? reply.parts : [];
    expect(parts.map((part) => part.type === 'toolUse' && part.use.input)).toEqual([
      { path: 'a' },
      { input: 'free' },
      { type: 'json', path: 'c' },
    ]);
  });

  it('with a message that is damaged, or of a later version, has the others', () => {
    const { entries, notes } = transcriptOf({
      title: 't',
      updated_at: '2026-06-30T10:00:00Z',
      messages: [
        { User: { id: 'u', content: [{ Text: 'Go.' }] } },
        null,
        { Later: {} },
        { Agent: { content: [{ Text: 'Gone.' }], tool_results: {} } },
      ],
    });
    expect(entries.map(({ type }) => type)).toEqual(['prompt', 'reply']);
    expect(notes).toEqual([
      'Message 2 left out; it cannot be read: it is not a message.',
      '1 part of an unknown kind skipped.',
    ]);
  });
});
