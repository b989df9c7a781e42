import { climb } from './climb';
import { clearLarge, clearRest } from './clearResults';
import { clearSuperseded } from './clearSuperseded';
import { compactSpent } from './compactSpent';
import type { Rung } from './draft';
import { evictLeastSalient } from './evictLeastSalient';
import { evictShownNotes } from './evictShownNotes';
import type { Policy } from './policy';
import { trimOldThinking } from './trimThinking';

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
export const ladder: Policy = (input) => climb(input, 'ladder', LADDER);
