import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apportion } from '../../../src/contextWindow/account/measure';

describe('apportion', () => {
  it('adds up exactly and keeps the order of the weights', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.array(fc.nat(100_000), { minLength: 1, maxLength: 50 }),
        (total, weights) => {
          const shares = apportion(total, weights);
          expect(shares.reduce((a, b) => a + b, 0)).toBe(total);
          expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
          const heaviest = weights.indexOf(Math.max(...weights));
          expect(shares[heaviest]).toBe(Math.max(...shares));
        },
      ),
      { seed: 1 },
    );
  });

  it('gives the largest remainders what rounding leaves', () => {
    expect(apportion(10, [1, 1, 1])).toEqual([4, 3, 3]);
    expect(apportion(7, [0, 0])).toEqual([7, 0]);
  });
});
