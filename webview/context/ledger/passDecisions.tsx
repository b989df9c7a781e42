import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { DecisionView, PassView } from '../../../src/protocol/contextPanel';
import { formatNumber } from '../../ui/tokens';
import { DecisionRows } from './decisionRows';
import { formatCount } from '../parts/formatCount';
import { Waiting } from '../parts/waiting';
import type { PanelStore } from '../panelStore';
import { actionWords } from './passWords';

export interface PassDecisionsProps {
  readonly store: PanelStore;
  readonly pass: PassView;
}

/** Unfolds every decision of a pass, kept blocks included; they are fetched when it opens. */
export function PassDecisions({ store, pass }: PassDecisionsProps): VNode {
  const { number, beforeStep, before, after, changed, kept } = pass;
  const { openPasses } = store.look.value;
  const isOpen = openPasses.includes(number);
  const setOpen = (open: boolean): void => {
    // Drawing it open or closed raises the event as well.
    if (open === isOpen) return;
    const others = openPasses.filter((other) => other !== number);
    store.look.value = {
      ...store.look.peek(),
      openPasses: open ? [...others, number] : others,
    };
  };
  const decisions = store.decisions.value.get(number);
  // A pass of another session can have the same number: what was fetched then is no use.
  useEffect(() => {
    if (isOpen) store.wish({ type: 'fetchDecisions', number });
  }, [isOpen, number, beforeStep, before.tokens, after.tokens]);
  return (
    <details
      class="decisions"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      data-testid="decisions"
    >
      <summary>
        {formatCount(changed + kept, 'decision')}: {formatNumber(changed)} changed,{' '}
        {formatNumber(kept)} kept
      </summary>
      {isOpen &&
        (decisions === undefined ? (
          <Waiting class="quiet">Fetching the decisions…</Waiting>
        ) : (
          <Groups decisions={decisions} store={store} />
        ))}
    </details>
  );
}

interface GroupsProps {
  readonly decisions: readonly DecisionView[];
  readonly store: PanelStore;
}

function Groups({ decisions, store }: GroupsProps): VNode {
  const groups = [
    { name: 'Changed', of: decisions.filter(({ action }) => action !== 'keep') },
    { name: 'Kept', of: decisions.filter(({ action }) => action === 'keep') },
  ];
  return (
    <div class="scrolls">
      {groups
        .filter((group) => group.of.length > 0)
        .map((group) => (
          <section key={group.name} aria-label={group.name} data-testid="decision-group">
            <h4 class="group">
              {group.name} <span class="quiet">{formatNumber(group.of.length)}</span>
            </h4>
            <DecisionRows decisions={group.of} words={actionWords} wish={store.wish} />
          </section>
        ))}
    </div>
  );
}
