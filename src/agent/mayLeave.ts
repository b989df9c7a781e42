import { isInWindow, type BlockId } from '../contextWindow/block';
import { findBlock, type ContextWindow } from '../contextWindow/contextWindow';
import { protectionOf } from '../contextWindow/tier';

/** Says whether a pass may take a block out: it is there, and nothing protects it. */
export function mayLeave(window: ContextWindow, id: BlockId): boolean {
  const block = findBlock(window, id);
  return block !== undefined && isInWindow(block) && protectionOf(window, block) === undefined;
}
