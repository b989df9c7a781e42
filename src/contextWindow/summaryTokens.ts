import type { Block } from './block';
import { summaryText } from './placeholder';
import type { Summary } from './plan';
import type { Estimate } from './truncate';

/** Estimates a summary as it will be sent; tokens. */
export function summaryTokens(summary: Summary, estimate: Estimate): number {
  const block: Block = { kind: 'summary', turn: 0, pinned: false, state: 'whole', ...summary };
  return estimate(summaryText(block));
}
