import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeClient } from '../../src/model/client';
import {
  RequestAllowance,
  AnthropicTokenCounter,
  type CounterOptions,
} from '../../src/model/tokenCounter';
import type { FaultEffect } from '../../src/offline/fault';
import { double, editTool, heldTimers, KEY, oddServer, prompt, says } from './asking';

const free = new AbortController().signal;

async function counterWith(
  faults: readonly FaultEffect[],
  options: Pick<CounterOptions, 'timeoutMs' | 'perMinute'> = {},
) {
  const clock = { now: 0 };
  const { client, server } = await double(says('-'), faults, '/v1/messages/count_tokens');
  const patient = { timeoutMs: 60_000, ...options };
  const counter = new AnthropicTokenCounter(client, { ...patient, now: () => clock.now });
  return { counter, server, clock };
}

describe('a count', () => {
  it('is the number from the API, requested once for the same content', async () => {
    const { counter, server } = await counterWith([]);
    const first = await counter.count(prompt('Hi'), free);
    const again = await counter.count(prompt('Hi'), free);
    expect(first.ok && first.tokens > 0).toBe(true);
    expect(again).toEqual(first);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]!.body).not.toHaveProperty('max_tokens');
  });

  it('depends on everything except max_tokens and cache breakpoints', async () => {
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

  it('includes system prompt and tools (B8)', async () => {
    const { counter } = await counterWith([]);
    const [bare, full] = await Promise.all([
      counter.count(prompt('Hi', { system: [] }), free),
      counter.count(prompt('Hi', { tools: [editTool] }), free),
    ]);
    expect(bare.ok && full.ok && full.tokens > bare.tokens).toBe(true);
  });
});

describe('a failed count (B8)', () => {
  it.each([
    [429, 'limits the rate'],
    [500, 'had an error'],
    [529, 'overloaded'],
    [401, 'key was refused'],
  ])(
    'with status %i says why and is requested again next time, without a retry',
    async (status, words) => {
      const { counter, server } = await counterWith([{ kind: 'status', status }]);
      const failed = await counter.count(prompt('Hi'), free);
      expect(failed).toMatchObject({ ok: false });
      expect(!failed.ok && failed.message).toContain(words);
      expect(server.requests).toHaveLength(1);
      expect((await counter.count(prompt('Hi'), free)).ok).toBe(true);
    },
  );

  it.each([404, 501])('with status %i is not requested again for this model', async (status) => {
    const { counter, server } = await counterWith([{ kind: 'status', status }]);
    const failed = await counter.count(prompt('Hi'), free);
    expect(!failed.ok && failed.message).toContain('does not ask it again');
    expect(await counter.count(prompt('Ho'), free)).toEqual(failed);
    expect(server.requests).toHaveLength(1);
    expect((await counter.count(prompt('Hi', { model: 'claude-opus-5-5' }), free)).ok).toBe(true);
  });

  it('is the result of an answer of 0 tokens', async () => {
    const { counter } = await counterWith([{ kind: 'count', inputTokens: 0 }]);
    const failed = await counter.count(prompt('Hi'), free);
    expect(failed).toEqual({
      ok: false,
      message: 'The server counted 0 tokens, which is impossible.',
      isFinal: true,
    });
    expect((await counter.count(prompt('Hi'), free)).ok).toBe(true);
  });

  it.each(['-1', '0.5', '1000000001', '1e400', '"12"', '{}', 'null'])(
    'is the result of an answer of %s tokens',
    async (tokens) => {
      const baseUrl = await oddServer((_, response) => {
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(`{"input_tokens":${tokens}}`);
      });
      const counter = new AnthropicTokenCounter(makeClient({ apiKey: KEY, baseUrl }));
      const failed = await counter.count(prompt('Hi'), free);
      expect(!failed.ok && failed.message).toMatch(
        /^The server counted .*, which is impossible\.$/,
      );
    },
  );

  it('pauses counting for a minute after a time-out', async () => {
    const hang = { kind: 'hang', at: 'headers' } as const;
    const { counter, server, clock } = await counterWith([hang], { timeoutMs: 1_000 });
    const pass = heldTimers();
    const counting = counter.count(prompt('Hi'), free);
    await expect.poll(() => server.requests.length).toBe(1);
    pass(1_000);
    const failed = await counting;
    expect(!failed.ok && failed.message).toContain('within 1 s');
    clock.now = 59_000;
    expect(await counter.count(prompt('Hi'), free)).toEqual(failed);
    expect(server.requests).toHaveLength(1);
    clock.now = 60_000;
    expect((await counter.count(prompt('Hi'), free)).ok).toBe(true);
  });

  it('pauses all counting for as long as the server asks, and says so', async () => {
    const limited = { kind: 'status', status: 429, retryAfterSeconds: 30 } as const;
    const { counter, server, clock } = await counterWith([limited]);
    const failed = await counter.count(prompt('Hi'), free);
    expect(!failed.ok && failed.message).toMatch(/limits the rate.*again after the 30 s/);
    clock.now = 29_999;
    expect(await counter.count(prompt('Hi'), free)).toEqual(failed);
    expect(await counter.count(prompt('Ho'), free)).toEqual(failed);
    expect(server.requests).toHaveLength(1);
    clock.now = 30_000;
    expect((await counter.count(prompt('Hi'), free)).ok).toBe(true);
  });

  it('does not keep the cache from answering during the pause', async () => {
    const limited = { kind: 'status', status: 429, retryAfterSeconds: 30 } as const;
    const { counter, server } = await counterWith([]);
    const known = await counter.count(prompt('Hi'), free);
    server.addFault({ path: '/v1/messages/count_tokens', effect: limited });
    expect((await counter.count(prompt('Ho'), free)).ok).toBe(false);
    expect(await counter.count(prompt('Hi'), free)).toEqual(known);
  });

  it('ends in time if the answer never does', async () => {
    const baseUrl = await oddServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"input_');
    });
    const client = makeClient({ apiKey: KEY, baseUrl });
    const counter = new AnthropicTokenCounter(client, { timeoutMs: 50 });
    expect((await counter.count(prompt('Hi'), free)).ok).toBe(false);
  });

  it.each(['{}', '{"input_tokens":"9"}', '{"input_tokens":-5}', '{"input_tokens":1.5}', '<html>'])(
    'is the result of the answer %s',
    async (answer) => {
      const baseUrl = await oddServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
      });
      const counter = new AnthropicTokenCounter(makeClient({ apiKey: KEY, baseUrl }));
      expect((await counter.count(prompt('Hi'), free)).ok).toBe(false);
    },
  );

  it('says so if no server answers', async () => {
    const client = makeClient({ apiKey: KEY, baseUrl: 'http://127.0.0.1:9' });
    const failed = await new AnthropicTokenCounter(client).count(prompt('Hi'), free);
    expect(!failed.ok && failed.message).toContain('Could not reach');
  });

  it('ends immediately if aborted, and is requested again later', async () => {
    const { counter, server } = await counterWith([{ kind: 'hang', at: 'headers' }]);
    const stop = new AbortController();
    const counting = counter.count(prompt('Hi'), stop.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    stop.abort();
    expect(await counting).toEqual({ ok: false, message: 'The count was stopped.' });
    expect((await counter.count(prompt('Hi'), free)).ok).toBe(true);
  });
});

describe('simultaneous counts', () => {
  it('are requested once if they are the same', async () => {
    const { counter, server } = await counterWith([]);
    const counts = await Promise.all(
      ['Hi', 'Ho', 'Hi', 'Hi'].map((text) => counter.count(prompt(text), free)),
    );
    expect(counts.every(({ ok }) => ok)).toBe(true);
    expect(counts[2]).toEqual(counts[0]);
    expect(server.requests).toHaveLength(2);
  });

  it('fail together, and are requested again', async () => {
    const { counter, server } = await counterWith([{ kind: 'status', status: 500 }]);
    const both = () => Promise.all([1, 2].map(() => counter.count(prompt('Hi'), free)));
    expect((await both()).map(({ ok }) => ok)).toEqual([false, false]);
    expect((await both()).map(({ ok }) => ok)).toEqual([true, true]);
    expect(server.requests).toHaveLength(2);
  });

  it('continue if the first caller aborts', async () => {
    const { counter, server } = await counterWith([{ kind: 'hang', at: 'headers' }]);
    const stop = new AbortController();
    const first = counter.count(prompt('Hi'), stop.signal);
    const second = counter.count(prompt('Hi'), free);
    await expect.poll(() => server.requests.length).toBe(1);
    stop.abort();
    expect((await first).ok).toBe(false);
    expect((await second).ok).toBe(true);
    expect(server.requests).toHaveLength(2);
  });

  it('let one caller stop waiting without affecting the other', async () => {
    const { counter, server } = await counterWith([{ kind: 'hang', at: 'headers' }], {
      timeoutMs: 300,
    });
    const pass = heldTimers();
    const stop = new AbortController();
    const first = counter.count(prompt('Hi'), free);
    const second = counter.count(prompt('Hi'), stop.signal);
    stop.abort();
    expect(await second).toEqual({ ok: false, message: 'The count was stopped.' });
    await expect.poll(() => server.requests.length).toBe(1);
    pass(300);
    const failed = await first;
    expect(!failed.ok && failed.message).toContain('within 0.3 s');
    expect(server.requests).toHaveLength(1);
  });
});

describe('counts above the rate', () => {
  it('are not requested and say so, until time allows more', async () => {
    const { counter, server, clock } = await counterWith([], { perMinute: 2 });
    const count = async (text: string) => (await counter.count(prompt(text), free)).ok;
    expect([await count('1'), await count('2'), await count('3')]).toEqual([true, true, false]);
    expect(await counter.count(prompt('3'), free)).toEqual({
      ok: false,
      message: 'The server was not asked: more than 2 counts a minute were needed.',
    });
    expect(server.requests).toHaveLength(2);
    clock.now = 29_999;
    expect(await count('3')).toBe(false);
    clock.now = 30_000;
    expect([await count('3'), await count('4')]).toEqual([true, false]);
    expect(server.requests).toHaveLength(3);
  });

  it('do not affect cached counts, and refusals by the server do not use up the rate', async () => {
    const { counter, server } = await counterWith([{ kind: 'status', status: 404 }], {
      perMinute: 2,
    });
    for (let time = 0; time < 5; time += 1) await counter.count(prompt('Hi'), free);
    const other = prompt('Hi', { model: 'claude-opus-5-5' });
    for (let time = 0; time < 5; time += 1) {
      expect((await counter.count(other, free)).ok).toBe(true);
    }
    expect(server.requests).toHaveLength(2);
  });
});

describe('an allowance of requests', () => {
  it('saves no more than a minute is worth, and gains nothing from a clock that is set back', () => {
    const clock = { now: 1_000_000 };
    const allowance = new RequestAllowance(3, () => clock.now);
    const taken = () => [1, 2, 3, 4].map(() => allowance.take());
    expect(taken()).toEqual([true, true, true, false]);
    clock.now += 3_600_000;
    expect(taken()).toEqual([true, true, true, false]);
    clock.now -= 3_600_000;
    expect(allowance.take()).toBe(false);
    clock.now += 20_000;
    expect(taken()).toEqual([true, false, false, false]);
  });

  it('never allows more than the rate and the saved requests, however time passes', () => {
    const wait = fc.integer({ min: 0, max: 30_000 });
    fc.assert(
      fc.property(fc.array(wait, { maxLength: 200 }), (waits) => {
        const clock = { now: 0 };
        const allowance = new RequestAllowance(10, () => clock.now);
        let allowed = 0;
        for (const ms of waits) {
          clock.now += ms;
          if (allowance.take()) allowed += 1;
        }
        expect(allowed).toBeLessThanOrEqual(10 + clock.now / 6_000 + 1e-6);
      }),
    );
  });
});
