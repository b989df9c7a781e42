import { climb } from '../rungs/planOf';
import { summariseEverything, summariseOldest } from '../rungs/summariseOldest';
import { evictOldest } from '../rungs/evict';
import { keepRecentTurns } from '../rungs/recentTurns';
import type { Policy } from '../rungs/policyInput';

/**
 * Replaces the oldest blocks by a summary and keeps the newest word for word. Right where decisions
 * and findings matter more than exact text. Wrong where the exact text is about to be edited: a
 * summary cannot be quoted. Where a summary is off or gains too little, the oldest blocks go.
 */
export const summarise: Policy = (input) =>
  climb(input, 'summarise', [keepRecentTurns([summariseOldest, evictOldest])]);

/**
 * Replaces everything older than the newest turns by a summary, because the user goes on with an
 * idle session from there; by a work note where summaries are off. Where the newest turns are nearly
 * all there is, the older steps of them go too.
 */
export const summariseEarlier: Policy = (input) =>
  climb(
    { ...input, settings: { ...input.settings, summaries: true, maxHistoryTurns: 0 } },
    'summarise',
    [keepRecentTurns([summariseEverything])],
  );
