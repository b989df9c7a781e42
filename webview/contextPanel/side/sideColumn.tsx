import type { VNode } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { formatNumber } from '../../kit/tokens';
import { BlockDetails } from '../blocks/blockDetails';
import { FilesTab } from '../files/filesTab';
import { LifeOfChosen } from '../files/lifeOfChosen';
import { Ledger } from '../ledger/ledger';
import { isTyping } from '../parts/keyboardFocus';
import { tabId, TabList } from '../parts/tabList';
import { RequestTab } from '../request/requestTab';
import { type Tab, TABS } from '../store/keptState';
import type { PanelProps } from '../store/panelStore';
import { SessionTab } from './sessionTab';

/** Draws the area next to the blocks, one tab at a time. */
export function SideColumn({ store, context }: PanelProps): VNode {
  const id = useId();
  const { tab: chosen, requestStep } = store.look.value;
  const choose = (tab: Tab): void => {
    store.look.value = { ...store.look.peek(), tab };
  };
  useReviewFirst(context.review?.reviewId, () => choose('ledger'));
  const items = TABS.map((tab) => ({
    tab,
    label: labelOf(tab, requestStep),
    ...(tab === 'ledger' && context.review !== undefined ? { waits: 'review a pass' } : {}),
  }));
  return (
    <aside class="side" aria-label="Details">
      <TabList label="Areas" items={items} chosen={chosen} id={id} onChoose={choose} />
      {TABS.map((tab) => (
        <div
          key={tab}
          class="tab-panel"
          role="tabpanel"
          id={tabId(id, tab, 'panel')}
          aria-labelledby={tabId(id, tab, 'tab')}
          tabIndex={0}
          hidden={tab !== chosen}
          data-testid={`panel-${tab}`}
        >
          {/* The ledger stays in the page, so that its folds and scroll position survive. */}
          {(tab === chosen || tab === 'ledger') && (
            <Area tab={tab} isShown={tab === chosen} store={store} context={context} />
          )}
        </div>
      ))}
      <LifeOfChosen store={store} context={context} />
    </aside>
  );
}

interface AreaProps extends PanelProps {
  readonly tab: Tab;
  readonly isShown: boolean;
}

function Area({ tab, isShown, store, context }: AreaProps): VNode {
  switch (tab) {
    case 'ledger':
      return <Ledger store={store} context={context} isShown={isShown} />;
    case 'block':
      return <BlockDetails store={store} context={context} />;
    case 'files':
      return <FilesTab store={store} context={context} />;
    case 'request':
      return <RequestTab store={store} context={context} />;
    case 'session':
      return <SessionTab store={store} context={context} />;
  }
}

function labelOf(tab: Tab, step: number | 'next'): string {
  switch (tab) {
    case 'ledger':
      return 'Ledger';
    case 'block':
      return 'Block';
    case 'files':
      return 'Files';
    case 'request':
      return step === 'next' ? 'Request' : `Request ${formatNumber(step)}`;
    case 'session':
      return 'Session';
  }
}

/** Shows a waiting pass when it appears, since the turn waits for the answer. */
function useReviewFirst(reviewId: number | undefined, show: () => void): void {
  useEffect(() => {
    if (reviewId !== undefined && !isTyping()) show();
  }, [reviewId]);
}
