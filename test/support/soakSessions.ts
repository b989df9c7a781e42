import fc from 'fast-check';
import { it } from 'vitest';
import { actions, anyPolicy, playSmall, settingsOf } from './randomSession';
import { INVARIANTS } from './windowInvariants';

/** It takes minutes, so only `npm run test:soak` runs it. */
const SESSIONS = 10_000;

/** In batches, so that a run shows its progress. */
const LOTS = 20;

/** One after the other by lot. */
const GIVEN = [undefined, 'withRules', 'withPauses', 'withLongTask'] as const;

/** The time limit in ms of the search for a smaller session that fails too. */
const LONGEST = 600_000;

/**
 * Checks every invariant over half of the sessions; each half is a file with a worker of its own.
 */
export function soakHalf(half: 0 | 1): void {
  const lots = Array.from({ length: LOTS }, (_, lot) => lot).filter((lot) => lot % 2 === half);
  it.each(lots)('lot %i', { timeout: LONGEST + 60_000 }, (lot) => {
    fc.assert(
      fc.property(actions, anyPolicy, settingsOf, (script, policy, set) => {
        const played = playSmall(script, policy, set, GIVEN[lot % GIVEN.length]);
        for (const check of Object.values(INVARIANTS)) check(played);
      }),
      {
        numRuns: SESSIONS / LOTS,
        seed: 20_261_122 + lot,
        interruptAfterTimeLimit: LONGEST,
        markInterruptAsFailure: true,
      },
    );
  });
}
