import { amountText, tokenText } from '../contextWindow/amountText';
import type { Budget } from '../contextWindow/budget';
import { blocksInWindow, type ContextWindow } from '../contextWindow/contextWindow';
import { labelOf } from '../contextWindow/label';
import { weightOf, type Measurement } from '../contextWindow/measure';
import type { Trigger } from '../contextWindow/plan';

/** How many of the heaviest blocks are named. */
const NAMED = 4;

/** What the user said or set that kept a pass from making room. */
export type Refrained = 'off' | 'postponed';

const ADVICE: Readonly<Record<Refrained, string>> = {
  off:
    'plimsoll.context.compaction is off, so nothing was taken out: make room by hand, or set it ' +
    'to auto or ask.',
  postponed:
    'You postponed the pass that would have made room, so nothing was taken out: send a prompt ' +
    'to be asked again, or make room by hand.',
};

/** Says, with the numbers, that a request was not sent because no pass was to make it fit. */
export function whyNotSent(
  refrained: Refrained,
  window: ContextWindow,
  measured: Measurement,
  budget: Budget,
  trigger?: Trigger,
): string {
  const used = amountText(measured.used);
  const what =
    trigger === 'overflow'
      ? `The API refused the request of ${used} tokens (${window.stepDown?.message ?? ''}). It was not sent again.`
      : `The context window is full: the next request has ${used} tokens, the input budget is ` +
        `${tokenText(budget.inputBudget)}. It was not sent.`;
  const heaviest = blocksInWindow(window)
    .map((block) => ({ label: labelOf(block), ...weightOf(measured, block.id) }))
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, NAMED)
    .map((block) => `${block.label}: ${amountText(block)}`);
  return `${what} ${ADVICE[refrained]} Heaviest: ${heaviest.join('; ')}.`;
}
