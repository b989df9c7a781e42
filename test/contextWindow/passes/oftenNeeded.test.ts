import { describe, expect, it } from 'vitest';
import type { ContextWindow, Refault } from '../../../src/contextWindow/window';
import type { BlockId } from '../../../src/contextWindow/block';
import { reminderDue } from '../../../src/contextWindow/passes/reminder';
import { policyFacts } from '../../../src/contextWindow/passes/rungs/policyInput';
import { PersistentList } from '../../../src/contextWindow/persistentList';
import { POLICY_SETTINGS } from '../../support/agentSettings';
import { budgetOf, countDots, draw } from '../../support/drawing';
import { done, planned, reason } from '../support/planned';

/** Two equal reads, of which the older one leaves first, and three results that stay. */
const READS = `
  1 anchor task 10
  1 read a.ts 300
  1 read b.ts 300
  1 read x.ts 5
  1 read y.ts 5
  1 read z.ts 5
`;

const again = (step: number, what = 'a.ts'): Refault => ({
  step,
  blockId: 'step-1' as BlockId,
  by: 'read',
  what,
});

function readsAfter(...refaults: readonly Refault[]): ContextWindow {
  return { ...draw(READS), refaults: PersistentList.of(refaults) };
}

describe('what was needed again', () => {
  const plan = (...refaults: readonly Refault[]) =>
    planned(readsAfter(...refaults), { policy: 'ladder', inputBudget: 700, low: 0.5 });

  it('once is cleared in its turn', () => {
    expect(done(plan(again(2)))).toEqual(['clear step-1']);
  });

  it('twice is removed last, and the pass says why', () => {
    const kept = plan(again(2), again(3));
    expect(done(kept)).toEqual(['clear step-2']);
    expect(reason(kept, 'step-1')).toBe(
      'Kept: needed again 2 times after it was removed, so it is removed last',
    );
  });

  it('is forgotten after a hundred steps, so that one of two early needs no longer protects', () => {
    const later = (step: number) =>
      planned(
        { ...readsAfter(again(2), again(3)), step },
        { policy: 'ladder', inputBudget: 700, low: 0.5 },
      );
    expect(done(later(101))).toEqual(['clear step-2']);
    expect(done(later(102))).toEqual(['clear step-1']);
  });

  it('twice is evicted after the other steps, if that is not enough', () => {
    const window = readsAfter(again(2), again(3));
    const all = planned(window, { policy: 'salience', inputBudget: 320, low: 0.1 });
    expect(reason(all, 'step-1')).toMatch(
      /^After older and recent blocks, the least relevant of those needed again often \(/,
    );
  });
});

describe('a reminder', () => {
  const dueAfter = (window: ContextWindow, remindAfterSteps = 50) =>
    reminderDue(
      policyFacts({
        window,
        budget: budgetOf(8_000),
        settings: POLICY_SETTINGS,
        estimate: countDots,
      }),
      { remindAfterSteps, passesRun: true },
    );

  it('offers to note what the newest step needed again for the second time', () => {
    expect(dueAfter(readsAfter(again(2), again(5)))).toMatchObject({
      source: { from: 'reminder', because: 'neededAgain' },
      text:
        '[Reminder, no request: you needed a.ts again more than once after it was removed from the ' +
        'context window. Save what you need of it with update_scratchpad as you continue.]',
    });
  });

  it('ignores what was needed more than a hundred steps ago', () => {
    const at500 = (...refaults: readonly Refault[]) =>
      dueAfter({ ...readsAfter(...refaults), step: 500 }, 1_000);
    expect(at500(again(10), again(500))).toBeUndefined();
    expect(at500(again(2), again(3), again(450), again(500))).toMatchObject({
      source: { because: 'neededAgain' },
    });
  });

  it('does not repeat it at a later step or a later time', () => {
    expect(dueAfter(readsAfter(again(2), again(3)))).toBeUndefined();
    expect(dueAfter(readsAfter(again(2), again(3), again(5)))).toBeUndefined();
    expect(dueAfter(readsAfter(again(5)))).toBeUndefined();
  });
});
