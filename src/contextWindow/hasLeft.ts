import { isInWindow, type Block } from './block';
import type { ContextWindow } from './contextWindow';

/** Says whether a pass took the block, or a part of it that can be read again. */
export function hasLeft(window: ContextWindow, block: Block): boolean {
  return !isInWindow(block) || block.state === 'cleared' || isCut(window, block);
}

/** Says whether a pass cut the block; what was cut at admission has never been in the window. */
export function isCut(window: ContextWindow, { id, state }: Block): boolean {
  return state === 'truncated' && window.decisions.get(id)?.rule === 'shortenProtected';
}
