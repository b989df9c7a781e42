import { describe, expect, it } from 'vitest';
import {
  type PassPrice,
  type PassPrices,
  PassPricing,
} from '../../../src/contextWindow/account/passPrice';
import type { Charge, Usage } from '../../../src/contextWindow/account/spending';
import type { NewEvent, SessionEvent } from '../../../src/contextWindow/event';
import { fold } from '../../../src/contextWindow/fold';
import type { CachePrice, Pass } from '../../../src/contextWindow/plan';
import { timelineOf } from '../../support/timelineOf';
import { costOfCharge } from '../../../src/model/pricing';
import { dated, passThat, promptEvent, stepEvents } from '../../support/drawing';

/** $4 for a million uncached input tokens, $5 written to the cache, $0.2 read from it, $20 output. */
const MODEL = 'claude-opus-5-5';
const WRITE = 5 / 1e6;
const READ = 0.2 / 1e6;

const usageOf = (read: number, written: number, output = 0): Usage => ({
  inputTokens: 0,
  cacheReadTokens: read,
  cacheCreationTokens: written,
  outputTokens: output,
});

/** A step whose request read and wrote these tokens of the cache. */
function step(id: string, read: number, written: number, model = MODEL): readonly NewEvent[] {
  return stepEvents([{ id, name: `${id}.ts`, tokens: 1 }]).map((event) =>
    event.type === 'replyReceived' ? { ...event, model, usage: usageOf(read, written) } : event,
  );
}

function pass(
  cache: Omit<CachePrice, 'freedTokens'>,
  freed: number,
  more: Partial<Pass> = {},
): NewEvent {
  const event = passThat('evict', []) as Extract<NewEvent, { type: 'passApplied' }>;
  return {
    ...event,
    pass: {
      ...event.pass,
      cache: { ...cache, freedTokens: freed },
      before: { tokens: 10_000, exact: true },
      after: { tokens: 10_000 - freed, exact: true },
      ...more,
    },
  };
}

const asked = (sent: number, output: number): NewEvent => ({
  type: 'modelAsked',
  purpose: 'summary',
  model: MODEL,
  usage: { inputTokens: sent, cacheReadTokens: 0, cacheCreationTokens: 0, outputTokens: output },
});

const MINUTES = 60_000;

/** The events a second apart; a number is a pause in minutes. */
function priced(...told: readonly (NewEvent | readonly NewEvent[] | number)[]): PassPrices {
  let at = 0;
  const events: SessionEvent[] = [];
  const flat = told.flat() as readonly (NewEvent | number)[];
  const numbered = dated(flat.filter((one) => typeof one !== 'number'));
  for (const one of flat) {
    at += typeof one === 'number' ? one * MINUTES : 1_000;
    if (typeof one !== 'number') events.push({ ...numbered[events.length]!, at } as SessionEvent);
  }
  const costOf = (charge: Charge) => costOfCharge(charge);
  return new PassPricing({ costOf }).of(timelineOf(events, fold(events)));
}

/** 10,000 tokens are cached; the pass leaves 2,000 before its change and 3,000 after it. */
const BEFORE = [promptEvent('task'), ...step('a', 0, 9_000), ...step('b', 9_000, 1_000)];
const CACHE = { untouchedTokens: 2_000, rewrittenTokens: 3_000, addedTokens: 0 };

const priceOf = (prices: PassPrices): PassPrice => prices.of(1)!;

describe('the price of a pass', () => {
  it('is the cached text that the next request wrote again, without text that is new in it', () => {
    // 2,000 read, 7,000 written: 3,000 of them had been cached, 4,000 are new.
    const { cache, cost, isEstimate } = priceOf(
      priced(BEFORE, pass(CACHE, 1_000), step('c', 2_000, 7_000)),
    );
    expect(isEstimate).toBe(false);
    expect(cache.tokens).toBe(3_000);
    expect(cost.usd).toBeCloseTo(3_000 * (WRITE - READ), 10);
  });

  it('counts text before the change too if the request did not read it', () => {
    const { cache } = priceOf(priced(BEFORE, pass(CACHE, 1_000), step('c', 1_500, 7_500)));
    expect(cache.tokens).toBe(3_500);
  });

  it('has the requests for its summaries, refused ones included', () => {
    const { summary, cost } = priceOf(
      priced(BEFORE, asked(9_000, 400), asked(1_000, 22), pass(CACHE, 1_000), step('c', 5_000, 0)),
    );
    expect(summary).toMatchObject({ requests: 2, sentTokens: 10_000, receivedTokens: 422 });
    expect(summary.cost.usd).toBeCloseTo((10_000 * 4 + 422 * 20) / 1e6, 10);
    expect(cost.usd).toBeCloseTo(summary.cost.usd!, 10);
  });

  it('is nothing for the cache if the cache had expired', () => {
    const { cache, cost, repaidSince } = priceOf(
      priced(BEFORE, 6, pass(CACHE, 1_000), step('c', 0, 9_000)),
    );
    expect(cache).toMatchObject({ tokens: 0, hadExpired: true });
    expect(cost.usd).toBe(0);
    expect(repaidSince).toBe(3);
  });

  it('loses what a cache written for an hour still holds after a longer pause', () => {
    const forAnHour = (events: readonly NewEvent[]) =>
      events.map((event) =>
        event.type === 'replyReceived'
          ? {
              ...event,
              usage: { ...event.usage, cacheCreation1hTokens: event.usage.cacheCreationTokens },
            }
          : event,
      );
    const hourly = [promptEvent('task'), ...forAnHour(step('a', 0, 10_000))];
    const { cache } = priceOf(priced(hourly, 6, pass(CACHE, 1_000)));
    expect(cache).toMatchObject({ tokens: 3_000, hadExpired: false });
    // A request that only reads it keeps it for another hour.
    const read = priceOf(priced(hourly, step('b', 10_000, 0), 50, pass(CACHE, 1_000)));
    expect(read.cache).toMatchObject({ tokens: 3_000, hadExpired: false });
    const late = priceOf(priced(hourly, 61, pass(CACHE, 1_000)));
    expect(late.cache).toMatchObject({ tokens: 0, hadExpired: true });
  });

  it('is an estimate until the next request is answered', () => {
    const { cache, isEstimate, repaidSince } = priceOf(priced(BEFORE, pass(CACHE, 1_000)));
    expect(isEstimate).toBe(true);
    expect(cache.tokens).toBe(3_000);
    expect(repaidSince).toBeUndefined();
    const late = priceOf(priced(BEFORE, 6, pass(CACHE, 1_000)));
    expect(late.cache).toMatchObject({ tokens: 0, hadExpired: true });
  });

  it('is repaid by the request that makes the savings as large as the cost', () => {
    // 3,000 x (5 - 0.2) = 14,400 for the cache; 30,000 x 0.2 = 6,000 saved by each request.
    const told = [...BEFORE, pass(CACHE, 30_000), ...step('c', 2_000, 7_000)];
    const twice = [...told, ...step('d', 9_000, 100)];
    expect(priceOf(priced(twice)).repaidSince).toBeUndefined();
    expect(priceOf(priced(twice)).saved.usd).toBeCloseTo(12_000 / 1e6, 10);
    const thrice = priceOf(priced(twice, step('e', 9_100, 100)));
    expect(thrice.repaidSince).toBe(5);
    expect(thrice.saved.usd).toBeCloseTo(18_000 / 1e6, 10);
  });

  it('saves the write price at a request whose cache had expired', () => {
    const told = [...BEFORE, pass(CACHE, 1_000), ...step('c', 2_000, 7_000)];
    const { saved } = priceOf(priced(told, 6, step('d', 0, 9_100)));
    expect(saved.usd).toBeCloseTo(1_000 * (READ + WRITE), 10);
  });

  it('saves less by what its summary and excerpts cost to write', () => {
    const { saved } = priceOf(
      priced(BEFORE, pass({ ...CACHE, addedTokens: 500 }, 1_000), step('c', 2_000, 7_000)),
    );
    expect(saved.usd).toBeCloseTo(1_000 * READ - 500 * (WRITE - READ), 10);
  });

  it('saves less from the request on that has a block restored', () => {
    const evicted = (blockId: string, tokens: number) => ({
      ...(passThat('evict', [blockId]) as Extract<NewEvent, { type: 'passApplied' }>).pass
        .decisions[0]!,
      before: { tokens, exact: false },
    });
    const restoring = {
      ...evicted('step-1', 0),
      action: 'restore' as const,
      reason: { rule: 'restoredByUser' } as const,
      after: { tokens: 400, exact: false },
    };
    const restore = pass({ ...CACHE, addedTokens: 400 }, -400, {
      number: 2,
      trigger: 'byHand',
      decisions: [restoring],
    });
    const told = [
      ...BEFORE,
      pass(CACHE, 1_000, { decisions: [evicted('step-1', 1_000)] }),
      ...step('c', 2_000, 7_000),
    ];
    const prices = priced(told, restore, step('d', 8_000, 1_000));
    expect(prices.of(1)!.saved.usd).toBeCloseTo((1_000 + 600) * READ, 10);
    // The restore itself makes no request smaller or larger: the pass before answers for that.
    expect(prices.of(2)!.saved.usd).toBeCloseTo(-400 * (WRITE - READ), 10);
    expect(prices.last?.number).toBe(1);
  });

  it('ends to save when the pass is undone', () => {
    const told = [...BEFORE, pass(CACHE, 1_000), ...step('c', 2_000, 7_000)];
    const undo: NewEvent = { type: 'passUndone', number: 1 };
    const prices = priced(told, undo, step('d', 2_000, 8_000), step('e', 10_000, 10));
    expect(prices.of(1)).toMatchObject({ undone: true });
    expect(prices.of(1)!.saved.usd).toBeCloseTo(1_000 * READ, 10);
    expect(prices.last).toBeUndefined();
  });

  it('loses nothing of the cache if it is undone before the next request', () => {
    const undo: NewEvent = { type: 'passUndone', number: 1 };
    const { cache, undone } = priceOf(
      priced(BEFORE, pass(CACHE, 1_000), undo, step('c', 10_000, 100)),
    );
    expect({ tokens: cache.tokens, undone }).toEqual({ tokens: 0, undone: true });
  });

  it('shares the loss of passes before the same request in their order', () => {
    const second = pass({ untouchedTokens: 500, rewrittenTokens: 4_000, addedTokens: 0 }, 1_000, {
      number: 2,
    });
    const prices = priced(BEFORE, pass(CACHE, 1_000), second, step('c', 500, 8_000));
    expect([prices.of(1)!.cache.tokens, prices.of(2)!.cache.tokens]).toEqual([3_000, 1_000]);
  });

  it('is in input tokens alone if the price of a model is unknown', () => {
    const told = [promptEvent('task'), ...step('a', 0, 10_000, 'own'), pass(CACHE, 40_000)];
    const { cost, repaidSince } = priceOf(
      priced(told, step('c', 2_000, 7_000, 'own'), step('d', 9_000, 10, 'own')),
    );
    expect(cost.usd).toBeUndefined();
    expect(cost.inputTokens).toBeCloseTo(3_000 * 1.15);
    expect(repaidSince).toBe(2);
  });

  it('loses nothing with a server that has no cache, and saves the full price', () => {
    const plain = (id: string, tokens: number): readonly NewEvent[] =>
      step(id, 0, 0).map((event) =>
        event.type === 'replyReceived'
          ? { ...event, usage: { ...usageOf(0, 0), inputTokens: tokens } }
          : event,
      );
    const { cache, saved } = priceOf(
      priced(promptEvent('task'), plain('a', 10_000), pass(CACHE, 1_000), plain('b', 9_000)),
    );
    expect(cache.tokens).toBe(0);
    expect(saved.usd).toBeCloseTo((1_000 * 4) / 1e6, 10);
  });
});
