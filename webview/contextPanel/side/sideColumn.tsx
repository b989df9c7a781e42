import type { VNode } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import type { ToolCostsView, ToolCostView } from '../../../src/editor/contextPanel/tools/state';
import { callIcon, Icon } from '../../kit/icon';
import { ESTIMATE_MARK, formatNumber, formatTokens } from '../../kit/tokens';
import { VisibleText } from '../../kit/untrustedText';
import { BlockDetails } from '../blocks/blockDetails';
import { FilesTab } from '../files/filesTab';
import { LifeOfChosen } from '../files/lifeOfChosen';
import { Ledger } from '../ledger/ledger';
import { formatCount } from '../parts/format';
import { isTyping } from '../parts/keyboardFocus';
import { LinkButton } from '../parts/linkButton';
import { tabId, TabList } from '../parts/tabList';
import { RequestTab } from '../request/requestTab';
import { type Tab, TABS } from '../store/keptState';
import type { PanelStore, SendWish } from '../store/panelStore';
import { ScratchpadTab } from './scratchpadTab';
import { SessionTab } from './sessionTab';

interface SideColumnProps {
  readonly store: PanelStore;
  readonly context: ContextView;
}

/** Draws the area next to the blocks, one tab at a time. */
export function SideColumn({ store, context }: SideColumnProps): VNode {
  const id = useId();
  const { tab: chosen, requestStep } = store.look.value;
  const choose = (tab: Tab): void => {
    store.look.value = { ...store.look.peek(), tab };
  };
  useReviewFirst(context.review?.proposedPassId, () => choose('ledger'));
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

interface AreaProps extends SideColumnProps {
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
    case 'scratchpad':
      return <ScratchpadTab context={context} wish={store.wish} />;
    case 'tools':
      return <ToolsTab context={context} wish={store.wish} />;
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
    case 'scratchpad':
      return 'Notes';
    case 'tools':
      return 'Tools';
    case 'request':
      return step === 'next' ? 'Request' : `Request ${formatNumber(step)}`;
    case 'session':
      return 'Session';
  }
}

/** Shows a waiting pass when it appears, since the turn waits for the answer. */
function useReviewFirst(proposedPassId: number | undefined, show: () => void): void {
  useEffect(() => {
    if (proposedPassId !== undefined && !isTyping()) show();
  }, [proposedPassId]);
}

interface ToolsTabProps {
  readonly context: Pick<ContextView, 'tools' | 'whyReadOnly'>;
  readonly wish: SendWish;
}

/** Lists the tools by the tokens their definitions take in every request. */
export function ToolsTab({ context: { tools, whyReadOnly }, wish }: ToolsTabProps): VNode {
  const { rows, total, price } = tools;
  const heaviest = [...rows].sort((a, b) => b.tokens - a.tokens);
  return (
    <div class="tools">
      <h2 class="spoken">Tools</h2>
      {rows.length === 0 ? (
        <p class="empty quiet">The window holds no definition of a tool yet.</p>
      ) : (
        <>
          <p class="quiet small" data-testid="tools-total">
            {`${formatCount(rows.length, 'tool')}, ${formatTokens(total)} tokens in every request${pricesOf(total.tokens, price)}.`}
          </p>
          <ul class="file-list">
            {heaviest.map((tool) => (
              <ToolRow key={tool.name} tool={tool} price={price} />
            ))}
          </ul>
        </>
      )}
      {whyReadOnly === undefined && (
        <p>
          <LinkButton
            hint="Shows the tools of Plimsoll, of other extensions and of MCP servers"
            onClick={() => wish({ type: 'chooseTools' })}
            data-testid="choose-tools"
          >
            Choose tools…
          </LinkButton>
        </p>
      )}
    </div>
  );
}

function ToolRow({
  tool: { name, description, kind, tokens, provider },
  price,
}: {
  readonly tool: ToolCostView;
  readonly price: ToolCostsView['price'];
}): VNode {
  return (
    <li data-testid="tool-cost" data-tool={name}>
      <p class="file-head">
        <span class="ellipsis" title={description}>
          <Icon name={callIcon(kind)} /> {name}
          {provider !== undefined && (
            <span class="quiet">
              {' · '}
              <VisibleText text={provider} />
            </span>
          )}
        </span>
        <span class="number">{formatTokens({ tokens, exact: false })}</span>
      </p>
      {price !== undefined && (
        <p class="quiet small">{pricesOf(tokens, price).replace(/^, /, '')}</p>
      )}
    </li>
  );
}

/** ", ≈ $0.00012 from the prompt cache, ≈ $0.0030 uncached"; '' if no price is known. */
function pricesOf(tokens: number, price: ToolCostsView['price']): string {
  if (price === undefined) return '';
  return `, ${dollars(tokens * price.fromCache)} from the prompt cache, ${dollars(tokens * price.anew)} uncached`;
}

/** Writes tiny amounts in dollars with two significant digits. */
function dollars(millionths: number): string {
  const amount = millionths / 1_000_000;
  const digits = amount <= 0 ? 2 : Math.max(3, Math.ceil(-Math.log10(amount)) + 1);
  return `${ESTIMATE_MARK}\u00a0$${amount.toFixed(Math.min(digits, 8))}`;
}
