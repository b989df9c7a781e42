import { describe, expect, it } from 'vitest';
import { AnthropicModel, StreamWatch } from '../../src/model/anthropicModel';
import type { ModelEvent } from '../../src/agent/model';
import type { FaultEffect } from '../../src/offline/fault';
import { fakeClock } from '../support/fakeClock';
import { ask, double, failureIn, prompt, replyIn, says } from './asking';

/** A watch over an answer whose bytes arrive when the test says so. */
async function watching(idleMs = 90_000, maxTokens = 1_000) {
  const clock = fakeClock();
  const told: ModelEvent[] = [];
  let cut: string | undefined;
  const watch = new StreamWatch({ idleMs, maxTokens }, clock, (event) => told.push(event));
  void watch.cut.then(({ message }) => (cut = message));
  let send: (text: string) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      send = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
  });
  const answered = await watch.middleware({} as never, async () => new Response(body), {} as never);
  const reader = answered.body!.getReader();
  const hears = async (text: string) => {
    send(text);
    await reader.read();
  };
  const settled = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return cut;
  };
  return { clock, told, watch, hears, settled };
}

describe('a silent answer', () => {
  it('is reported after 20 s, and ended after its limit', async () => {
    const { clock, told, settled, watch } = await watching();
    clock.advance(19_999);
    expect(told).toEqual([]);
    clock.advance(1);
    expect(told).toEqual([{ type: 'silent', since: 1_000_000, until: 1_090_000 }]);
    clock.advance(69_999);
    expect(await settled()).toBeUndefined();
    clock.advance(1);
    expect(await settled()).toContain('nothing came for 90 s, the limit set by plimsoll.idleLimit');
    expect(watch.signal.aborted).toBe(true);
    expect(told).toHaveLength(1);
    expect(clock.due).toEqual([]);
  });

  it('is no longer silent after any byte, including a ping', async () => {
    const { clock, told, hears, settled } = await watching();
    for (let times = 0; times < 5; times++) {
      clock.advance(89_000);
      await hears('event: ping\n\n');
    }
    expect(await settled()).toBeUndefined();
    expect(told.map(({ type }) => type)).toEqual(
      Array.from({ length: 5 }, () => ['silent', 'heardAgain']).flat(),
    );
    clock.advance(90_000);
    expect(await settled()).toContain('nothing came for 90 s');
  });

  it('is reported, and waited for without end if there is no limit', async () => {
    const { clock, told, settled } = await watching(0);
    clock.advance(3_600_000);
    expect(told).toEqual([{ type: 'silent', since: 1_000_000 }]);
    expect(await settled()).toBeUndefined();
  });

  it('is reported after half of its limit if that is sooner', async () => {
    const { clock, told, settled } = await watching(5_000);
    clock.advance(2_499);
    expect(told).toEqual([]);
    clock.advance(1);
    expect(told).toEqual([{ type: 'silent', since: 1_000_000, until: 1_005_000 }]);
    clock.advance(2_500);
    expect(await settled()).toContain('nothing came for 5 s');
  });

  it('is no longer watched after the watch ends', async () => {
    const { clock, told, watch, settled } = await watching();
    watch.end();
    clock.advance(1_000_000);
    expect(told).toEqual([]);
    expect(await settled()).toBeUndefined();
  });

  it.each(['headers', 'firstDelta'] as const)(
    'ends the request, wherever it hangs, and closes the connection: %s',
    async (at) => {
      const { client, server } = await double(says('A reply of some words.'), [
        { kind: 'hang', at },
      ]);
      const clock = fakeClock();
      const model = new AnthropicModel(client, { clock });
      const asking = ask(model, prompt('Hi'), undefined, () => undefined);
      await expect.poll(() => server.requests.length).toBe(1);
      // Sent bytes may still be on their way, so the clock advances until no more arrive.
      const passing = setInterval(() => clock.advance(30_000), 20);
      const { result } = await asking;
      clearInterval(passing);
      const failure = failureIn(result);
      expect(failure).toMatchObject({ type: 'streamCut' });
      expect(failure.isPassing).not.toBe(false);
      await expect.poll(() => server.requests[0]!.abandoned).toBe(true);
      expect(clock.due).toEqual([]);
    },
  );
});

describe('an endless answer', () => {
  const flooded = async (of: Extract<FaultEffect, { kind: 'flood' }>['of']) => {
    const { model, server } = await double(says('Hello there, friend.'), [{ kind: 'flood', of }]);
    const { result } = await ask(model, prompt('Hi', { maxTokens: 100 }));
    await expect.poll(() => server.requests[0]!.abandoned).toBe(true);
    return failureIn(result);
  };

  it('is ended if it has more bytes than its tokens can need', async () => {
    expect(await flooded('pings')).toMatchObject({
      type: 'streamCut',
      isPassing: false,
      message: expect.stringContaining('more than a reply of 100 tokens can take (1 MB)'),
    });
  });

  it('is ended if it has more blocks than any reply', async () => {
    expect(await flooded('blocks')).toMatchObject({
      type: 'streamCut',
      isPassing: false,
      message: expect.stringContaining('more than 1000 blocks'),
    });
  });

  it('may have as many bytes as its tokens can need', async () => {
    const { clock, hears, settled } = await watching(90_000, 1_000);
    await hears('x'.repeat(1024 * 1024 + 1_000 * 1024));
    expect(await settled()).toBeUndefined();
    await hears('x');
    expect(await settled()).toContain('more than a reply of 1000 tokens');
    expect(clock.due).toEqual([]);
  });

  it('does not affect a reply of usual length', async () => {
    const { model } = await double(says('word '.repeat(20_000)));
    const { result } = await ask(model, prompt('Hi', { maxTokens: 60_000 }));
    expect(replyIn(result).parts).toHaveLength(1);
  });
});
