import { describe, expect, it } from 'vitest';
import { done, planned, reason, type Planned } from '../../support/planned';

const run = (drawing: string, options: Partial<Planned> = {}) =>
  planned(drawing, { policy: 'tokenBudget', inputBudget: 2_000, ...options });

describe('tokenBudget', () => {
  it('keeps the newest blocks that fit after the anchor, to the token', () => {
    const session = (first: number) => `
      1 anchor task 10
      1 reply a ${first}
      1 reply b 200
      1 reply c 200
      1 reply d 200
      1 reply e 200
      1 reply f 190`;
    expect(done(run(session(600)))).toEqual(['evict step-1']);
    // With the rest at 1,000 tokens the low watermark is reached; at 1,001 one more has to go.
    const fuller = session(600).replace('c 200', 'c 201');
    expect(done(run(fuller))).toEqual(['evict step-1', 'evict step-2']);
  });

  it('clears an oversized result instead of evicting everything before it', () => {
    const plan = run(`
      1 anchor task 10
      1 read a.ts 100
      1 read log.txt 1600
      1 read b.ts 10
      1 read c.ts 10
      1 read d.ts 10`);
    expect(done(plan)).toEqual(['clear step-2']);
    expect(reason(plan, 'step-2')).toContain('Its 1,600 tokens are too many for one step');
    expect(plan.decisions[2]).toMatchObject({
      toolUseIds: ['tool_1_2'],
      wayBack: { handle: 'tool_1_2' },
      before: { tokens: 1_600 },
      after: { tokens: 0 },
    });
  });

  it('counts as oversized what exceeds a quarter of the target', () => {
    const session = (tokens: number) => `
      1 anchor task 100
      1 reply pinned 1300 !
      1 read log.txt ${tokens}
      1 read b.ts 10
      1 read c.ts 10
      1 read d.ts 10`;
    expect(done(run(session(250)))).toEqual(['evict step-2']);
    expect(done(run(session(251)))).toEqual(['clear step-2']);
  });

  it('does not clear one of the three newest results, whatever its size', () => {
    const plan = run(`
      1 anchor task 10
      1 read a.ts 100
      1 read b.ts 900
      1 read c.ts 900
      1 read d.ts 10`);
    expect(done(plan)).not.toContain('clear step-2');
  });
});
