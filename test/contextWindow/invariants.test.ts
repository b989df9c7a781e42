import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withInputBudget } from '../../src/contextWindow/budget';
import { POLICY_NAMES, type RungName } from '../../src/contextWindow/plan';
import { POLICY_SETTINGS } from '../support/agentSettings';
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

/** `npm run test:soak` sets it to 10,000. */
const RUNS = Number(process.env['PLIMSOLL_RUNS'] ?? 25);

type Policy = (typeof POLICY_NAMES)[number];

function holds(policy: Policy, check: (played: Played) => void): void {
  fc.assert(
    fc.property(
      actions,
      fc.record({
        summaries: fc.boolean(),
        maxMessages: fc.integer({ min: 2, max: 20 }),
        keepTurns: fc.integer({ min: 1, max: 6 }),
        maxHistoryTurns: fc.constantFrom(0, 3, 50),
      }),
      (script, settings) => {
        check(play(script, BUDGET, { ...POLICY_SETTINGS, ...settings, policy }));
      },
    ),
    { numRuns: RUNS, seed: 20_261_121 },
  );
}

const RUNGS_OF: Readonly<Record<Policy, readonly RungName[]>> = {
  ladder: ['clear', 'compact', 'evict', 'supersede', 'trim'],
  slidingWindow: ['cap', 'evict'],
  lastTurns: ['cap', 'evict'],
  headTail: ['cap', 'evict'],
  tokenBudget: ['clear', 'evict'],
  salience: ['evict'],
  compact: ['compact', 'evict'],
  server: ['evict'],
};

describe.each(POLICY_NAMES)('%s: invariants over random sessions', (policy) => {
  it('its passes climb every rung it has, so that there is something to check', () => {
    const rungs = new Set<string>();
    holds(policy, ({ window }) => {
      for (const { pass } of window.ledger) pass.rungs.forEach(({ rung }) => rungs.add(rung));
    });
    expect([...rungs]).toEqual(expect.arrayContaining([...RUNGS_OF[policy]]));
  });

  it.each(Object.entries(INVARIANTS))('%s', (_, check) => holds(policy, check));
});
