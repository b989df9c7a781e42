import type { Block } from '../block';
import { blocksInWindow, type ContextWindow } from '../contextWindow';
import { messagesOf } from '../blockMessages';
import { closeRung, isOut, takeable, touchAll, type Draft, type Rung } from './draft';

/**
 * Takes out every turn but the newest `turns`; a turn is a prompt and everything until the next. A
 * summary is no turn: it tells of those that have left.
 */
export function capTurns(turns: number): Rung {
  return (draft) => {
    const first = draft.input.window.turn - turns + 1;
    const old = takeable(draft).filter(({ kind, turn }) => kind !== 'summary' && turn < first);
    return evictOver(draft, old, `only the newest ${turns} turns stay`);
  };
}

/** Takes out the oldest blocks until at most `messages` messages are left; pairs go whole. */
export function capMessages(messages: number): Rung {
  return (draft) => {
    const standing = blocksInWindow(draft.input.window).filter(({ id }) => !isOut(draft, id));
    let left = messagesOfAll(standing);
    const old = takeable(draft).filter((block) => {
      if (left <= messages) return false;
      left -= messagesOf(block).length;
      return true;
    });
    return evictOver(draft, old, `only the newest ${messages} messages stay`);
  };
}

/** The messages the blocks of the window make, before neighbours of one role are joined. */
export function messagesIn(window: ContextWindow): number {
  return messagesOfAll(blocksInWindow(window));
}

function messagesOfAll(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + messagesOf(block).length, 0);
}

/** The turns of which a block other than a pinned one or a summary is in the window. */
export function turnsIn(window: ContextWindow): number {
  const turns = blocksInWindow(window)
    .filter((block) => !block.pinned && block.kind !== 'summary' && block.kind !== 'note')
    .map(({ turn }) => turn);
  return new Set(turns).size;
}

function evictOver(draft: Draft, blocks: readonly Block[], because: string): Draft {
  const what = { action: 'evict', rule: 'evictOverCap', because } as const;
  const touched = blocks.map(({ id }) => ({ id, weight: 0, what }));
  return closeRung(draft, touchAll(draft, touched), 'cap');
}
