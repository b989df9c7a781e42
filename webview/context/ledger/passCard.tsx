import type { VNode } from 'preact';
import type { ContextView, PassView } from '../../../src/protocol/contextPanel';
import { formatNumber, formatTokens, originOfTokens } from '../../ui/tokens';
import type { PanelStore } from '../panelStore';
import { PassActions } from './passActions';
import { PassBar } from './passBar';
import { PassDecisions } from './passDecisions';
import { measuredWords, priceWords, triggerWords } from './passWords';
import { RungList } from './rungList';

export interface PassCardProps {
  readonly store: PanelStore;
  readonly context: ContextView;
  readonly pass: PassView;
}

/** Tells one pass: why it ran, what it freed on which rung, what that cost, every decision. */
export function PassCard({ store, context, pass }: PassCardProps): VNode {
  const {
    number,
    beforeStep,
    before,
    after,
    target,
    rungs,
    policy,
    undone,
    changed,
    kept,
    measured,
  } = pass;
  return (
    <article
      class={undone ? 'pass undone' : 'pass'}
      aria-label={`Pass ${number}${undone ? ', undone' : ''}`}
      data-testid="pass-card"
      data-pass={number}
      data-before={before.tokens}
      data-after={after.tokens}
      data-undone={String(undone)}
    >
      <header class="head">
        <h3 class="number named" tabIndex={-1}>
          Pass {number}
        </h3>
        <span class="why">
          before step {beforeStep} · {triggerWords(pass)} · policy {policy}
        </span>
        <PassActions store={store} context={context} pass={pass} />
      </header>
      <PassBar {...pass} />
      <p class="sum">
        <strong class="number">
          {formatTokens(before)} → {formatTokens(after)}
        </strong>{' '}
        <span class="quiet">
          target {formatNumber(target)} · {originOfTokens(after.exact)}
        </span>
      </p>
      <RungList rungs={rungs} changed={changed} kept={kept} />
      <p class="price quiet">
        {undone ? 'Undone by you: what it took is back, but for thinking.' : priceWords(pass)}
        {measured !== undefined && (
          <span class="measured" data-testid="measured">
            {' '}
            {measuredWords(measured)}
          </span>
        )}
      </p>
      <PassDecisions store={store} pass={pass} />
    </article>
  );
}
