import { describe, expect, it } from 'vitest';
import { nextInput } from '../../../src/contextWindow/account/nextInput';
import type { SessionEvent } from '../../../src/contextWindow/event';

const NOW = 10_000_000;

/** A reply that arrived some minutes ago. */
const reply = (minutes: number, cacheReadTokens = 8_000, cacheCreationTokens = 1_000) =>
  ({
    type: 'replyReceived',
    at: NOW - minutes * 60_000,
    usage: { inputTokens: 50, cacheReadTokens, cacheCreationTokens, outputTokens: 100 },
  }) as unknown as SessionEvent;

const pass = { type: 'passApplied', at: NOW } as unknown as SessionEvent;

const priced = (...events: readonly SessionEvent[]) => {
  const { inputTokens, cacheCreationTokens, cacheReadTokens } = nextInput(events, 10_000, NOW);
  return { inputTokens, cacheCreationTokens, cacheReadTokens };
};

const WRITTEN = { inputTokens: 0, cacheCreationTokens: 10_000, cacheReadTokens: 0 };

describe('the input of the next request', () => {
  it('is read from the cache as far as the last request left it there', () => {
    const read = { inputTokens: 0, cacheCreationTokens: 1_000, cacheReadTokens: 9_000 };
    expect(priced(reply(1))).toEqual(read);
  });

  it.each([
    ['before the first reply', []],
    ['after the life of the cache', [reply(6)]],
    ['after a pass', [reply(1), pass]],
  ])('is written to the cache %s', (_when, events) => {
    expect(priced(...events)).toEqual(WRITTEN);
  });

  it('is plain input for a server without a cache', () => {
    expect(priced(reply(1, 0, 0))).toEqual({
      inputTokens: 10_000,
      cacheCreationTokens: 0,
      cacheReadTokens: 0,
    });
  });
});
