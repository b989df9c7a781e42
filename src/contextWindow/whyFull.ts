import type { Budget } from './budget';
import { blocksInWindow, type ContextWindow } from './contextWindow';
import { amountText, tokenText } from './amountText';
import { labelOf } from './label';
import { weightOf, type Measurement } from './measure';

/** How many of the heaviest parts are named. */
const NAMED = 4;

/** Says, with the numbers, what fills the window when no pass can make the request fit. */
export function whyFull(window: ContextWindow, measured: Measurement, budget: Budget): string {
  const parts = [
    { label: 'tool definitions', ...weightOf(measured, 'tools') },
    { label: 'system prompt', ...weightOf(measured, 'system') },
    ...blocksInWindow(window).map((block) => ({
      label: labelOf(block),
      ...weightOf(measured, block.id),
    })),
  ];
  const heaviest = parts
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, NAMED)
    .map((part) => `${part.label}: ${amountText(part)}`);
  return (
    `The context window is full: the next request has ${amountText(measured.used)} tokens, the input ` +
    `budget is ${tokenText(budget.inputBudget)}, and nothing that may go is left. It was not sent. ` +
    `Heaviest: ${heaviest.join('; ')}. Unpin blocks, raise plimsoll.context.windowTokens, or start ` +
    `a new session.`
  );
}
