import type { VNode } from 'preact';
import type { ContextView } from '../../src/protocol/contextPanel';
import { formatNumber } from '../ui/tokens';
import { NextPass } from './nextPass';
import { PassCard } from './passCard';
import type { SendWish } from './panelStore';
import { refaultWords } from './passWords';
import { ReviewCard } from './reviewCard';

export interface LedgerProps {
  readonly context: ContextView;
  readonly wish: SendWish;
}

/** Tells what was done to make room, one card a pass; first of all the pass that waits, if any. */
export function Ledger({ context, wish }: LedgerProps): VNode {
  const { passes, review, refaults, busy } = context;
  const hasLost = passes.length + refaults.recalls + refaults.reads > 0;
  return (
    <aside class="ledger" aria-label="Ledger of passes">
      <h2 class="title">
        Ledger{' '}
        <span class="counts">
          {passes.length === 0 ? 'no pass yet' : formatCountOfPasses(passes.length)}
        </span>
      </h2>
      {review !== undefined && <ReviewCard key={review.draft} review={review} wish={wish} />}
      <NextPass context={context} wish={wish} />
      {hasLost && (
        <p
          class="refaults quiet small"
          title="What tells a good policy from a bad one: content needed again that the window no longer held"
          data-testid="refaults"
        >
          {refaultWords(refaults)}
        </p>
      )}
      {passes.map((pass) => (
        <PassCard key={pass.number} pass={pass} busy={busy} wish={wish} />
      ))}
    </aside>
  );
}

function formatCountOfPasses(count: number): string {
  return count === 1 ? '1 pass' : `${formatNumber(count)} passes`;
}
