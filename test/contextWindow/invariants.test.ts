import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { POLICY_NAMES, type RungName } from '../../src/contextWindow/plan';
import type { Played } from '../support/player';
import { actions, playSmall, settingsOf } from '../support/randomSession';
import { INVARIANTS } from '../support/windowInvariants';

/** Sessions for each policy and invariant; `npm run test:soak` plays 10,000. */
const RUNS = 25;

type Policy = (typeof POLICY_NAMES)[number];

function holds(policy: Policy, check: (played: Played) => void): void {
  fc.assert(
    fc.property(actions, settingsOf, (script, settings) => {
      check(playSmall(script, policy, settings));
    }),
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

describe('the random sessions', () => {
  it('have every change of a block by hand in them, and undo some', () => {
    const ways = new Set<string>();
    for (const policy of POLICY_NAMES) {
      holds(policy, ({ window: { ledger, blocks } }) => {
        for (const { pass, undone } of ledger) {
          if (pass.trigger !== 'byHand') continue;
          const done = pass.decisions.find(({ rule }) => rule.endsWith('ByUser'))!;
          ways.add(undone === true ? `${done.rule} undone` : done.rule);
        }
        for (const block of blocks) if (block.kind === 'note') ways.add(block.source.from);
      });
    }
    const rules = ['excludedByUser', 'clearedByUser', 'restoredByUser', 'rewrittenByUser'];
    expect([...ways]).toEqual(
      expect.arrayContaining([...rules, 'excludedByUser undone', 'recall']),
    );
  });
});
