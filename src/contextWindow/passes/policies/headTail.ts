import type { Block, BlockId } from '../../block';
import { messagesOf } from '../../request/blockMessages';
import { blocksInWindow } from '../../window';
import { capMessages } from '../rungs/cap';
import { climb } from '../rungs/planOf';
import { takeable, type DraftProtection, type Rung } from '../rungs/draft';
import { evictInOrder, evictOldest } from '../rungs/evict';
import type { Policy } from '../rungs/policyInput';

/** The anchor and at most this many blocks behind it are the head. */
const HEAD_BLOCKS = 4;

/** The head has at most this share of the messages that stay, so there are never fewer new ones. */
const HEAD_SHARE = 0.5;

/**
 * Keeps the beginning, where the task is explored, and the newest messages, `maxMessages` of both
 * together; the middle goes. Where few messages may stay, the head is shorter: it has at most half
 * of them. Right where the first look around holds for the whole session. Wrong where the work has
 * moved on: the head is then dead weight, and the middle, with the edits, is gone.
 */
export const headTail: Policy = (input) =>
  climb(
    input,
    'headTail',
    [keepHead, evictMiddle, evictHead],
    [keepHead, capMessages(input.settings.maxMessages, becauseOf(input.settings.maxMessages))],
  );

function becauseOf(messages: number): string {
  return `only ${messages} messages stay, the head and the newest`;
}

/** Protects the head from the rungs that follow. */
const keepHead: Rung = (draft) => {
  const { window, settings } = draft.input;
  const head = headOf(blocksInWindow(window), settings.maxMessages);
  const protections = new Map<BlockId, DraftProtection>(head.map(({ id }) => [id, 'keep:head']));
  for (const [id, protection] of draft.protections) protections.set(id, protection);
  return { ...draft, protections };
};

/** The first blocks; the very first belongs to the head however few messages may stay. */
function headOf(blocks: readonly Block[], maxMessages: number): readonly Block[] {
  const most = Math.floor(maxMessages * HEAD_SHARE);
  let messages = 0;
  return blocks.slice(0, HEAD_BLOCKS + 1).filter((block, index) => {
    messages += messagesOf(block).length;
    return index === 0 || messages <= most;
  });
}

const evictMiddle: Rung = (draft) => evictInOrder(draft, takeable(draft), 'evictMiddle');

/** Takes the head too, oldest first, where taking everything else has not made enough room. */
const evictHead: Rung = (draft) => {
  const hasGained = draft.used < draft.input.measured.used.tokens;
  if (hasGained && draft.used <= draft.input.budget.highTokens) return draft;
  const others = [...draft.protections].filter(([, protection]) => protection !== 'keep:head');
  const evicted = evictOldest({ ...draft, protections: new Map(others) });
  return { ...evicted, protections: draft.protections };
};
