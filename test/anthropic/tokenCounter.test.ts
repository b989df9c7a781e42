import { describe, expect, it } from 'vitest';
import { makeClient } from '../../src/anthropic/client';
import { AnthropicTokenCounter } from '../../src/anthropic/tokenCounter';
import type { FaultEffect } from '../../src/offline/fault';
import { double, editTool, KEY, oddServer, prompt, says } from './asking';

const free = new AbortController().signal;

async function counterWith(faults: readonly FaultEffect[], timeoutMs = 5_000) {
  const clock = { now: 0 };
  const { client, server } = await double(says('-'), faults, '/v1/messages/count_tokens');
  const counter = new AnthropicTokenCounter(client, { timeoutMs, now: () => clock.now });
  return { counter, server, clock };
}

describe('a count', () => {
  it('is the number of the API, asked for once for one content', async () => {
    const { counter, server } = await counterWith([]);
    const first = await counter.count(prompt('Hi'), free);
    const again = await counter.count(prompt('Hi'), free);
    expect(first.ok && first.tokens > 0).toBe(true);
    expect(again).toEqual(first);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]!.body).not.toHaveProperty('max_tokens');
  });

  it('does not depend on max_tokens or cache breakpoints, but on all the rest', async () => {
    const { counter, server } = await counterWith([]);
    const breakpoint = { cache_control: { type: 'ephemeral' } } as const;
    const system = [{ type: 'text', text: 'You are brief.' }] as const;
    await counter.count(prompt('Hi', { system }), free);
    await counter.count(prompt('Hi', { system, maxTokens: 9 }), free);
    await counter.count(prompt('Hi', { system: [{ ...system[0], ...breakpoint }] }), free);
    expect(server.requests).toHaveLength(1);
    await counter.count(prompt('Hi', { system, tools: [editTool] }), free);
    await counter.count(prompt('Hi', { system, model: 'claude-opus-5-5' }), free);
    await counter.count(prompt('Ho', { system }), free);
    expect(server.requests).toHaveLength(4);
  });

  it('takes system prompt and tools in (B8)', async () => {
    const { counter } = await counterWith([]);
    const [bare, full] = await Promise.all([
      counter.count(prompt('Hi', { system: [] }), free),
      counter.count(prompt('Hi', { tools: [editTool] }), free),
    ]);
    expect(bare.ok && full.ok && full.tokens > bare.tokens).toBe(true);
  });
});

describe('a count that fails (B8)', () => {
  it.each([
    [429, 'limits the rate'],
    [500, 'had a fault'],
    [529, 'overloaded'],
    [401, 'key was refused'],
  ])('with %i says why and is asked again next time, without a retry', async (status, words) => {
    const { counter, server } = await counterWith([{ kind: 'status', status }]);
    const failed = await counter.count(prompt('Hi'), free);
    expect(failed).toMatchObject({ ok: false });
    expect(!failed.ok && failed.message).toContain(words);
    expect(server.requests).toHaveLength(1);
    expect((await counter.count(prompt('Hi'), free)).ok).toBe(true);
  });

  it.each([404, 501])('with %i is not asked again for this model', async (status) => {
    const { counter, server } = await counterWith([{ kind: 'status', status }]);
    const failed = await counter.count(prompt('Hi'), free);
    expect(!failed.ok && failed.message).toContain('not asked again');
    expect(await counter.count(prompt('Ho'), free)).toEqual(failed);
    expect(server.requests).toHaveLength(1);
    expect((await counter.count(prompt('Hi', { model: 'claude-opus-5-5' }), free)).ok).toBe(true);
  });

  it('with 0 tokens is no count', async () => {
    const { counter } = await counterWith([{ kind: 'count', inputTokens: 0 }]);
    const failed = await counter.count(prompt('Hi'), free);
    expect(failed).toEqual({ ok: false, message: 'The server counted 0 tokens, which cannot be.' });
    expect((await counter.count(prompt('Hi'), free)).ok).toBe(true);
  });

  it('by taking too long pauses for a minute', async () => {
    const hang = { kind: 'hang', at: 'headers' } as const;
    const { counter, server, clock } = await counterWith([hang], 1_000);
    const failed = await counter.count(prompt('Hi'), free);
    expect(!failed.ok && failed.message).toContain('within 1 s');
    clock.now = 59_000;
    expect(await counter.count(prompt('Hi'), free)).toEqual(failed);
    expect(server.requests).toHaveLength(1);
    clock.now = 60_000;
    expect((await counter.count(prompt('Hi'), free)).ok).toBe(true);
  });

  it('pauses as long as the server asks', async () => {
    const limited = { kind: 'status', status: 429, retryAfterSeconds: 30 } as const;
    const { counter, server, clock } = await counterWith([limited]);
    await counter.count(prompt('Hi'), free);
    clock.now = 29_999;
    expect((await counter.count(prompt('Hi'), free)).ok).toBe(false);
    expect(server.requests).toHaveLength(1);
    clock.now = 30_000;
    expect((await counter.count(prompt('Hi'), free)).ok).toBe(true);
  });

  it('by an answer that never ends is over in time', async () => {
    const baseUrl = await oddServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"input_');
    });
    const client = makeClient({ apiKey: KEY, baseUrl });
    const counter = new AnthropicTokenCounter(client, { timeoutMs: 50 });
    expect((await counter.count(prompt('Hi'), free)).ok).toBe(false);
  });

  it('by an answer without a number says so', async () => {
    const baseUrl = await oddServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    const counter = new AnthropicTokenCounter(makeClient({ apiKey: KEY, baseUrl }));
    expect((await counter.count(prompt('Hi'), free)).ok).toBe(false);
  });

  it('by a stop is over at once, and asked again later', async () => {
    const { counter, server } = await counterWith([{ kind: 'hang', at: 'headers' }]);
    const stop = new AbortController();
    const counting = counter.count(prompt('Hi'), stop.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    stop.abort();
    expect(await counting).toEqual({ ok: false, message: 'The count was stopped.' });
    expect((await counter.count(prompt('Hi'), free)).ok).toBe(true);
  });
});
