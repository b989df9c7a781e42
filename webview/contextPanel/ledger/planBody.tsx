import type { VNode } from 'preact';
import type { PlanView, PassView } from '../../../src/editor/contextPanel/ledger/state';
import { formatNumber, formatTokens, share, ESTIMATE_MARK } from '../../kit/tokens';
import { DecisionRows } from './decisionRows';
import { formatCount } from '../parts/format';
import { Excerpts } from '../files/shownExcerpts';
import { FILES_BY_LOG, showsWords } from '../files/shownWords';
import type { SendWish } from '../store/panelStore';
import { plannedWords, rungWords } from './ledgerWords';

export interface PlanBodyProps {
  readonly plan: PlanView;
  /** The whole length of the bar; tokens. */
  readonly inputBudget: number;
  /** Why nothing can be changed; absent where it can. */
  readonly whyReadOnly: string | undefined;
  readonly wish: SendWish;
}

/** Draws what a plan would do: the numbers, what would change, and what would stay and why. */
export function PlanBody({ plan, inputBudget, whyReadOnly, wish }: PlanBodyProps): VNode {
  const { before, after, target, rungs, decisions, kept, shows, filesByLog, whyNothing } = plan;
  return (
    <div class="plan">
      <PassBar before={before} after={after} target={target} inputBudget={inputBudget} />
      <p class="sum">
        <strong class="number">
          {formatTokens(before)} → {formatTokens(after)}
        </strong>{' '}
        <span class="quiet">target {formatNumber(target)}</span>
      </p>
      {whyNothing !== undefined && <p data-testid="why-nothing">{whyNothing}</p>}
      {rungs.length > 0 && <RungList rungs={rungs} />}
      {shows !== undefined && (
        <details class="decisions" data-testid="plan-shows">
          <summary>{showsWords(shows)}</summary>
          {filesByLog === true && <p class="quiet small">{FILES_BY_LOG}</p>}
          <Excerpts shown={shows} whyReadOnly={whyReadOnly} wish={wish} />
        </details>
      )}
      {decisions.length > 0 && (
        <>
          <p class="group">Would change: {formatCount(decisions.length, 'block')}</p>
          <DecisionRows decisions={decisions} words={plannedWords} wish={wish} />
        </>
      )}
      {kept.length > 0 && (
        <details class="decisions" data-testid="plan-kept">
          <summary>Would stay: {formatCount(kept.length, 'block')}, with reasons</summary>
          <DecisionRows decisions={kept} words={plannedWords} wish={wish} />
        </details>
      )}
    </div>
  );
}

export type PassBarProps = Pick<PassView, 'before' | 'after' | 'target' | 'inputBudget'>;

/** Draws how far down a pass takes the window, and its target; the words beside it say so too. */
export function PassBar({ before, after, target, inputBudget }: PassBarProps): VNode {
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

export interface RungListProps {
  readonly rungs: PassView['rungs'];
  /** Blocks that stayed; left out where they are mentioned elsewhere. */
  readonly kept?: number;
}

/** Lists what each rung takes and gives. */
export function RungList({ rungs, kept }: RungListProps): VNode {
  return (
    <dl class="rungs">
      {rungs.map(({ rung, blocks, tokens }) => (
        <div key={rung} class="rung" data-testid="rung" data-rung={rung}>
          <dt>{rungWords(rung)}</dt>
          <dd class="number quiet">{blocks === 0 ? '' : formatCount(blocks, 'block')}</dd>
          {/* What a rung gives is planned on estimates. */}
          <dd class={tokens < 0 ? 'number' : 'number gain'}>
            {ESTIMATE_MARK}&nbsp;
            {tokens < 0 && '+'}
            {formatNumber(-tokens)}
          </dd>
        </div>
      ))}
      {kept !== undefined && (
        <div class="rung">
          <dt>Kept</dt>
          <dd class="number quiet">{formatCount(kept, 'block')}, with reasons</dd>
        </div>
      )}
    </dl>
  );
}
