import type { Block } from '../block';
import { reachableGoal } from './reachableGoal';
import {
  closeRung,
  takeable,
  touchAll,
  weightIn,
  type Draft,
  type Rung,
  type Touched,
} from './draft';

/** Takes whole blocks out, oldest first, until the low watermark is reached. */
export const evictOldest: Rung = (draft) => evictInOrder(draft, takeable(draft), 'evictOldest');

/** Takes blocks out in the order given, as far as it gets the window to a mark. */
export function evictInOrder(
  draft: Draft,
  blocks: readonly Block[],
  rule: 'evictOldest' | 'evictMiddle' | 'evictLeastSalient' | 'evictUnneeded',
): Draft {
  const candidates = blocks.filter(({ id }) => weightIn(draft, id) > 0);
  const goal = reachableGoal(draft, candidates);
  if (goal === undefined) return draft;
  const touched: Touched[] = [];
  let { used } = draft;
  for (const { id } of candidates) {
    if (used <= goal) break;
    touched.push({ id, weight: 0, what: { action: 'evict', rule } });
    used -= weightIn(draft, id);
  }
  return closeRung(draft, touchAll(draft, touched), 'evict');
}
