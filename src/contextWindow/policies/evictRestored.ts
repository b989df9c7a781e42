import { blocksInWindow } from '../contextWindow';
import { isOut, type Rung } from './draft';
import { evictInOrder } from './evictOldest';

/**
 * Takes out, oldest first, what the user restored and the model has not read yet, where even cut it
 * leaves too much for the request to be sent: it would then be read by nobody.
 */
export const evictRestored: Rung = (draft) => {
  const { window, budget, spared } = draft.input;
  if (draft.used <= budget.inputBudget) return draft;
  const restored = blocksInWindow(window).filter(
    ({ id }) =>
      draft.protections.get(id) === 'keep:restored' &&
      spared?.has(id) !== true &&
      !isOut(draft, id),
  );
  return evictInOrder(draft, restored, 'evictOldest');
};
