import { isSoak } from '../../support/runs';

/**
 * Steps and groups of the editor suite that only `npm run test:soak` runs: they are slow, and a
 * cheaper test also holds most of what they show, or it seldom changes.
 */
export const [describeInSoak, itInSoak] = isSoak ? [describe, it] : [leftOut, leftOut];

/** Takes what mocha's functions take. */
function leftOut(_title: string, _run: (this: never) => unknown): void {}
