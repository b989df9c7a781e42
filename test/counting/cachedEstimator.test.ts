import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Estimator } from '../../src/agent/estimator';
import { CachedEstimator } from '../../src/counting/cachedEstimator';
import { CountCache } from '../../src/counting/countCache';
import { LocalEstimator } from '../support/localEstimator';

const MODEL = 'claude-sonnet-4-5';

/** An estimator over a tokenizer that makes one token of each character, and what it was asked. */
function counting() {
  const asked: string[][] = [];
  const estimator = new CachedEstimator(MODEL, async (texts) => {
    asked.push([...texts]);
    return texts.map(({ length }) => length);
  });
  return { estimator, asked };
}

describe('an estimate', () => {
  it('goes from a guess to the calibrated count once the text is warm', async () => {
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

  it('of nothing is nothing', () => {
    expect(counting().estimator.estimate('')).toBe(0);
  });

  it('is never negative and hardly less for more text', async () => {
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
  }, 60_000);
});

describe('warming', () => {
  it('asks for each text once', async () => {
    const { estimator, asked } = counting();
    await estimator.warm(['a', 'b', 'a', '']);
    await estimator.warm(['b', 'c']);
    await estimator.warm(['a']);
    expect(asked).toEqual([['a', 'b'], ['c']]);
  });

  it('asks in batches of bounded size and never for a giant', async () => {
    const { estimator, asked } = counting();
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(300_000));
    await estimator.warm([...texts, 'g'.repeat(2_000_001)]);
    expect(asked.map(({ length }) => length)).toEqual([2, 1]);
  });

  it('never throws; what could not be counted is guessed', async () => {
    const estimator = new CachedEstimator(MODEL, () => Promise.reject(new Error('no worker')));
    await estimator.warm(['some text']);
    expect(estimator.estimate('some text')).toBeGreaterThan(20);
  });
});

describe('the cache', () => {
  it('forgets what was used least recently, by number and by size', () => {
    const cache = new CountCache({ entries: 3, characters: 10 });
    cache.set('a', 1);
    cache.set('b', 2);
    cache.set('c', 3);
    expect(cache.get('a')).toBe(1);
    cache.set('d', 4);
    expect(['a', 'b', 'c', 'd'].filter((text) => cache.has(text))).toEqual(['a', 'c', 'd']);
    cache.set('eight888', 5);
    expect(['a', 'c', 'd', 'eight888'].filter((text) => cache.has(text))).toEqual([
      'a',
      'd',
      'eight888',
    ]);
    cache.set('longer than all', 6);
    expect(cache.has('longer than all')).toBe(false);
    cache.set('eight888', 7);
    expect(cache.get('eight888')).toBe(7);
  });
});
