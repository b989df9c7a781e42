import { planOf } from './planOf';
import { clearArchive, clearWorking } from './clear';
import { compactOldest } from './compact';
import { startDraft, type Rung } from './draft';
import { evictLeastSalient } from './evict';
import type { Policy } from './policy';

/**
 * The rungs of the default policy, gentlest first; each stops at the low watermark. A summary says
 * more than a placeholder: the results of the work in hand are cleared only where none helps.
 */
export const LADDER: readonly Rung[] = [
  clearArchive,
  compactOldest,
  clearWorking,
  evictLeastSalient,
];

/** The default policy: climbs the ladder until the low watermark is reached. */
export const ladder: Policy = (input) =>
  planOf(LADDER.reduce((draft, rung) => rung(draft), startDraft(input)));
