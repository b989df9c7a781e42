import type { DecisionView, PassView } from '../../../src/protocol/contextPanel';
import { formatNumber, formatTokens } from '../../ui/tokens';
import { formatCount } from '../parts/formatCount';

/** Says what the user changed by hand, and what that came to: "You excluded read_file a.ts: −2,914 tokens". */
export function handWords({ byHand, changed, before, after }: HandPassNumbers): string {
  const exact = before.exact && after.exact;
  if (byHand === undefined) {
    return `You changed ${formatCount(changed, 'block')}: ${changeWords(before.tokens, after.tokens, exact)}`;
  }
  const { label, action, before: from, after: to } = byHand;
  const change = changeWords(from.tokens, to.tokens, from.exact && to.exact);
  return `You ${deedWords(action)} ${label}: ${change}`;
}

type HandPassNumbers = Pick<PassView, 'byHand' | 'changed' | 'before' | 'after'>;

function changeWords(before: number, after: number, exact: boolean): string {
  const change = after - before;
  const sign = change < 0 ? '−' : '+';
  const amount = exact
    ? `${sign}${formatNumber(Math.abs(change))}`
    : formatTokens({ tokens: Math.abs(change), exact }).replace('\u00a0', `\u00a0${sign}`);
  return `${amount} ${Math.abs(change) === 1 ? 'token' : 'tokens'}`;
}

function deedWords(action: DecisionView['action']): string {
  switch (action) {
    case 'evict':
      return 'excluded';
    case 'clear':
      return 'cleared the results of';
    case 'restore':
      return 'restored';
    case 'rewrite':
      return 'rewrote';
    case 'truncate':
      return 'shortened';
    case 'trim':
      return 'took out the thinking of';
    case 'compact':
      return 'compacted';
    case 'keep':
      return 'kept';
  }
}
