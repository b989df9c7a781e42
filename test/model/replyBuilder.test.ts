import { describe, expect, it } from 'vitest';
import { ReplyBuilder } from '../../src/model/replyBuilder';

type Event = Parameters<ReplyBuilder['take']>[0];

/** Builds a reply from events written as plain objects, as compatible servers send them. */
function built(...events: readonly object[]) {
  const builder = new ReplyBuilder('asked-model');
  for (const event of events) builder.take(event as Event);
  return builder.finish();
}

const start = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
});
const delta = (index: number, fields: object) => ({
  type: 'content_block_delta',
  index,
  delta: fields,
});
const json = (index: number, partial_json: string) =>
  delta(index, { type: 'input_json_delta', partial_json });
const ended = (stop_reason: string | null, usage: object = {}) => ({
  type: 'message_delta',
  delta: { stop_reason },
  usage,
});
const stop = { type: 'message_stop' };
const tool = (input: unknown = {}) => ({ type: 'tool_use', id: 't1', name: 'edit', input });

describe('a reply built of events', () => {
  it('is complete only after message_stop', () => {
    expect(built(ended('end_turn'))).toBeUndefined();
    expect(built(ended('end_turn'), stop)).toBeDefined();
  });

  it('omits blocks of unknown types and empty texts', () => {
    const reply = built(
      start(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      json(0, '{"query":"x"}'),
      start(1, { type: 'text', text: '' }),
      delta(1, { type: 'text_delta', text: 'Found.' }),
      delta(1, { type: 'citations_delta', citation: {} }),
      start(2, { type: 'text', text: '' }),
      start(3, { type: 'from_the_future' }),
      { type: 'event_from_the_future' },
      ended('end_turn'),
      stop,
    );
    expect(reply?.parts).toEqual([{ type: 'text', text: 'Found.' }]);
  });

  it('keeps redacted thinking, and thinking that is only a signature', () => {
    const reply = built(
      start(0, { type: 'redacted_thinking', data: 'abc' }),
      start(1, { type: 'thinking', thinking: '', signature: '' }),
      delta(1, { type: 'signature_delta', signature: 'sig' }),
      ended('end_turn'),
      stop,
    );
    expect(reply?.parts).toEqual([
      { type: 'redactedThinking', data: 'abc' },
      { type: 'thinking', thinking: '', signature: 'sig' },
    ]);
  });

  it.each([
    ['the deltas', {}, ['{"a":', '1}'], { a: 1 }],
    ['the start if there are no deltas', { a: 1 }, [''], { a: 1 }],
    ['an empty object if it is null', null, [], {}],
  ])('reads a tool input from %s', (_, given, deltas, input) => {
    const reply = built(
      start(0, tool(given)),
      ...deltas.map((d) => json(0, d)),
      ended('tool_use'),
      stop,
    );
    expect(reply?.parts).toEqual([{ type: 'toolUse', use: { id: 't1', name: 'edit', input } }]);
  });

  const deep = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

  it.each([
    ['is an array', {}, '[1]', 'is not a JSON object'],
    ['is a string', {}, '"rm -rf"', 'is not a JSON object'],
    ['is broken, since it might be run', {}, '{"a":1,"b":"c', 'is not a JSON object'],
    ['is too deep', {}, deep(501), 'nested deeper than 500 levels'],
    ['is deeper than any stack', {}, deep(1_000_000), 'nested deeper than 500 levels'],
    ['is too deep at the start', JSON.parse(deep(501)), '', 'nested deeper than 500 levels'],
    ['has a number that is too large', {}, '{"a":[1e400]}', 'a number that is too large'],
  ])('rejects a tool input that %s, and says why', (_, given, written, why) => {
    const reply = built(start(0, tool(given)), json(0, written), ended('tool_use'), stop);
    expect(reply?.parts).toEqual([
      {
        type: 'toolUse',
        use: { id: 't1', name: 'edit', input: {}, inputFault: expect.stringContaining(why) },
      },
    ]);
  });

  it('reads a tool input of 500 levels', () => {
    const reply = built(start(0, tool()), json(0, deep(500)), ended('tool_use'), stop);
    expect(reply?.parts).toEqual([
      { type: 'toolUse', use: { id: 't1', name: 'edit', input: JSON.parse(deep(500)) } },
    ]);
  });

  it('reads a deeply nested, cut input fast', () => {
    const cut = `{"a":1,"b":${'[0,'.repeat(100_000)}`;
    const reply = built(start(0, tool()), json(0, cut), ended('max_tokens'), stop);
    expect(reply?.parts).toMatchObject([{ use: { input: {} } }]);
  });

  it.each(['max_tokens', 'model_context_window_exceeded'])(
    'keeps the complete members of an input cut by %s',
    (reason) => {
      const reply = built(start(0, tool()), json(0, '{"a":1,"b":"c'), ended(reason), stop);
      expect(reply?.stopReason).toBe(reason);
      expect(reply?.parts).toMatchObject([{ use: { input: { a: 1 } } }]);
    },
  );

  it('ignores null as a number and treats usage as cumulative', () => {
    const usage = { input_tokens: 4, cache_read_input_tokens: 150_000, output_tokens: 1 };
    const reply = built(
      { type: 'message_start', message: { model: 'm', usage } },
      ended('end_turn', {
        input_tokens: null,
        cache_creation_input_tokens: 2_000,
        cache_creation: { ephemeral_5m_input_tokens: 500, ephemeral_1h_input_tokens: 1_500 },
        cache_read_input_tokens: 0,
        output_tokens: 900,
      }),
      stop,
    );
    expect(reply).toMatchObject({
      model: 'm',
      usage: {
        inputTokens: 4,
        cacheCreationTokens: 2_000,
        cacheCreation1hTokens: 1_500,
        cacheReadTokens: 150_000,
        outputTokens: 900,
      },
    });
  });

  it('derives a stop reason if the server sends no known one', () => {
    expect(built(ended(null), stop)?.stopReason).toBe('end_turn');
    expect(built(start(0, tool()), ended('tool_calls'), stop)?.stopReason).toBe('tool_use');
    expect(built(ended('refusal'), stop)?.stopReason).toBe('refusal');
  });

  it('names the requested model if the server names none', () => {
    expect(built(ended('end_turn'), stop)?.model).toBe('asked-model');
  });
});

describe('numbers that no server can mean', () => {
  const NEVER = [-1, 0.5, 1_000_000_001, 2 ** 53, 1e308, '12', true, {}, []];

  it.each(NEVER)('are ignored and reported to the user: %j', (value) => {
    const reply = built(
      { type: 'message_start', message: { model: 'm', usage: { input_tokens: 40 } } },
      ended('end_turn', { cache_read_input_tokens: value, output_tokens: 7 }),
      stop,
    );
    // 40 tokens alone would be far too few: the tokens read from the cache are missing.
    expect(reply?.usage).toEqual({
      inputTokens: 0,
      cacheCreationTokens: 0,
      cacheReadTokens: 0,
      outputTokens: 7,
    });
    expect(reply?.problems).toEqual([
      expect.stringContaining(
        'impossible token usage, which Plimsoll ignored: cache_read_input_tokens.',
      ),
    ]);
  });

  it.each([0, 1_000_000_000])('are accepted at the limits: %d', (value) => {
    const reply = built(ended('end_turn', { input_tokens: value }), stop);
    expect(reply?.usage.inputTokens).toBe(value);
    expect(reply).not.toHaveProperty('problems');
  });

  it.each(NEVER)("are omitted from the report of the API's own edits: %j", (value) => {
    const applied_edits = [{ type: 'clear', cleared_tool_uses: value, cleared_input_tokens: 3 }];
    const reply = built({ ...ended('end_turn'), context_management: { applied_edits } }, stop);
    expect(reply?.appliedEdits).toEqual([{ type: 'clear', clearedInputTokens: 3 }]);
  });
});
