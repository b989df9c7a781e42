import { categoryOfBlock } from '../../../contextWindow/account/balance';
import { weightOf, type Measurement } from '../../../contextWindow/account/measure';
import { blocksInWindow, firstOfNewest, type ContextWindow } from '../../../contextWindow/window';
import type { WhatIfSettings } from '../whatIf/state';
import type { RecentTurns } from './state';

/**
 * Finds the newest turns that a pass keeps verbatim; undefined where the settings keep none, or
 * where nothing older is in the window.
 */
export function recentTurns(
  window: ContextWindow,
  measured: Measurement,
  settings: Pick<WhatIfSettings, 'policy' | 'keepRecentTurns' | 'maxHistoryTurns'>,
): RecentTurns | undefined {
  const { policy, keepRecentTurns: turns, maxHistoryTurns } = settings;
  const isKept = policy === 'ladder' || policy === 'summarise' || maxHistoryTurns > 0;
  if (!isKept || turns === 0) return undefined;
  const evictable = blocksInWindow(window).filter((block) => {
    const category = categoryOfBlock(window, block);
    return category === 'archive' || category === 'working';
  });
  const first = firstOfNewest(window, turns);
  const recent = evictable.filter((block) => block.turn >= first);
  if (recent.length === 0 || recent.length === evictable.length) return undefined;
  const tokens = recent.reduce((sum, { id }) => sum + weightOf(measured, id).tokens, 0);
  return { turns, tokens };
}
