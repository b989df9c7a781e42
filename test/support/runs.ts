/** Set by `npm run test:soak`, which runs the tests that use `runs` again. */
export const isSoak = process.env['PLIMSOLL_SOAK'] !== undefined;

/** The number of cases: what `npm test` has time for, or that of the soak. */
export const runs = (usual: number, soak: number): number => (isSoak ? soak : usual);
