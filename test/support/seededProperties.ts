import fc from 'fast-check';

/**
 * Property tests draw the same values in every `npm test`, so that a failure comes from the tested
 * change. The soak draws new values each time, and prints its seed after a failure.
 */
if (process.env['PLIMSOLL_SOAK'] === undefined) fc.configureGlobal({ seed: 20_261_122 });
