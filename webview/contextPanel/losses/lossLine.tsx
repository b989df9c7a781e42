import type { VNode } from 'preact';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import { LinkButton } from '../parts/linkButton';
import type { PanelStore } from '../store/panelStore';

interface LossLineProps {
  readonly store: PanelStore;
  readonly context: Pick<ContextView, 'losses'>;
}

/** Says in one line that the recorded agent compacted; its cards are one click away. */
export function LossLine({ store, context }: LossLineProps): VNode | null {
  const { losses } = context;
  if (losses === undefined) return null;
  const show = (): void => {
    store.look.value = { ...store.look.peek(), tab: 'ledger' };
    requestAnimationFrame(() => {
      const card = document.querySelector<HTMLElement>('.side .loss .named');
      card?.scrollIntoView({ block: 'nearest' });
      card?.focus({ preventScroll: true });
    });
  };
  return (
    <p class="loss-line small" data-testid="loss-line">
      {losses.text}{' '}
      <LinkButton
        hint="Shows in the ledger what each compaction removed, and what was needed again"
        onClick={show}
        data-testid="show-losses"
      >
        What it lost
      </LinkButton>
    </p>
  );
}
