import { chai, type expect as expectOfVitest } from 'vitest';

/**
 * The matchers of vitest without its assertion counter, which takes longer than most checks. For
 * invariants, which are checked tens of thousands of times in a test.
 */
export const expect = chai.expect as unknown as typeof expectOfVitest;
