import fc from 'fast-check';

/**
 * Property tests draw the same values in every `npm test`, so that a failure comes from the tested
 * change. The soak draws new values each time, and prints its seed after a failure.
 *
 * A failed case is reported as it was drawn: to find the smallest one can take longer than all other
 * tests, and no time limit ends it. PLIMSOLL_SHRINK=1 looks for it.
 */
fc.configureGlobal({
  ...(process.env['PLIMSOLL_SOAK'] === undefined ? { seed: 20_261_122 } : {}),
  endOnFailure: process.env['PLIMSOLL_SHRINK'] === undefined,
});
