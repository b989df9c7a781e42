import { categoryOfBlock } from '../../../contextWindow/account/balance';
import { type Measurement, weightOf } from '../../../contextWindow/account/measure';
import { tokenText } from '../../../contextWindow/amount';
import { blocksInWindow, type ContextWindow, firstOfNewest } from '../../../contextWindow/window';
import {
  AUTOMATIC_WATERMARKS,
  type ValidSettings,
  type WatermarkName,
} from '../../../settings/windowBudget';
import { type Estimates, estimatesIn } from '../state';
import type { WhatIfSettings } from '../whatIf/state';
import type { RecentTurns } from '../state';
import type { Account } from '../../session/derive';

/**
 * Finds the newest turns that a pass keeps verbatim; undefined if the settings keep none, or if
 * nothing older is in the window.
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

/** How much of each category is estimated. */
export function estimatesOf(window: ContextWindow, { measured }: Account): Estimates {
  return estimatesIn(
    blocksInWindow(window).map((block) => ({
      category: categoryOfBlock(window, block),
      tokens: weightOf(measured, block.id),
    })),
  );
}

/**
 * Says that a cap in tokens decides where passes begin or stop, because the window is large;
 * undefined if the fractions do.
 */
export function capNotice({ capped }: Pick<ValidSettings, 'capped'>): string | undefined {
  if (capped.length === 0) return undefined;
  const tokens = capped.map((name) => {
    const { capTokens } = AUTOMATIC_WATERMARKS[name];
    return `${VERB[name]} ${tokenText(capTokens)} tokens`;
  });
  const shares = capped.map((name) => `${AUTOMATIC_WATERMARKS[name].fraction * 100}\u00a0%`);
  return (
    `This model has a large window: a pass ${tokens.join(' and ')}, ` +
    `not at ${shares.join(' and ')} of the input budget.`
  );
}

const VERB: Readonly<Record<WatermarkName, string>> = {
  highWatermark: 'begins above',
  lowWatermark: 'stops at',
};
