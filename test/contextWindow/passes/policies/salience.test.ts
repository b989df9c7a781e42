import { describe, expect, it } from 'vitest';
import { done, planned, reason, type Planned } from '../../support/planned';

const SESSION = `
  1 anchor task 10
  1 read   src/used.ts 300
  1 list   src 300
  1 read   src/left.ts 300
  1 edit   src/used.ts 10
  2 prompt src/used.ts 10
  2 run    npm_test 100
`;

const run = (options: Partial<Planned> = {}) =>
  planned(SESSION, { policy: 'salience', inputBudget: 1_200, ...options });

describe('salience', () => {
  it('evicts the least salient blocks wherever they are, and says why', () => {
    const plan = run();
    expect(done(plan)).toEqual(['evict step-2', 'evict step-3']);
    expect(reason(plan, 'step-2')).toBe(
      'Least relevant of the recent blocks that may be removed (0.24): not used for 3 steps, large (300 tokens), neither reads nor changes a file',
    );
  });

  it('keeps the factors of every block for the panel, kept ones included', () => {
    for (const { salience } of run().decisions) {
      const { recency, reuse, kind, size, salience: whole } = salience!;
      for (const factor of [recency, reuse, kind, size, whole]) {
        expect(factor).toBeGreaterThanOrEqual(0);
        expect(factor).toBeLessThanOrEqual(1);
      }
    }
  });

  it('uses the model’s ratings if there are any, and ranks a pin above them', () => {
    const plan = run({ ratings: { 'step-1': 0.01, 'step-2': 0.9, 'step-3': 0.9 } });
    expect(done(plan)[0]).toBe('evict step-1');
    expect(reason(plan, 'step-1')).toBe(
      'Least relevant of the recent blocks that may be removed (rated by the model: 0.01)',
    );
    expect(plan.decisions[1]!.salience).toMatchObject({ salience: 0.01, rated: 0.01 });
  });

  it('evicts the prompt of a turn whose steps were all evicted', () => {
    const plan = planned(
      `1 anchor task 10
       2 prompt old 10
       2 list   src 900
       3 prompt now 10
       3 read   a.ts 100`,
      { policy: 'salience', inputBudget: 1_200 },
    );
    expect(done(plan)).toEqual(['evict prompt-2', 'evict step-1']);
    expect(reason(plan, 'prompt-2')).toContain('finished turn');
  });
});
