import { capTurns } from './cap';
import { climb } from './climb';
import { evictOldest } from './evictOldest';
import type { Policy } from './policy';

/**
 * Keeps the newest turns whole: a prompt and everything until the next. Right for many short
 * requests, each complete in itself. Wrong for one task of two hundred steps, which is one turn: it
 * then can only drop the oldest steps of it.
 */
export const lastTurns: Policy = (input) =>
  climb(input, 'lastTurns', [evictOldest], [capTurns(input.settings.keepTurns)]);
