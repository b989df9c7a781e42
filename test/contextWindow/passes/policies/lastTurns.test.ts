import { describe, expect, it } from 'vitest';
import { measure } from '../../../../src/contextWindow/account/measure';
import { dueTrigger } from '../../../../src/contextWindow/passes/pipeline';
import { POLICY_SETTINGS } from '../../../support/agentSettings';
import { budgetOf, countDots, draw, drawnEvents, foldNew } from '../../../support/drawing';
import { done, passed, planned, type Planned } from '../../support/planned';

const SESSION = `
  1 anchor task 10
  1 read   a.ts 10
  2 prompt two 10
  2 read   b.ts 10
  2 note   scratchpad 10
  2 note   src/AGENTS.md 10
  3 prompt three 10
  3 read   c.ts 10
  4 prompt now 10
`;

const capped: Planned = { policy: 'lastTurns', inputBudget: 10_000, trigger: 'cap' };

function due(drawing: string, keepTurns: number) {
  const window = draw(drawing);
  const settings = { ...POLICY_SETTINGS, policy: 'lastTurns', keepTurns } as const;
  return dueTrigger({
    window,
    measured: measure(window, countDots),
    budget: budgetOf(10_000),
    settings,
  });
}

describe('lastTurns', () => {
  it('is due with one turn too many, without counting the pinned anchor', () => {
    expect(due(SESSION, 4)).toBeUndefined();
    expect(due(SESSION, 3)).toBe('cap');
    expect(due('1 anchor task 10\n2 prompt two 10\n3 prompt now 10', 2)).toBeUndefined();
  });

  it('evicts a prompt and everything until the next, except project memory', () => {
    expect(done(planned(SESSION, { ...capped, keepTurns: 4 }))).toEqual([]);
    expect(done(planned(SESSION, { ...capped, keepTurns: 2 }))).toEqual([
      'evict step-1',
      'evict prompt-2',
      'evict step-2',
      'evict note-1',
    ]);
  });

  it('keeps 20 turns by default', () => {
    const turns = (count: number) =>
      Array.from(
        { length: count },
        (_, index) => `${index + 1} prompt p 1\n${index + 1} reply r 1`,
      ).join('\n');
    expect(due(turns(20), POLICY_SETTINGS.keepTurns)).toBeUndefined();
    expect(due(turns(21), POLICY_SETTINGS.keepTurns)).toBe('cap');
    expect(done(planned(turns(21), capped))).toEqual(['evict step-1']);
  });

  it('can only evict the oldest steps of a task that is one long turn', () => {
    const plan = planned(
      `1 anchor task 10
       1 read a.ts 400
       1 read b.ts 400
       1 read c.ts 400`,
      { policy: 'lastTurns', inputBudget: 1_300 },
    );
    expect(done(plan)).toEqual(['evict step-1', 'evict step-2']);
  });

  it('keeps a summary of evicted turns: it is not a turn', () => {
    const events = passed(
      drawnEvents(
        `1 anchor task 10
         1 reply one 900
         2 prompt two 10
         2 reply two 900
         3 prompt three 10
         3 reply three 50
         4 prompt now 10`,
      ),
      { policy: 'summarise', inputBudget: 2_000, summaries: true },
    );
    const window = foldNew(events);
    expect(window.blocks.map(({ id }) => id)).toContain('summary-1');
    expect(done(planned(window, { ...capped, keepTurns: 1 }))).not.toContain('evict summary-1');
  });
});
