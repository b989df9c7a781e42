import type { VNode } from 'preact';
import type { PlanView } from '../../../src/protocol/whatIf';
import { formatNumber, formatTokens } from '../../ui/tokens';
import { DecisionRows } from './decisionRows';
import { formatCount } from '../parts/formatCount';
import type { SendWish } from '../panelStore';
import { PassBar } from './passBar';
import { plannedWords } from './passWords';
import { RungList } from './rungList';

export interface PlanBodyProps {
  readonly plan: PlanView;
  /** The whole length of the bar; tokens. */
  readonly inputBudget: number;
  readonly wish: SendWish;
}

/** Draws what a plan would come to: the numbers, what would change, and what would stay and why. */
export function PlanBody({ plan, inputBudget, wish }: PlanBodyProps): VNode {
  const { before, after, target, rungs, decisions, kept, whyNothing } = plan;
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
      {rungs.length > 0 && <RungList rungs={rungs} changed={decisions.length} />}
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
