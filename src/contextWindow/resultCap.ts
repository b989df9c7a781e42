import type { Budget } from './budget';
import { blocksInWindow, type ContextWindow } from './contextWindow';
import { weightOf, type Measurement } from './measure';
import { protectionOf } from './tier';

/** The results of one reply may fill at most this share of the room there is for results. */
const BATCH_SHARE = 0.7;

/** A result of fewer tokens says nothing. */
const SMALLEST_CAP = 150;

/**
 * The most tokens the next result of a reply may take: the setting, or its part of what is left
 * beside everything that cannot leave the window. A pass cannot touch the results the model has not
 * read yet, so they must fit from the start. `window` is the one before the first result; `calls`
 * are those still without one, and `spentTokens` what the results so far took: what small ones left
 * over is there for the large.
 */
export function resultCap(
  window: ContextWindow,
  measured: Measurement,
  budget: Budget,
  settingTokens: number,
  calls: number,
  spentTokens = 0,
): number {
  const protectedIds = blocksInWindow(window)
    .filter((block) => protectionOf(window, block) !== undefined)
    .map(({ id }) => id);
  const staying = (['tools', 'system', 'unrecorded', 'notes', ...protectedIds] as const).reduce(
    (sum, part) => sum + weightOf(measured, part).tokens,
    0,
  );
  const room = (budget.inputBudget - staying) * BATCH_SHARE - spentTokens;
  const share = Math.floor(room / Math.max(1, calls));
  return Math.max(SMALLEST_CAP, Math.min(settingTokens, share));
}
