import { capMessages } from '../rungs/cap';
import { climb } from '../rungs/planOf';
import { evictOldest } from '../rungs/evict';
import type { Policy } from '../rungs/policyInput';

/**
 * Keeps the newest messages, a fixed number of them; pairs go whole, and the anchor stays in front.
 * Right for chat and for short, even steps: nothing is easier to foresee. Wrong for coding: it
 * forgets the file read an hour ago and edited ever since, and once full it breaks the prompt cache
 * at every step. Where the newest messages do not fit, the oldest of them go too.
 */
export const slidingWindow: Policy = (input) =>
  climb(input, 'slidingWindow', [evictOldest], [capMessages(input.settings.maxMessages)]);
