import { climb } from '../rungs/planOf';
import { clearLarge, clearRest } from '../rungs/clearResults';
import { clearSuperseded } from '../rungs/clearSuperseded';
import { compactSpent } from '../rungs/summariseOldest';
import type { Rung } from '../rungs/draft';
import { evictLeastSalient, evictShownNotes } from '../rungs/evict';
import { keepRecentTurns } from '../rungs/recentTurns';
import type { Policy } from '../rungs/policyInput';
import { withExcerpts } from '../rungs/showExcerpts';
import { trimOldThinking } from '../rungs/trimThinking';

/** The rungs of the default policy, gentlest first; each stops at the low watermark. */
const LADDER: readonly Rung[] = [
  evictShownNotes,
  clearSuperseded,
  clearLarge,
  trimOldThinking,
  compactSpent,
  clearRest,
  evictLeastSalient,
];

/**
 * The default: gives up first what is worth least. Right for long coding sessions. Wrong where every
 * pass must be foreseeable at a glance: several rules together decide, and the ledger says which.
 */
export const ladder: Policy = (input) => climb(input, 'ladder', [withExcerpts(LADDER)]);

/** The ladder that only takes out and shows no files: what a replay compares it with. */
export const ladderNoViews: Policy = (input) =>
  climb(input, 'ladderNoViews', [keepRecentTurns(LADDER)]);
