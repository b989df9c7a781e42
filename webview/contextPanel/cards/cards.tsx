import type { ComponentChildren, VNode } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import type { LeavingBlockView, PassView } from '../../../src/editor/contextPanel/ledger/state';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import { formatNumber, formatTokens, unbroken } from '../../kit/tokens';
import { chipCounts } from '../blocks/listRows';
import { UndoOrDone } from '../ledger/undoOrDone';
import { priceWords, triggerWords } from '../ledger/words';
import { blockById, nameIn } from '../parts/format';
import { LinkButton } from '../parts/linkButton';
import { DEFAULT_LOOK, type Tab } from '../store/keptState';
import type { PanelProps, PanelStore } from '../store/panelStore';
import {
  againWords,
  CARD_TITLES,
  didWords,
  nextIntro,
  removedWords,
  sessionHint,
  sessionLabel,
  sessionWords,
  shortLabel,
  shortPrice,
  whyWords,
} from './words';

/** Answers what is removed next, what was removed last and why, and what that cost. */
export function Cards({ store, context }: PanelProps): VNode {
  return (
    <div class="cards">
      <NextCard store={store} context={context} />
      <LastCard store={store} context={context} />
      <CostCard store={store} context={context} />
    </div>
  );
}

interface CardProps {
  readonly title: string;
  /** Follows the title: ", before step 41". */
  readonly when?: string;
  readonly hint: string;
  /** Shows the whole detail. */
  readonly onOpen: () => void;
  readonly testId: string;
  readonly children: ComponentChildren;
}

function Card({ title, when, hint, onOpen, testId, children }: CardProps): VNode {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id} data-testid={testId}>
      <h2 class="title" id={id}>
        <button
          type="button"
          class="plain"
          title={hint}
          onClick={onOpen}
          data-testid={`${testId}-open`}
        >
          {title}
          {when !== undefined && <span class="when">{when}</span>}
        </button>
      </h2>
      {children}
    </section>
  );
}

/** Shows a tab, and scrolls to a part of it once it is drawn. */
function show(store: PanelStore, tab: Tab, selector: string): void {
  store.look.value = { ...store.look.peek(), tab };
  focusSoon(`.side ${selector}`);
}

/** Scrolls to an element and focuses it, once it is drawn. */
function focusSoon(selector: string): void {
  requestAnimationFrame(() => {
    const part = document.querySelector<HTMLElement>(selector);
    part?.scrollIntoView({ block: 'nearest' });
    part?.focus({ preventScroll: true });
  });
}

function NextCard({ store, context }: PanelProps): VNode {
  const { next, compaction, travel, turn } = context;
  const leaving = next.type === 'planned' || next.type === 'ran' ? next : undefined;
  const open = (): void => show(store, 'ledger', '.next-pass');
  return (
    <Card
      title={travel.at === 'now' ? CARD_TITLES.next : CARD_TITLES.after}
      hint="Shows when the next pass runs, and what it would do to each block"
      onOpen={open}
      testId="card-next"
    >
      <p>
        {turn === 0 ? 'Nothing yet.' : nextIntro(next, compaction)}
        {leaving !== undefined && leaving.blocks > leaving.largest.length && (
          <LinkButton
            class="more"
            hint="Shows what the pass would do to each block"
            onClick={open}
            data-testid="card-next-more"
          >
            All {formatNumber(leaving.blocks)}
          </LinkButton>
        )}
      </p>
      {leaving !== undefined && leaving.largest.length > 0 && (
        <ol class="leaving">
          {leaving.largest.map((block) => (
            <Leaving key={block.blockId} block={block} store={store} context={context} />
          ))}
        </ol>
      )}
    </Card>
  );
}

interface LeavingProps extends PanelProps {
  readonly block: LeavingBlockView;
}

function Leaving({ block, store, context }: LeavingProps): VNode {
  const { blockId, tokens } = block;
  const name = nameIn(context.blocks, block);
  return (
    <li data-testid="leaving" data-block-id={blockId}>
      <LinkButton
        class="label ellipsis"
        hint={`${name}: shows the block and the reason`}
        onClick={() => {
          store.look.value = { ...store.look.peek(), blockId, tab: 'block' };
        }}
        data-testid="leaving-block"
      >
        {shortLabel(block, blockById(context.blocks, blockId))}
      </LinkButton>
      <span class="number quiet">{formatTokens(tokens)}</span>
      {context.next.type === 'planned' && (
        <LinkButton
          label={`Keep “${name}”`}
          hint="Pins it, so that no pass removes it"
          why={context.whyReadOnly}
          onClick={() => store.wish({ type: 'pinBlock', blockId })}
          data-testid="keep"
        >
          Keep
        </LinkButton>
      )}
    </li>
  );
}

/** The newest pass that was not undone; changes by hand are the user's own. */
function lastPass({ passes }: Pick<ContextView, 'passes'>): PassView | undefined {
  return passes.find(({ trigger, undone }) => trigger !== 'byHand' && !undone);
}

function LastCard({ store, context }: PanelProps): VNode {
  const pass = lastPass(context);
  if (pass === undefined) {
    return (
      <Card
        title={CARD_TITLES.last}
        hint="Shows the ledger of passes"
        onOpen={() => show(store, 'ledger', '.next-pass')}
        testId="card-last"
      >
        <p>{context.turn === 0 ? 'Nothing yet.' : 'Nothing so far.'}</p>
      </Card>
    );
  }
  const did = didWords(pass);
  const open = (): void => {
    const { openPasses } = store.look.peek();
    const others = openPasses.filter((number) => number !== pass.number);
    store.look.value = { ...store.look.peek(), openPasses: [...others, pass.number] };
    show(store, 'ledger', `[data-testid="pass-card"][data-pass="${pass.number}"] .named`);
  };
  return (
    <Card
      title={CARD_TITLES.last}
      when={`, before step ${formatNumber(pass.beforeStep)}`}
      hint="Shows the pass in the ledger, with its decision for each block"
      onOpen={open}
      testId="card-last"
    >
      <p class="named" tabIndex={-1}>
        <strong>{removedWords(pass)}</strong>
        {did !== '' && <span>: {did}.</span>}
      </p>
      <p class="quiet" title={triggerWords(pass)} data-testid="card-why">
        {whyWords(pass)}
      </p>
      <p>
        <LinkButton onClick={open} data-testid="what-and-why">
          What and why
        </LinkButton>
        {context.source.type === 'session' && (
          <>
            {' · '}
            <UndoOrDone pass={pass} context={context} wish={store.wish} testId="undo-last" />
          </>
        )}
      </p>
    </Card>
  );
}

function CostCard({ store, context }: PanelProps): VNode {
  const pass = lastPass(context);
  const { billThen } = context;
  const bill = billThen ?? store.timeline.value?.totals;
  const again = useMemo(() => chipCounts(context).again, [context.blocks, context.neededAgain]);
  const showAgain = (): void => {
    store.look.value = { ...store.look.peek(), chip: 'again', query: DEFAULT_LOOK.query };
    focusSoon('[data-chip="again"]');
  };
  return (
    <Card
      title={CARD_TITLES.cost}
      hint="Shows the session in numbers"
      onOpen={() => show(store, 'session', '.facts')}
      testId="card-cost"
    >
      {pass !== undefined && (
        <p title={priceWords(pass)} data-testid="cost-pass">
          {unbroken(shortPrice(pass))}
        </p>
      )}
      {bill !== undefined && (
        <p title={sessionHint(bill)} data-testid="cost-session">
          {sessionLabel(bill, { source: context.source, isPast: billThen !== undefined })}:{' '}
          <strong>{sessionWords(bill)}</strong>
        </p>
      )}
      {bill?.recordedBill !== undefined && (
        <p
          title={`The recorded agent’s bill: ${bill.recordedBill.cost}`}
          data-testid="cost-recorded"
        >
          The recorded agent: {sessionWords(bill.recordedBill)}
        </p>
      )}
      {pass !== undefined && (
        <p>
          Needed again:{' '}
          {again === 0 ? (
            'nothing'
          ) : (
            <LinkButton
              label={`${againWords(context.neededAgain, again)} needed again: show`}
              hint="Shows the blocks whose removed content was needed again"
              onClick={showAgain}
              data-testid="cost-again"
            >
              {againWords(context.neededAgain, again)}
            </LinkButton>
          )}
        </p>
      )}
    </Card>
  );
}
