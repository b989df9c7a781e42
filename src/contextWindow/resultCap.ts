import type { Budget } from './budget';
import { blocksInWindow, type ContextWindow } from './contextWindow';
import { weightOf, type Measurement } from './measure';
import { protectionOf } from './tier';

/** The results of one reply may fill at most this share of the room there is for results. */
const BATCH_SHARE = 0.5;

/** A result of fewer tokens says nothing. */
const SMALLEST_CAP = 150;

/**
 * The most tokens one result of a reply with `calls` calls may take: the setting, or its part of
 * what is left beside everything that cannot leave the window. A pass cannot touch the results the
 * model has not read yet, so they must fit from the start.
 */
export function resultCap(
  window: ContextWindow,
  measured: Measurement,
  budget: Budget,
  settingTokens: number,
  calls: number,
): number {
  const protectedIds = blocksInWindow(window)
    .filter((block) => protectionOf(window, block) !== undefined)
    .map(({ id }) => id);
  const staying = (['tools', 'system', 'notes', ...protectedIds] as const).reduce(
    (sum, part) => sum + weightOf(measured, part).tokens,
    0,
  );
  const share = Math.floor(((budget.inputBudget - staying) * BATCH_SHARE) / Math.max(1, calls));
  return Math.max(SMALLEST_CAP, Math.min(settingTokens, share));
}
