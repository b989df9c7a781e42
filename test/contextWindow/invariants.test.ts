import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withInputBudget } from '../../src/contextWindow/budget';
import type { Played } from '../support/player';
import { actions, play } from '../support/randomSession';
import { INVARIANTS } from '../support/windowInvariants';

const BUDGET = withInputBudget(
  {
    contextWindowTokens: 9_000,
    maxReplyTokens: 500,
    safetyHeadroomTokens: 250,
    toolResultHeadroomTokens: 250,
    highWatermark: 0.8,
    lowWatermark: 0.5,
  },
  8_000,
);

function holds(check: (played: Played) => void): void {
  fc.assert(
    fc.property(actions, fc.boolean(), (script, compaction) => {
      check(play(script, BUDGET, compaction));
    }),
    { numRuns: 150, seed: 20_261_121 },
  );
}

describe('invariants over random sessions', () => {
  it('the sessions run passes of every rung, so that there is something to check', () => {
    const rungs = new Set<string>();
    holds(({ window }) => {
      for (const { pass } of window.ledger) pass.rungs.forEach(({ rung }) => rungs.add(rung));
    });
    expect([...rungs].sort()).toEqual(['clear', 'compact', 'evict']);
  });

  it.each(Object.entries(INVARIANTS))('%s', (_, check) => holds(check));
});
