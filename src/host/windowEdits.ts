import { isInWindow, type BlockId } from '../contextWindow/block';
import { findBlock, type ContextWindow } from '../contextWindow/contextWindow';
import type { NewEvent } from '../contextWindow/event';
import { scratchpadText, type Scratchpad } from '../contextWindow/scratchpad';
import { whyNotUndone } from '../contextWindow/undoPass';

/** What a wish of the user's leads to: an event, nothing because it is so already, or a refusal. */
export type WindowEdit =
  | { readonly type: 'append'; readonly event: NewEvent }
  | { readonly type: 'nothing' }
  | { readonly type: 'refuse'; readonly message: string };

const NOTHING: WindowEdit = { type: 'nothing' };

/** Pins or unpins a block. */
export function pinEdit(window: ContextWindow, blockId: string, pinned: boolean): WindowEdit {
  const block = findBlock(window, blockId as BlockId);
  if (block === undefined) return refuse('There is no such block.');
  if (block.pinned === pinned) return NOTHING;
  if (pinned && !isInWindow(block)) {
    return refuse('This block has left the window; pinning would not bring it back.');
  }
  return append({ type: pinned ? 'blockPinned' : 'blockUnpinned', blockId: block.id });
}

/** Makes a prompt the task. */
export function anchorEdit(window: ContextWindow, blockId: string): WindowEdit {
  const block = findBlock(window, blockId as BlockId);
  if (block === undefined) return refuse('There is no such block.');
  if (block.kind === 'anchor') return NOTHING;
  if (block.kind !== 'prompt') return refuse('Only a prompt can become the task.');
  return append({ type: 'anchorMoved', blockId: block.id });
}

/** Changes the notes by hand. */
export function scratchpadEdit(window: ContextWindow, scratchpad: Scratchpad): WindowEdit {
  // Compared as the model reads them: spaces it is never shown are no change.
  if (scratchpadText(scratchpad) === scratchpadText(window.scratchpad)) return NOTHING;
  return append({ type: 'scratchpadUpdated', scratchpad, byUser: true });
}

/** Takes back what a pass did. */
export function undoEdit(window: ContextWindow, number: number): WindowEdit {
  const why = whyNotUndone(window, number);
  return why === undefined ? append({ type: 'passUndone', number }) : refuse(why);
}

/** The pass an undo without a number is about: the newest that still holds. */
export function newestPass(window: ContextWindow): number | undefined {
  return window.ledger.findLast(({ undone }) => undone !== true)?.pass.number;
}

function append(event: NewEvent): WindowEdit {
  return { type: 'append', event };
}

function refuse(message: string): WindowEdit {
  return { type: 'refuse', message };
}
