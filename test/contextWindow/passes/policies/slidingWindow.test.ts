import { describe, expect, it } from 'vitest';
import { isWorthwhile, dueTrigger } from '../../../../src/contextWindow/passes/pipeline';
import { measure } from '../../../../src/contextWindow/account/measure';
import { POLICY_SETTINGS } from '../../../support/agentSettings';
import { budgetOf, countDots, draw } from '../../../support/drawing';
import { done, planned, reason, type Planned } from '../../support/planned';

/** Eleven messages: a prompt is one, a reply is one, a step with a call is two. */
const SESSION = `
  1 anchor task 10
  1 read   a.ts 10
  1 reply  one 10
  2 prompt next 10
  2 read   b.ts 10
  2 read   c.ts 10
  3 prompt now 10
  3 read   d.ts 10
`;

const over: Planned = { policy: 'slidingWindow', inputBudget: 10_000, trigger: 'cap' };

function due(maxMessages: number) {
  const window = draw(SESSION);
  const settings = { ...POLICY_SETTINGS, policy: 'slidingWindow', maxMessages } as const;
  return dueTrigger({
    window,
    measured: measure(window, countDots),
    budget: budgetOf(10_000),
    settings,
  });
}

describe('slidingWindow', () => {
  it('is due one message above the limit, whatever the tokens', () => {
    expect(due(12)).toBeUndefined();
    expect(due(11)).toBe('cap');
  });

  it('evicts the oldest blocks down to the limit; the anchor stays first', () => {
    expect(done(planned(SESSION, { ...over, maxMessages: 12 }))).toEqual([]);
    expect(done(planned(SESSION, { ...over, maxMessages: 10 }))).toEqual(['evict step-1']);
    expect(done(planned(SESSION, { ...over, maxMessages: 8 }))).toEqual([
      'evict step-1',
      'evict step-2',
      'evict prompt-2',
    ]);
  });

  it('evicts call and result together, even if one message less would do', () => {
    const plan = planned(SESSION, { ...over, maxMessages: 11 });
    expect(done(plan)).toEqual(['evict step-1']);
    expect(reason(plan, 'step-1')).toBe('Over the limit: only the newest 11 messages stay');
    expect(isWorthwhile(plan)).toBe(true);
  });

  it('counts the blocks that the limit on turns already evicted', () => {
    const plan = planned(SESSION, { ...over, maxMessages: 4, maxHistoryTurns: 2 });
    expect(done(plan)).toHaveLength(5);
    for (const id of ['step-1', 'step-4']) expect(reason(plan, id)).toContain('more than 2 turns');
  });

  it('evicts more if the newest messages do not fit', () => {
    const plan = planned(
      `1 anchor task 10
       1 read a.ts 100
       1 read b.ts 500
       1 read c.ts 500`,
      { policy: 'slidingWindow', inputBudget: 1_300, maxMessages: 40 },
    );
    expect(done(plan)).toEqual(['evict step-1', 'evict step-2']);
    expect(reason(plan, 'step-2')).toBe('One of the oldest blocks that may be removed');
  });
});
