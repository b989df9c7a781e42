import fc from 'fast-check';
import { it } from 'vitest';
import { actions, anyPolicy, playSmall, settingsOf } from './randomSession';
import { INVARIANTS } from './windowInvariants';

/** It takes minutes: `npm run test:soak` alone runs it. */
const SESSIONS = 10_000;

/** In lots, so that a run shows how far it is. */
const LOTS = 20;

/** A lot that fails looks for a smaller session that fails, too, but not for ever; ms. */
const LONGEST = 600_000;

/** Checks every invariant over half of the sessions: each half is a file, and has a worker of its own. */
export function soakHalf(half: 0 | 1): void {
  const lots = Array.from({ length: LOTS }, (_, lot) => lot).filter((lot) => lot % 2 === half);
  it.each(lots)('lot %i', { timeout: LONGEST + 60_000 }, (lot) => {
    fc.assert(
      fc.property(actions, anyPolicy, settingsOf, (script, policy, set) => {
        const played = playSmall(script, policy, set);
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
