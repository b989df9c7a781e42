import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Estimator } from '../../src/agent/model';
import { CachedEstimator, LONGEST_TEXT, countCache } from '../../src/model/workerEstimator';
import { LocalEstimator } from '../support/localEstimator';

const MODEL = 'claude-sonnet-4-5';

/**
 * An estimator whose tokenizer makes one token of each character, and the texts it was asked for.
 */
function counting() {
  const asked: string[][] = [];
  const estimator = new CachedEstimator(MODEL, async (texts) => {
    asked.push([...texts]);
    return texts.map(({ length }) => length);
  });
  return { estimator, asked };
}

/** The same, but it answers a request only when the test releases it. */
function held() {
  const asked: string[][] = [];
  const waiting: (() => void)[] = [];
  const estimator = new CachedEstimator(MODEL, (texts) => {
    asked.push([...texts]);
    return new Promise((resolve) => waiting.push(() => resolve(texts.map(({ length }) => length))));
  });
  const answer = async () => {
    waiting.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { estimator, asked, answer };
}

describe('an estimate', () => {
  it('is a guess until its text is warm, then a calibrated count', async () => {
    const { estimator } = counting();
    const text = 'abcdefg '.repeat(100);
    expect(estimator.estimate(text)).toBe(100 * 1.2 + 20);
    await estimator.warm([text]);
    expect(estimator.estimate(text)).toBe(800 * 1.2 + 20);
    estimator.learn(10_000, 20_000);
    expect(estimator.estimate(text)).toBe(800 * 1.8 + 20);
    estimator.forModel('claude-opus-5-5');
    expect(estimator.estimate(text)).toBe(800 * 1.55 + 20);
  });

  it('starts a new generation whenever the number of a text may change', async () => {
    const { estimator } = counting();
    const generations: unknown[] = [];
    const note = () => generations.push(estimator.estimate.generation);
    note();
    estimator.estimate('some text');
    expect(estimator.estimate.generation).toBe(generations[0]);
    await estimator.warm(['some text']);
    note();
    estimator.learn(10_000, 20_000);
    note();
    estimator.forModel('claude-opus-5-5');
    note();
    expect(new Set(generations).size).toBe(4);
  });

  it('of an image depends on its pixels and the model, never on its data or the calibration', () => {
    const { estimator } = counting();
    const head = Buffer.from('GIF89a\x80\x07\x38\x04', 'latin1');
    const data = Buffer.concat([head, Buffer.alloc(300_000)]).toString('base64');
    const image = { type: 'image', mediaType: 'image/gif', data } as const;
    expect(estimator.media(image)).toBe(1_560);
    estimator.learn(10_000, 20_000);
    expect(estimator.media(image)).toBe(1_560);
    estimator.forModel('claude-opus-5-5');
    expect(estimator.media(image)).toBe(2_691);
    expect(estimator.media({ ...image, mediaType: 'image/png' })).toBe(4_784);
  });

  it('of a document depends on its pages', () => {
    const data = Buffer.from('%PDF-1.4 << /Type /Page >> << /Type /Page >>').toString('base64');
    const document = { type: 'document', mediaType: 'application/pdf', data } as const;
    expect(counting().estimator.media(document)).toBe(2 * 3_850);
  });

  it('of nothing is 0', () => {
    expect(counting().estimator.estimate('')).toBe(0);
  });

  it('is never negative and hardly smaller for a longer text', async () => {
    const estimator: Estimator = new LocalEstimator(MODEL);
    const text = fc.string({ unit: 'grapheme', maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(text, text, fc.boolean(), async (left, right, isWarm) => {
        if (isWarm) await estimator.warm([left, right, left + right]);
        const [a, joined] = [estimator.estimate(left), estimator.estimate(left + right)];
        expect(a).toBeGreaterThanOrEqual(0);
        expect(joined).toBeGreaterThanOrEqual(a - 9);
        expect(joined).toBeLessThanOrEqual(a + estimator.estimate(right) + 9);
      }),
    );
  });
});

describe('warming', () => {
  it('asks for each text once', async () => {
    const { estimator, asked } = counting();
    await estimator.warm(['a', 'b', 'a', '']);
    await estimator.warm(['b', 'c']);
    await estimator.warm(['a']);
    expect(asked).toEqual([['a', 'b'], ['c']]);
  });

  it('asks once for a text that is being counted, and waits for it', async () => {
    const { estimator, asked, answer } = held();
    const warmings = [
      estimator.warm(['a', 'b']),
      estimator.warm(['b', 'c']),
      estimator.warm(['a', 'c', 'b']),
    ];
    let done = 0;
    for (const warming of warmings) void warming.then(() => (done += 1));
    await answer();
    expect(done).toBe(1);
    await answer();
    expect(done).toBe(3);
    await estimator.warm(['a', 'b', 'c']);
    expect(asked).toEqual([['a', 'b'], ['c']]);
  });

  it('also claims the texts of later batches', async () => {
    const { estimator, asked, answer } = held();
    const [first, second] = ['a', 'b'].map((letter) => letter.repeat(600_000));
    const warmings = [estimator.warm([first!, second!]), estimator.warm([second!])];
    await answer();
    await answer();
    await Promise.all(warmings);
    expect(asked).toEqual([[first], [second]]);
  });

  it('counts each text once, however calls overlap', async () => {
    const text = fc.integer({ min: 0, max: 20 }).map((number) => `text ${number}`);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(text)), fc.scheduler(), async (calls, scheduler) => {
        const seen = new Map<string, number>();
        const count = async (texts: readonly string[]) => {
          for (const each of texts) seen.set(each, (seen.get(each) ?? 0) + 1);
          return texts.map(({ length }) => length);
        };
        const estimator = new CachedEstimator(MODEL, scheduler.scheduleFunction(count));
        const warmings = calls.map((texts) => estimator.warm(texts));
        await scheduler.waitFor(Promise.all(warmings));
        expect([...seen.keys()].toSorted()).toEqual([...new Set(calls.flat())].toSorted());
        expect([...seen.values()].every((times) => times === 1)).toBe(true);
      }),
    );
  });

  it('asks again for a text if its count failed', async () => {
    let calls = 0;
    const estimator = new CachedEstimator(MODEL, (texts) => {
      calls += 1;
      if (calls === 1) throw new Error('not this time');
      return Promise.resolve(texts.map(() => 1_000));
    });
    await estimator.warm(['some text']);
    expect(estimator.estimate('some text')).toBeLessThan(1_000);
    await estimator.warm(['some text']);
    expect(estimator.estimate('some text')).toBe(1_200 + 20);
  });

  it('asks in batches of bounded size and never for a huge text', async () => {
    const { estimator, asked } = counting();
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(150_000));
    const giant = 'g'.repeat(LONGEST_TEXT + 1);
    const largest = 'l'.repeat(LONGEST_TEXT);
    const before = estimator.estimate(giant);
    await estimator.warm([...texts, giant, largest]);
    await estimator.warm([giant]);
    expect(asked.map(({ length }) => length)).toEqual([2, 2]);
    expect(asked.flat()).not.toContain(giant);
    expect(estimator.estimate(giant)).toBe(before);
  });

  it('never throws; a text that could not be counted is guessed', async () => {
    const estimator = new CachedEstimator(MODEL, () => Promise.reject(new Error('no worker')));
    await estimator.warm(['some text']);
    expect(estimator.estimate('some text')).toBeGreaterThan(20);
  });
});

describe('the cache', () => {
  it('evicts the least recently used entries, by number and by size', () => {
    const cache = countCache({ entries: 3, characters: 12 });
    cache.set('a', 1);
    cache.set('b', 2);
    cache.set('c', 3);
    expect(cache.get('a')).toBe(1);
    cache.set('d', 4);
    expect(['a', 'b', 'c', 'd'].filter((text) => cache.has(text))).toEqual(['a', 'c', 'd']);
    cache.set('eight888', 5);
    const kept = ['a', 'c', 'd', 'eight888'].filter((text) => cache.has(text));
    expect(kept).toEqual(['d', 'eight888']);
    cache.set('longer than all', 6);
    expect(cache.has('longer than all')).toBe(false);
    cache.set('eight888', 7);
    expect(cache.get('eight888')).toBe(7);
  });
});

it.each([NaN, Infinity, -1])('does not accept %d as the count of a text', async (count) => {
  const estimator = new CachedEstimator(MODEL, async (texts) => texts.map(() => count));
  const guess = estimator.estimate('some words');
  await estimator.warm(['some words']);
  expect(estimator.estimate('some words')).toBe(guess);
});
