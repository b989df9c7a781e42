import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Played } from '../support/player';
import { actions, anyPolicy, playSmall, settingsOf } from '../support/randomSession';
import { runs } from '../support/runs';
import { INVARIANTS } from '../support/windowInvariants';

const RUNS = { numRuns: runs(60, 1_000), seed: 20_261_129 };

/** Sessions whose task takes more than its share, each played once for all invariants. */
const PLAYED: readonly Played[] = drawn();

function drawn(): readonly Played[] {
  const all: Played[] = [];
  fc.assert(
    fc.property(actions, anyPolicy, settingsOf, (script, policy, settings) => {
      all.push(playSmall(script, policy, settings, 'withLongTask'));
    }),
    RUNS,
  );
  return all;
}

describe('random sessions with a long task', () => {
  it('have passes that shorten it, and others that leave it whole', () => {
    const rules = PLAYED.flatMap(({ window }) =>
      window.ledger.flatMap(({ pass }) =>
        pass.decisions.flatMap(({ kind, reason }) => (kind === 'anchor' ? [reason.rule] : [])),
      ),
    );
    expect(rules).toEqual(expect.arrayContaining(['shortenTask', 'keep:anchor']));
  });

  it.each(Object.entries(INVARIANTS))('%s', (_, check) => PLAYED.forEach(check));
});
