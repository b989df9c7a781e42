import type { RecentTurns } from '../../../src/editor/contextPanel/bar/state';
import type { Balance } from '../../../src/editor/contextPanel/state';
import { formatNumber } from '../../kit/tokens';
import { scaleOf } from './segments';

export type MarkName = 'recent' | 'low' | 'high' | 'budget' | 'window';

/** A line across the bar; `at` is a fraction of the bar's length. */
export interface Mark {
  readonly name: MarkName;
  readonly tokens: number;
  readonly label: string;
  readonly meaning: string;
  readonly at: number;
}

const MEANINGS: Readonly<Record<MarkName, string>> = {
  recent: 'What lies behind it stays word for word, as far as the budget can hold it',
  low: 'Low watermark: a pass stops at or below it',
  high: 'High watermark: a pass starts above it',
  budget: 'Input budget: what the next request may take',
  window: 'End of the context window: the model can read nothing beyond it',
};

/**
 * Where the newest turns begin, the two watermarks and the budget, from left to right; also the
 * window's end if it is overrun.
 */
export function marksOf(balance: Balance, recent?: RecentTurns): readonly Mark[] {
  const scale = scaleOf(balance);
  const mark = (name: MarkName, tokens: number): Mark => ({
    name,
    tokens,
    label: `${name} ${formatNumber(tokens)}`,
    meaning: MEANINGS[name],
    at: Math.min(1, Math.max(0, tokens / scale)),
  });
  const marks = [
    ...(recent === undefined ? [] : [edgeOf(balance, recent)]),
    mark('low', balance.lowTokens),
    mark('high', balance.highTokens),
    mark('budget', balance.inputBudget),
    ...(scale > balance.contextWindowTokens ? [mark('window', balance.contextWindowTokens)] : []),
  ];
  return marks.toSorted((a, b) => a.at - b.at);
}

/** The edge between older and newest: the newest blocks are the last of what is used. */
function edgeOf(balance: Balance, { turns, tokens }: RecentTurns): Mark {
  return {
    name: 'recent',
    tokens,
    label: turns === 1 ? 'last turn' : `last ${turns} turns`,
    meaning: MEANINGS.recent,
    at: Math.min(1, Math.max(0, (balance.used.tokens - tokens) / scaleOf(balance))),
  };
}
