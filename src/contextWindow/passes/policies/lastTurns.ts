import { capTurns } from '../rungs/cap';
import { climb } from '../rungs/planOf';
import { evictOldest } from '../rungs/evict';
import type { Policy } from '../rungs/policyInput';

/**
 * Keeps the newest turns whole: a prompt and everything until the next. Right for many short
 * requests, each complete in itself. Wrong for one task of two hundred steps, which is one turn: it
 * then can only drop the oldest steps of it. Holds on write, as the prompt that begins one turn too
 * many takes the oldest out, and on read, whatever number was set when the session was written.
 */
export const lastTurns: Policy = (input) => {
  const { keepTurns, maxHistoryTurns } = input.settings;
  // The newest turns are kept to their exact number; a limit they stay within has no say in it.
  const settings =
    keepTurns <= maxHistoryTurns ? { ...input.settings, maxHistoryTurns: 0 } : input.settings;
  return climb({ ...input, settings }, 'lastTurns', [evictOldest], [capTurns(keepTurns)]);
};
