import type { VNode } from 'preact';
import type { ContextView } from '../../../src/protocol/contextPanel';
import { formatNumber, formatTokens } from '../../ui/tokens';

/** Says when the next pass will run, and how far down it will go. */
export function Forecast({ context }: { readonly context: ContextView }): VNode {
  const { balance, passAbove, passes, compaction, apiEdits } = context;
  if (compaction === 'off') {
    return (
      <>
        <strong>No pass runs by itself</strong>: plimsoll.context.compaction is off.
      </>
    );
  }
  const { inputBudget, lowTokens, used } = balance;
  const first = passes.length === 0;
  const room = passAbove - used.tokens;
  const distance = formatTokens({ tokens: Math.abs(room), exact: used.exact });
  return (
    <>
      <strong>{first ? 'No pass has run yet.' : 'Next pass'}</strong>{' '}
      {first ? 'The first runs ' : ''}
      when a step would start with more than <span class="number">
        {formatNumber(passAbove)}
      </span>{' '}
      tokens in the window ({passAbove === inputBudget ? 'the input budget' : 'the high watermark'}
      ), down to <span class="number">{formatNumber(lowTokens)}</span> or less (the low
      {passAbove === inputBudget ? ' watermark' : ' one'}).{' '}
      <span class="number">{room < 0 ? `${distance} above it now.` : `${distance} to go.`}</span>
      {compaction === 'ask' && ' It waits for your word.'}
      {apiEdits !== undefined && (
        <span data-testid="api-edits">
          {' '}
          Before the model reads it, the API's own editing makes the next request{' '}
          <span class="number">
            {formatNumber(apiEdits.before)} → {formatNumber(apiEdits.after)}
          </span>{' '}
          tokens, by its own count.
        </span>
      )}
    </>
  );
}
