import type { VNode } from 'preact';
import type { PassView } from '../../src/protocol/contextPanel';
import { ESTIMATE_MARK, formatNumber, formatTokens, originOfTokens, share } from '../ui/tokens';
import { DecisionList } from './decisionList';
import { formatCount } from './formatCount';
import type { SendWish } from './panelStore';
import { priceWords, rungWords, triggerWords } from './passWords';
import { UndoButton } from './undoButton';

export interface PassCardProps {
  readonly pass: PassView;
  readonly busy: boolean;
  readonly wish: SendWish;
}

/** Tells one pass: why it ran, what it freed on which rung, what that cost, every decision. */
export function PassCard({ pass, busy, wish }: PassCardProps): VNode {
  const { number, beforeStep, before, after, target, rungs, decisions, policy, undone } = pass;
  const kept = decisions.filter(({ action }) => action === 'keep').length;
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
      <h3 class="head">
        <strong class="number">Pass {number}</strong>
        <span class="why">
          before step {beforeStep} · {triggerWords(pass)} · policy {policy}
        </span>
        {undone ? (
          <span class="pill p-undone">undone</span>
        ) : (
          <UndoButton pass={pass} busy={busy} wish={wish} />
        )}
      </h3>
      <PassBar pass={pass} />
      <p class="sum">
        <strong class="number">
          {formatTokens(before)} → {formatTokens(after)}
        </strong>{' '}
        <span class="quiet">
          target {formatNumber(target)} · {originOfTokens(after.exact)}
        </span>
      </p>
      <dl class="rungs">
        {rungs.map(({ rung, blocks, tokens }) => (
          <div key={rung} class="rung" data-testid="rung" data-rung={rung}>
            <dt>{rungWords(rung)}</dt>
            <dd class="number quiet">{formatCount(blocks, 'block')}</dd>
            {/* What a rung gives is planned on estimates. */}
            <dd class="number gain">
              {ESTIMATE_MARK}&nbsp;{formatNumber(-tokens)}
            </dd>
          </div>
        ))}
        <div class="rung">
          <dt>Kept</dt>
          <dd class="number quiet">{formatCount(kept, 'block')}, with reasons</dd>
        </div>
      </dl>
      <p class="price quiet">
        {undone ? 'Undone by you: what it took is back, but for thinking.' : priceWords(pass)}
      </p>
      <DecisionList decisions={decisions} wish={wish} />
    </article>
  );
}

/** Draws how far down the pass took the window, and where it was to go. */
function PassBar({ pass }: { readonly pass: PassView }): VNode {
  const { before, after, target, inputBudget } = pass;
  const scale = Math.max(inputBudget, before.tokens, after.tokens);
  const width = (tokens: number): string => `${share(tokens, scale) * 100}%`;
  return (
    <div class="drop" aria-hidden="true">
      <span class="before" style={{ width: width(before.tokens) }} />
      <span class="after" style={{ width: width(after.tokens) }} />
      <span class="target" style={{ left: width(target) }} />
    </div>
  );
}
