import { clearPairs, newestResults } from '../rungs/clearResults';
import { climb } from '../rungs/planOf';
import {
  ifGained,
  changeAll,
  takeableSteps,
  weightIn,
  type Rung,
  type BlockChange,
} from '../rungs/draft';
import { evictOldest } from '../rungs/evict';
import type { Policy } from '../rungs/policyInput';

/** A step larger than this share of the target stands in the way of everything before it. */
const OVERSIZED_SHARE = 0.25;

/**
 * Keeps the newest blocks that fit behind the anchor. Right as a plain, fast rule whose result one
 * can foresee. Wrong where old reads are still worked with. An oversized result is cleared first:
 * otherwise one large output would push out everything that came before it.
 */
export const tokenBudget: Policy = (input) =>
  climb(input, 'tokenBudget', [clearOversized, evictOldest]);

const clearOversized: Rung = (draft) => {
  if (draft.used <= draft.target) return draft;
  const most = Math.floor(draft.target * OVERSIZED_SHARE);
  const newest = newestResults(draft);
  const touched = takeableSteps(draft).flatMap((step): BlockChange[] => {
    const tokens = weightIn(draft, step.id);
    if (tokens <= most) return [];
    const isOld = ({ use }: { readonly use: { readonly id: string } }) =>
      !(newest as ReadonlySet<string>).has(use.id);
    const cleared = clearPairs(draft, step, isOld, 'clearOversized', String(tokens));
    return cleared === undefined ? [] : [cleared];
  });
  return ifGained(draft, changeAll(draft, touched));
};
