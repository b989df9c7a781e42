import type { BlockId } from '../block';
import { blocksInWindow } from '../contextWindow';
import { capMessages } from './cap';
import { climb } from './climb';
import { takeable, type DraftProtection, type Rung } from './draft';
import { evictInOrder, evictOldest } from './evictOldest';
import type { Policy } from './policy';

/** The anchor and this many blocks behind it are the head. */
const HEAD_BLOCKS = 4;

/**
 * Keeps the beginning, where the task is explored, and the newest messages; the middle goes. Right
 * where the first look around holds for the whole session. Wrong where the work has moved on: the
 * head is then dead weight, and the middle, with the edits, is gone.
 */
export const headTail: Policy = (input) =>
  climb(
    input,
    'headTail',
    [keepHead, evictMiddle, evictHead],
    [keepHead, capMessages(input.settings.maxMessages)],
  );

/** Protects the head from the rungs that follow. */
const keepHead: Rung = (draft) => {
  const head = blocksInWindow(draft.input.window).slice(0, HEAD_BLOCKS + 1);
  const protections = new Map<BlockId, DraftProtection>(head.map(({ id }) => [id, 'keep:head']));
  for (const [id, protection] of draft.protections) protections.set(id, protection);
  return { ...draft, protections };
};

const evictMiddle: Rung = (draft) => evictInOrder(draft, takeable(draft), 'evictMiddle');

/** Takes the head too, oldest first, where all else going has not made room. */
const evictHead: Rung = (draft) => {
  const hasGained = draft.used < draft.input.measured.used.tokens;
  if (hasGained && draft.used <= draft.input.budget.highTokens) return draft;
  const others = [...draft.protections].filter(([, protection]) => protection !== 'keep:head');
  const evicted = evictOldest({ ...draft, protections: new Map(others) });
  return { ...evicted, protections: draft.protections };
};
