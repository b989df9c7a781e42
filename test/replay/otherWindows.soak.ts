import { describe, expect, it } from 'vitest';
import { editsVisible, RECORDINGS, SIMPLER } from './support/realRecordings';

/** Half a percentage point: one edit in two hundred. */
const HALF_POINT = 0.005;

describe.skipIf(RECORDINGS.length === 0)('real recordings in other windows', () => {
  it.each([32_000, 128_000])(
    'the ladder shows at least as many edits as any simpler policy: %i tokens',
    async (window) => {
      const ladder = await editsVisible('ladder', window);
      for (const policy of SIMPLER) {
        const other = await editsVisible(policy, window);
        expect(ladder, policy).toBeGreaterThanOrEqual(other - HALF_POINT);
      }
    },
  );
});
