import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standingRulesOf } from '../../../src/contextWindow/standingRules/standingRules';
import type { Played } from '../../support/player';
import { actions, anyPolicy, playSmall, settingsOf } from '../../support/randomSession';
import { INVARIANTS } from '../../support/windowInvariants';

const RUNS = { numRuns: 60, seed: 20_261_127 };

/** Sessions whose prompts have rules, each played once for all invariants. */
const PLAYED: readonly Played[] = drawn();

function drawn(): readonly Played[] {
  const all: Played[] = [];
  fc.assert(
    fc.property(actions, anyPolicy, settingsOf, (script, policy, settings) => {
      all.push(playSmall(script, policy, settings, 'withRules'));
    }),
    RUNS,
  );
  return all;
}

describe('random sessions with standing rules', () => {
  it('have rules in every place', () => {
    const places = new Set<string>();
    for (const { sent } of PLAYED) {
      for (const { window } of sent) {
        for (const { place } of standingRulesOf(window)) places.add(place);
      }
    }
    expect([...places].toSorted()).toEqual(
      ['block', 'memory', 'note', 'off', 'omitted', 'prompt', 'struck'].toSorted(),
    );
  });

  it.each(Object.entries(INVARIANTS))('%s', (_, check) => PLAYED.forEach(check));
});
