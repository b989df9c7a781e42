import type { VNode } from 'preact';
import type { ContextView } from '../../src/protocol/contextPanel';
import { formatNumber, formatTokens } from '../ui/tokens';
import { Button } from '../ui/toolkit';
import type { SendWish } from './panelStore';

export interface NextPassProps {
  readonly context: ContextView;
  readonly wish: SendWish;
}

/** Says when the next pass will run and how far down it will go; a button runs one now. */
export function NextPass({ context, wish }: NextPassProps): VNode {
  const { busy, turn, compaction } = context;
  return (
    <div class="next">
      <p data-testid="next-pass">
        {compaction === 'off' ? <NoPass /> : <Forecast context={context} />}
      </p>
      <Button
        disabled={busy || turn === 0}
        onClick={() => wish({ type: 'makeRoom' })}
        data-testid="make-room"
      >
        Make Room Now
      </Button>
    </div>
  );
}

function NoPass(): VNode {
  return (
    <>
      <strong>No pass runs by itself</strong>: plimsoll.context.compaction is off.
    </>
  );
}

function Forecast({ context }: { readonly context: ContextView }): VNode {
  const { balance, passAbove, passes, compaction } = context;
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
    </>
  );
}
