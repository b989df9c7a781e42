import type { VNode } from 'preact';
import type {
  ComparedPolicyName,
  PolicyRow,
  ShareView,
} from '../../../src/editor/contextPanel/comparison/state';
import { formatNumber } from '../../kit/tokens';
import { ComparisonProgress } from '../comparison/policyTable';
import { costWords, isWith, neededAgainWords } from '../comparison/words';
import { LinkButton } from '../parts/linkButton';
import type { PanelProps } from '../store/panelStore';

/** Compares the recorded agent with Plimsoll's policy in the same window, once the user asks. */
export function PlimsollInstead({ store, context }: PanelProps): VNode {
  const { comparing } = store;
  const state = comparing.state.value;
  const { shown, running } = state;
  const { settings, travel, neededAgain } = context;
  const isCurrent =
    shown !== undefined && shown.upToStep === travel.last && isWith(shown, settings);
  if (isCurrent && running === undefined) {
    const own = settings.policy === 'recorded' ? 'ladder' : settings.policy;
    return <Instead rows={shown.rows} own={own} />;
  }
  // The question about Plimsoll's own passes, below, shows the same progress.
  const isProgressHere = neededAgain.length === 0 && store.begun.value.whatIf === undefined;
  return (
    <div class="kept small">
      <LinkButton
        hint="Replays the whole session under every policy in the same window; nothing changes"
        onClick={() => (running === undefined ? comparing.compare(settings) : comparing.stop())}
        data-testid="ask-instead"
      >
        {running === undefined ? 'What would Plimsoll have kept?' : 'Stop the replays'}
      </LinkButton>
      {isProgressHere && <ComparisonProgress state={state} />}
    </div>
  );
}

interface InsteadProps {
  readonly rows: readonly PolicyRow[];
  /** The policy that the panel shows. */
  readonly own: ComparedPolicyName;
}

/** A column for the recorded agent, and one for Plimsoll. */
function Instead({ rows, own }: InsteadProps): VNode {
  const [agent, plimsoll] = ['recorded', own].map((policy) =>
    rows.find((row) => row.policy === policy),
  );
  if (agent?.ok !== true || plimsoll?.ok !== true) {
    return <p class="small">The replay under {own} did not run with these settings.</p>;
  }
  const both = [agent, plimsoll];
  const facts = [
    { name: 'Edits whose text was in the window', of: both.map(({ edits }) => shareWords(edits)) },
    {
      name: 'Of what its agent needed again, still there',
      of: both.map(({ keptOfLosses }) =>
        keptOfLosses === undefined ? '' : shareWords(keptOfLosses),
      ),
    },
    { name: 'Read again after removal', of: both.map(neededAgainWords) },
    { name: 'Cost, simulated', of: both.map(costWords) },
  ];
  return (
    <table class="instead small" data-testid="instead">
      <thead>
        <tr>
          <th scope="col">In the same window</th>
          <th scope="col">Its agent</th>
          <th scope="col">Plimsoll, {own}</th>
        </tr>
      </thead>
      <tbody>
        {facts
          .filter(({ of }) => of[1] !== '')
          .map(({ name, of: [its, ours] }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{its}</td>
              <td class="number">{ours}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}

function shareWords({ visible, total }: ShareView): string {
  return `${formatNumber(visible)} of ${formatNumber(total)}`;
}
