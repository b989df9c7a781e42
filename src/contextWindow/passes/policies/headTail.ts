import type { Block, BlockId } from '../../block';
import { messagesOf } from '../../request/blockMessages';
import { blocksInWindow } from '../../window';
import { capMessages } from '../rungs/cap';
import { climb } from '../rungs/planOf';
import { takeable, type DraftProtection, type Rung } from '../rungs/draft';
import { evictInOrder, evictOldest } from '../rungs/evict';
import type { Policy } from '../rungs/policyInput';

/** The head is the anchor and at most this many blocks after it. */
const HEAD_BLOCKS = 4;

/** The head gets at most this share of the messages that stay. */
const HEAD_SHARE = 0.5;

/**
 * Keeps the beginning, where the agent explores the task, and the newest messages, together
 * `maxMessages`; evicts the middle. Right if the first exploration stays valid for the whole
 * session. Wrong if the work has moved on: the head is then dead weight, and the middle with the
 * edits is gone.
 */
export const headTail: Policy = (input) =>
  climb(
    input,
    'headTail',
    [keepHead, evictMiddle, evictHead],
    [keepHead, capMessages(input.settings.maxMessages, true)],
  );

/** Protects the head from the next rungs. */
const keepHead: Rung = (draft) => {
  const { window, settings } = draft.input;
  const head = headOf(blocksInWindow(window), settings.maxMessages);
  const protections = new Map<BlockId, DraftProtection>(head.map(({ id }) => [id, 'keep:head']));
  for (const [id, protection] of draft.protections) protections.set(id, protection);
  return { ...draft, protections };
};

/** The first blocks; the very first is in the head however few messages may stay. */
function headOf(blocks: readonly Block[], maxMessages: number): readonly Block[] {
  const most = Math.floor(maxMessages * HEAD_SHARE);
  let messages = 0;
  return blocks.slice(0, HEAD_BLOCKS + 1).filter((block, index) => {
    messages += messagesOf(block).length;
    return index === 0 || messages <= most;
  });
}

const evictMiddle: Rung = (draft) => evictInOrder(draft, takeable(draft), 'evictMiddle');

/** Evicts the head too, oldest first, if evicting everything else did not make enough room. */
const evictHead: Rung = (draft) => {
  const hasGained = draft.used < draft.input.measured.used.tokens;
  if (hasGained && draft.used <= draft.input.budget.highTokens) return draft;
  const others = [...draft.protections].filter(([, protection]) => protection !== 'keep:head');
  const evicted = evictOldest({ ...draft, protections: new Map(others) });
  return { ...evicted, protections: draft.protections };
};
