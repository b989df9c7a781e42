import type { VNode } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import type {
  ComparedPolicyName,
  ComparisonProgressView,
  PolicyComparison,
  PolicyRow,
} from '../../../src/editor/contextPanel/comparison/state';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import type { WhatIfSettings } from '../../../src/editor/contextPanel/whatIf/state';
import { formatNumber } from '../../kit/tokens';
import { Button } from '../../kit/toolkit';
import type { ComparisonState, PanelProps } from '../store/panelStore';
import type { TriedPolicy } from '../whatIf/whatIfFields';
import { countText, policyLabel } from '../../../src/editor/coreForPages';
import {
  asShownWords,
  COLUMNS,
  costWords,
  HOW_COUNTED,
  isWith,
  KEPT_MEANS,
  keptIn,
  keptWords,
  LOST_TO_LADDER,
  MEASURING_POLICIES,
  neededAgainWords,
  overWords,
  passesWords,
  peakWords,
} from './words';

interface PolicyTableProps extends PanelProps {
  /** The settings to compare with. */
  readonly settings: WhatIfSettings;
  /** The policies that can be tried here; a label may say more: "name: words". */
  readonly policies: readonly TriedPolicy[];
  readonly onTry: (policy: TriedPolicy['name']) => void;
}

/** Replays the whole session under every policy when the user asks, and lets them try one. */
export function PolicyTable(props: PolicyTableProps): VNode {
  const { store, settings } = props;
  const { comparing } = store;
  const state = comparing.state.value;
  const { shown, running } = state;
  // Stop it when the dialog closes: the answer is then of no use.
  useEffect(() => () => comparing.stop(), []);
  const again = shown === undefined ? 'Compare all policies over this session' : 'Compare again';
  return (
    <section class="compare" aria-label="All policies over this session">
      <Button
        hint={
          running === undefined
            ? 'Replays the whole session under every policy, with the settings above; nothing changes'
            : 'Stops the replays'
        }
        onClick={() => (running === undefined ? comparing.compare(settings) : comparing.stop())}
        data-testid="compare-policies"
      >
        {running === undefined ? again : 'Stop comparing'}
      </Button>
      <ComparisonProgress state={state} />
      {shown !== undefined && <Compared {...props} shown={shown} />}
    </section>
  );
}

interface ComparedProps extends PolicyTableProps {
  readonly shown: PolicyComparison;
}

function Compared({ store, context, settings, policies, onTry, shown }: ComparedProps): VNode {
  const hintId = useId();
  const kept = keptIn(store.comparing.state.value, context);
  const regret = kept === undefined ? '' : keptWords(kept);
  return (
    <>
      <p class="small outdated" role="status" data-testid="comparison-outdated">
        {outdatedWords(shown, context, settings)}
      </p>
      <table role="table" aria-describedby={hintId} data-testid="policy-table">
        <caption class="small">
          The whole session, {countText(shown.steps, 'step')}, replayed under each policy. Click one
          to try it.
        </caption>
        <thead role="rowgroup">
          <tr role="row">
            {COLUMNS.map(({ name, title }) => (
              <th key={name} scope="col" role="columnheader" title={title}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {shown.rows.map((row) => (
            <Row
              key={row.policy}
              row={row}
              isInForce={row.policy === context.settings.policy}
              isTried={row.policy === settings.policy}
              tried={policies.find(({ name }) => name === row.policy)}
              shownAs={shownAs(row, shown.rows)}
              onTry={onTry}
            />
          ))}
        </tbody>
      </table>
      <div id={hintId} class="quiet small notes" data-testid="comparison-notes">
        <p>{HOW_COUNTED}</p>
        {shown.asShown !== undefined && <p>{asShownWords(shown.asShown)}</p>}
        {shown.notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
      {regret !== '' && (
        <p class="small" data-testid="table-kept">
          Of the content that was needed again in this session: {regret}{' '}
          <span class="quiet">{KEPT_MEANS}</span>
        </p>
      )}
    </>
  );
}

/** A policy that knows the future is called so only if it did no worse than the ladder. */
function shownAs(row: PolicyRow, rows: readonly PolicyRow[]): string {
  const ladder = rows.find(({ policy }) => policy === 'ladder');
  if (!row.ok || ladder?.ok !== true) return row.policy;
  return policyLabel(row.policy, row.neededAgain, ladder.neededAgain);
}

/** Says why a policy cannot be tried here. */
function whyNot(policy: ComparedPolicyName): string {
  return policy === 'server'
    ? 'A recording cannot be tried under it: no API is called'
    : 'It exists only for this comparison';
}

interface RowProps {
  readonly row: PolicyRow;
  readonly isInForce: boolean;
  readonly isTried: boolean;
  /** Undefined if it cannot be tried. */
  readonly tried: TriedPolicy | undefined;
  /** Its name in the table. */
  readonly shownAs: string;
  readonly onTry: PolicyTableProps['onTry'];
}

function Row({ row, isInForce, isTried, tried, shownAs, onTry }: RowProps): VNode {
  const { policy } = row;
  const own = shownAs === policy ? MEASURING_POLICIES[policy] : LOST_TO_LADDER;
  const words = tried?.label.split(': ')[1] ?? own;
  return (
    <tr
      role="row"
      class={isTried ? 'tried' : undefined}
      data-testid="policy-row"
      data-policy={policy}
      data-in-force={String(isInForce)}
    >
      <th scope="row" role="rowheader">
        {tried !== undefined ? (
          <button
            type="button"
            class="plain link"
            aria-pressed={isTried}
            title={`Tries ${policy} here: the fields above and the result below change`}
            onClick={() => onTry(tried.name)}
            data-testid="try-row"
          >
            {policy}
          </button>
        ) : (
          <span title={whyNot(policy)}>{shownAs}</span>
        )}
        {words !== undefined && <span class="aside">{words}</span>}
        {isInForce && <span class="aside">current</span>}
      </th>
      {row.ok ? (
        <>
          <td role="cell">{passesWords(row)}</td>
          <td role="cell">{neededAgainWords(row)}</td>
          <td role="cell">{costWords(row)}</td>
          <td role="cell">
            {peakWords(row)}
            {row.overBudget > 0 && <span class="over">{overWords(row)}</span>}
          </td>
        </>
      ) : (
        <td role="cell" class="why-not" colSpan={4}>
          {row.message}
        </td>
      )}
    </tr>
  );
}

/** Says why the table is outdated; '' if it is not. */
function outdatedWords(
  shown: PolicyComparison,
  { travel }: ContextView,
  settings: WhatIfSettings,
): string {
  if (!isWith(shown, settings)) return 'These numbers are for other settings than those above.';
  return shown.upToStep === travel.last
    ? ''
    : `These numbers end at step ${shown.upToStep}; the session has continued since.`;
}

interface ComparisonProgressProps {
  readonly state: ComparisonState;
}

/** Shows the progress of the replays; nothing if none runs. */
export function ComparisonProgress({ state }: ComparisonProgressProps): VNode | null {
  const { running, refusal } = state;
  if (running === undefined) {
    return refusal === undefined ? null : (
      <p class="refused" role="alert" data-testid="comparison-refusal">
        {refusal}
      </p>
    );
  }
  const { progress } = running;
  return (
    <div class="comparing" data-testid="comparison-progress">
      <progress
        aria-label="Replays of the session"
        max={progress?.of ?? 1}
        value={progress?.done ?? 0}
      />
      <span class="quiet small number">{progressWords(progress)}</span>
    </div>
  );
}

function progressWords(progress: ComparisonProgressView | undefined): string {
  if (progress === undefined) return 'Replaying the session…';
  const { policy, done, of } = progress;
  const what = policy === undefined ? 'Reading the counts of its API' : `Replaying under ${policy}`;
  return `${what}: ${formatNumber(done)} of ${formatNumber(of)} requests`;
}
