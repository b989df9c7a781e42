import type { Block } from '../../block';
import { blocksInWindow, type ContextWindow } from '../../contextWindow';
import { labelOf } from '../../label';
import { identifiersOf } from './identifiers';

const READ = new WeakSet<Block>();

/**
 * Works out what a plan asks of every block, of those that have come since the last time. So the first
 * pass of a long session finds it ready, and each step pays for itself.
 */
export function readAhead(window: ContextWindow): void {
  for (const block of blocksInWindow(window).toReversed()) {
    if (READ.has(block)) return;
    READ.add(block);
    identifiersOf(block);
    labelOf(block);
  }
}
