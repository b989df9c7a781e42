import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/agent/model';
import { AnthropicModel } from '../../src/model/anthropicModel';
import { makeClient } from '../../src/model/client';
import { ReplyBuilder } from '../../src/model/replyBuilder';
import { AnthropicTokenCounter } from '../../src/model/tokenCounter';
import type { ContextEdit } from '../../src/contextWindow/contextEditing';
import type { Respond } from '../../src/offline/messagesApi';
import { ask, double, editTool, failureIn, KEY, oddServer, prompt, replyIn, says } from './asking';
import type { Message, MessagePart } from '../../src/contextWindow/request/blockMessages';

const free = new AbortController().signal;
const opus = 'claude-opus-5-5';

const tokens = (value: number) => ({ type: 'input_tokens', value }) as const;
const clearThinking: ContextEdit = {
  type: 'clear_thinking_20251015',
  keep: { type: 'thinking_turns', value: 1 },
};
const clearTools: ContextEdit = {
  type: 'clear_tool_uses_20250919',
  trigger: tokens(100),
  keep: { type: 'tool_uses', value: 1 },
  clear_at_least: tokens(50),
  exclude_tools: ['search'],
  clear_tool_inputs: true,
};
const compact: ContextEdit = { type: 'compact_20260112', trigger: tokens(50_000) };

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const words = (count: number) => 'word '.repeat(count).trim();

/** A request with one edit_file call for each number of words; its result has that many words. */
function calls(results: readonly number[], contextEdits: readonly ContextEdit[]): ModelRequest {
  const messages: readonly Message[] = [
    user('Begin'),
    ...results.flatMap((count, at): Message[] => {
      const id = `toolu_${at}`;
      const use: MessagePart = { type: 'tool_use', id, name: 'edit_file', input: {} };
      const result: MessagePart = { type: 'tool_result', tool_use_id: id, content: words(count) };
      return [
        { role: 'assistant', content: [use] },
        { role: 'user', content: [result] },
      ];
    }),
  ];
  return prompt('', { model: opus, tools: [editTool], messages, contextEdits });
}

const thinking: Respond = () => ({
  content: [
    { type: 'thinking', thinking: words(200) },
    { type: 'text', text: 'So.' },
  ],
});

/** A conversation with two thoughts and a third prompt. */
async function thoughts(contextEdits: readonly ContextEdit[]) {
  const { model, server } = await double(thinking);
  let messages: readonly Message[] = [user('Go')];
  for (let turn = 0; turn < 2; turn += 1) {
    const { parts } = replyIn((await ask(model, prompt('', { model: opus, messages }))).result);
    messages = [...messages, { role: 'assistant', content: parts as MessagePart[] }, user('Go')];
  }
  return {
    model,
    server,
    request: prompt('', { model: opus, messages, contextEdits }),
  };
}

describe('a request without edits', () => {
  it.each([undefined, []])('is sent unchanged: %j', async (contextEdits) => {
    const { server } = await double(says('Hi'));
    const bodies: string[] = [];
    const onMessagesBody = (body: string) => void bodies.push(body);
    const client = makeClient({ apiKey: KEY, baseUrl: server.url, onMessagesBody });
    const request = prompt('Hi', contextEdits === undefined ? {} : { contextEdits });
    const { result } = await ask(new AnthropicModel(client), request);
    await new AnthropicTokenCounter(client).count(request, free);
    expect(bodies).toEqual([
      '{"model":"claude-haiku-4-5","max_tokens":1000,"system":[{"type":"text","text":"You are brief."}],"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}],"stream":true}',
    ]);
    expect(server.requests[1]!.body).not.toHaveProperty('context_management');
    for (const { headers } of server.requests) expect(headers).not.toHaveProperty('anthropic-beta');
    expect(replyIn(result).appliedEdits).toBeUndefined();
  });
});

describe('a request with edits', () => {
  it('sends them unchanged, clear_thinking first, with the betas they need', async () => {
    const { model, server, request } = await thoughts([clearTools, compact, clearThinking]);
    await ask(model, request);
    const { body, headers } = server.requests.at(-1)!;
    expect(body).toMatchObject({
      stream: true,
      context_management: { edits: [clearThinking, clearTools, compact] },
    });
    expect(body).not.toHaveProperty('betas');
    expect(headers['anthropic-beta']).toBe('context-management-2025-06-27,compact-2026-01-12');
  });

  it('enables no beta that it does not need', async () => {
    const { model, server } = await double(says('Hi'));
    for (const edit of [clearTools, compact]) {
      await ask(model, prompt('Hi', { model: opus, contextEdits: [edit] }));
    }
    expect(server.requests.map(({ headers }) => headers['anthropic-beta'])).toEqual([
      'context-management-2025-06-27',
      'compact-2026-01-12',
    ]);
  });

  it('does not clear thinking if there is none, since a model without thinking would refuse', async () => {
    const { model, server } = await double(says('Hi'));
    const both = prompt('Hi', { contextEdits: [clearThinking, clearTools] });
    expect(replyIn((await ask(model, both)).result).appliedEdits).toEqual([]);
    expect(server.requests[0]!.body).toMatchObject({ context_management: { edits: [clearTools] } });
    await ask(model, prompt('Hi', { contextEdits: [clearThinking] }));
    expect(server.requests[1]!.body).not.toHaveProperty('context_management');
  });

  it('reports what the edits did', async () => {
    const { model } = await double(says('Hi'));
    const before = replyIn((await ask(model, calls([300, 200, 9], []))).result);
    const after = replyIn((await ask(model, calls([300, 200, 9], [clearTools]))).result);
    const clearedInputTokens = before.usage.inputTokens - after.usage.inputTokens;
    expect(clearedInputTokens).toBeGreaterThan(400);
    expect(after.appliedEdits).toEqual([
      { type: 'clear_tool_uses_20250919', clearedToolUses: 2, clearedInputTokens },
    ]);
    expect(before.appliedEdits).toBeUndefined();
  });

  it('reports the thinking that was cleared', async () => {
    const { model, request } = await thoughts([clearThinking]);
    expect(replyIn((await ask(model, request)).result).appliedEdits).toEqual([
      { type: 'clear_thinking_20251015', clearedThinkingTurns: 1, clearedInputTokens: 200 },
    ]);
  });

  it('fails with the message of a server that accepts no edits', async () => {
    const baseUrl = await oddServer((_, response) => {
      const message = 'context_management: Extra inputs are not permitted';
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }));
    });
    const model = new AnthropicModel(makeClient({ apiKey: KEY, baseUrl }));
    const failure = failureIn((await ask(model, prompt('Hi', { contextEdits: [compact] }))).result);
    expect(failure.type).toBe('invalidRequest');
    expect(failure.message).toContain('context_management');
  });
});

describe('a compaction', () => {
  const long = calls([60_000], [compact]);

  it('is a part of the reply with its usage, and is sent back unchanged', async () => {
    const { model, server } = await double(says('Hi'));
    const reply = replyIn((await ask(model, long)).result);
    const [compaction] = reply.parts;
    if (compaction?.type !== 'compaction') throw new Error('no compaction');
    expect(compaction.content).toContain('Summary of 3 messages.');
    expect(reply.parts.map(({ type }) => type)).toEqual(['compaction', 'text']);
    expect(reply.stopReason).toBe('end_turn');
    expect(reply.usage.inputTokens).toBeLessThan(1_000);
    expect(reply.compactionUsage!.inputTokens).toBeGreaterThan(60_000);
    const messages = [
      ...long.messages,
      { role: 'assistant', content: [compaction] } as const,
      user('Go on'),
    ];
    const next = replyIn((await ask(model, { ...long, messages })).result);
    expect(next.usage.inputTokens).toBeLessThan(1_000);
    expect(next.compactionUsage).toBeUndefined();
    expect(server.requests[1]!.body).toMatchObject({
      messages: [{}, {}, {}, { content: [compaction] }, {}],
    });
  });

  it('is refused without its edit, with a message that names the edit', async () => {
    const { model, server } = await double(says('Hi'));
    const block: MessagePart = { type: 'compaction', content: 'What was.' };
    const messages = [user('Hi'), { role: 'assistant', content: [block] } as const, user('Go')];
    const { result } = await ask(model, prompt('', { model: opus, messages }));
    expect(server.requests[0]!.headers['anthropic-beta']).toBe('compact-2026-01-12');
    expect(failureIn(result).message).toContain('require a `compact_20260112` strategy');
  });
});

describe('a count', () => {
  it('previews the edits in one request', async () => {
    const { client, server } = await double(says('Hi'));
    const counter = new AnthropicTokenCounter(client);
    const plain = await counter.count(calls([300, 200, 9], []), free);
    const first = await counter.count(calls([300, 200, 9], [clearTools]), free);
    const again = await counter.count(calls([300, 200, 9], [clearTools]), free);
    if (!plain.ok || !first.ok) throw new Error('not counted');
    expect(plain.beforeContextEdits).toBeUndefined();
    expect(first.beforeContextEdits).toBe(plain.tokens);
    expect(first.tokens).toBeLessThan(plain.tokens - 400);
    expect(again).toEqual(first);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]!.headers['anthropic-beta']).toBe(
      'context-management-2025-06-27,token-counting-2024-11-01',
    );
  });

  it('is returned alone if the server does not report edits', async () => {
    const baseUrl = await oddServer((_, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"input_tokens":7,"context_management":null}');
    });
    const counter = new AnthropicTokenCounter(makeClient({ apiKey: KEY, baseUrl }));
    expect(await counter.count(calls([9], [clearTools]), free)).toEqual({ ok: true, tokens: 7 });
  });
});

describe('a reply with edits that is built of events', () => {
  const built = (...events: readonly object[]) => {
    const builder = new ReplyBuilder('m');
    const stop = { type: 'message_stop' };
    for (const event of [...events, stop])
      builder.take(event as Parameters<typeof builder.take>[0]);
    return builder.finish()!;
  };
  const ended = (fields: object) => ({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn' },
    usage: {},
    ...fields,
  });

  it('takes the edits from the start if the end does not repeat them', () => {
    const context_management = {
      applied_edits: [{ type: 'clear_of_the_future', cleared_input_tokens: 5 }],
    };
    const started = { type: 'message_start', message: { model: 'm', context_management } };
    const edits = [{ type: 'clear_of_the_future', clearedInputTokens: 5 }];
    expect(built(started, ended({ context_management: null })).appliedEdits).toEqual(edits);
    expect(built(started, ended({})).appliedEdits).toEqual(edits);
  });

  it('keeps a compaction that failed', () => {
    const start = {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'compaction', content: null },
    };
    expect(built(start, ended({})).parts).toEqual([{ type: 'compaction', content: null }]);
  });

  it('adds up the usage of several compactions', () => {
    const compaction = { type: 'compaction', input_tokens: 5, output_tokens: 2 };
    const message = { type: 'message', input_tokens: 900, output_tokens: 9 };
    const iterations = [compaction, message, compaction];
    expect(built(ended({ usage: { iterations } })).compactionUsage).toEqual({
      inputTokens: 10,
      cacheCreationTokens: 0,
      cacheReadTokens: 0,
      outputTokens: 4,
    });
  });
});
