import type { VNode } from 'preact';
import type { Balance, PassView } from '../../src/protocol/contextPanel';
import { formatNumber, formatTokens } from '../ui/tokens';
import { PassCard } from './passCard';
import type { SendWish } from './panelStore';

export interface LedgerProps {
  /** Newest first. */
  readonly passes: readonly PassView[];
  readonly balance: Balance;
  readonly wish: SendWish;
}

/** Tells what was done to make room, one card a pass, and when the next pass will run. */
export function Ledger({ passes, balance, wish }: LedgerProps): VNode {
  return (
    <aside class="ledger" aria-label="Ledger of passes">
      <h2 class="title">
        Ledger{' '}
        <span class="counts">
          {passes.length === 0 ? 'no pass yet' : formatCountOfPasses(passes.length)}
        </span>
      </h2>
      <NextPass balance={balance} first={passes.length === 0} />
      {passes.map((pass) => (
        <PassCard key={pass.number} pass={pass} wish={wish} />
      ))}
    </aside>
  );
}

/** Says when the next pass will run, and how far down it will go. */
function NextPass({
  balance,
  first,
}: {
  readonly balance: Balance;
  readonly first: boolean;
}): VNode {
  const { highTokens, lowTokens, used } = balance;
  const room = highTokens - used.tokens;
  const distance = formatTokens({ tokens: Math.abs(room), exact: used.exact });
  return (
    <p class="next" data-testid="next-pass">
      <strong>{first ? 'No pass has run yet.' : 'Next pass'}</strong>{' '}
      {first ? 'The first runs ' : ''}
      when a step would start with more than <span class="number">
        {formatNumber(highTokens)}
      </span>{' '}
      tokens in the window (the high watermark), down to{' '}
      <span class="number">{formatNumber(lowTokens)}</span> or less (the low one).{' '}
      <span class="number">{room < 0 ? `${distance} above it now.` : `${distance} to go.`}</span>
    </p>
  );
}

function formatCountOfPasses(count: number): string {
  return count === 1 ? '1 pass' : `${formatNumber(count)} passes`;
}
