import type { VNode } from 'preact';
import { LinkButton } from '../parts/linkButton';
import type { PanelProps } from '../store/panelStore';

/** Leads to the cards of the recorded agent's own compactions; nothing if it never compacted. */
export function LossLink({ store, context: { losses } }: PanelProps): VNode | null {
  if (losses === undefined) return null;
  const show = (): void => {
    store.look.value = { ...store.look.peek(), tab: 'ledger' };
    requestAnimationFrame(() => {
      const card = document.querySelector<HTMLElement>('.side .loss .named');
      card?.scrollIntoView({ block: 'nearest' });
      card?.focus({ preventScroll: true });
    });
  };
  const { length } = losses.cards;
  return (
    <>
      {' · '}
      <LinkButton hint={losses.text} onClick={show} data-testid="show-losses">
        {length === 1 ? 'What its compaction lost' : `What its ${length} compactions lost`}
      </LinkButton>
    </>
  );
}
