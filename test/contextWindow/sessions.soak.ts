import fc from 'fast-check';
import { describe, it } from 'vitest';
import { actions, anyPolicy, playSmall, settingsOf } from '../support/randomSession';
import { INVARIANTS } from '../support/windowInvariants';

/** It takes minutes: `npm run test:soak` alone runs it. */
const SESSIONS = 10_000;

/** A lot that fails looks for a smaller session that fails, too, but not for ever; ms. */
const LONGEST = 600_000;

describe('every invariant over 10,000 random sessions of any policy', () => {
  // In lots, so that a run shows how far it is.
  const lots = Array.from({ length: 20 }, (_, lot) => lot);
  it.each(lots)('lot %i', { timeout: LONGEST + 60_000 }, (lot) => {
    fc.assert(
      fc.property(actions, anyPolicy, settingsOf, (script, policy, set) => {
        const played = playSmall(script, policy, set);
        for (const check of Object.values(INVARIANTS)) check(played);
      }),
      {
        numRuns: SESSIONS / lots.length,
        seed: 20_261_122 + lot,
        interruptAfterTimeLimit: LONGEST,
        markInterruptAsFailure: true,
      },
    );
  });
});
