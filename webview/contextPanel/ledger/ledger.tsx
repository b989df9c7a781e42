import type { VNode } from 'preact';
import { countText } from '../../../src/editor/coreForPages';
import type { PassView } from '../../../src/editor/contextPanel/ledger/state';
import type { ContextView, HandChangeView } from '../../../src/editor/contextPanel/state';
import { formatNumber } from '../../kit/tokens';
import { WouldHaveKept } from '../comparison/wouldHaveKept';
import { LinkButton, UndoLink } from '../parts/linkButton';
import { useMore } from '../parts/useMore';
import { LossCards } from '../losses/lossCards';
import type { PanelProps, SendWish } from '../store/panelStore';
import { NextPass } from './nextPassCard';
import { PassCard } from './passCard';
import { ReviewCard } from './reviewCard';
import { UndoOrDone } from './undoOrDone';
import { editWords, handWords, passesIn, refaultWaysWords, undoHint } from './words';

/** Entries drawn at first: a long session has thousands. */
const PAGE = 50;

interface LedgerProps extends PanelProps {
  readonly isShown: boolean;
}

/**
 * Lists the passes and the user's changes in between, newest first; a pass that waits for review
 * comes first.
 */
export function Ledger({ store, context, isShown }: LedgerProps): VNode {
  const { passes, edits, review, refaults, losses } = context;
  // The cards of the recorded agent's compactions say more than passes that repeat them.
  const rows = ledgerRows(
    losses === undefined ? passes : passes.filter(({ trigger }) => trigger !== 'recorded'),
    edits,
  );
  const { shown, rest, showMore } = useMore(rows.length, PAGE);
  const { recalls, reads } = refaults;
  const ran = passesIn(passes);
  const hasLost = passes.length + recalls + reads > 0;
  return (
    <div class="ledger">
      <h2 class="spoken">Ledger: {ran === 0 ? 'no pass yet' : countText(ran, 'pass', 'passes')}</h2>
      {review !== undefined && (
        <ReviewCard
          key={`${context.session} ${review.reviewId}`}
          store={store}
          session={context.session}
          review={review}
          isShown={isShown}
        />
      )}
      <LossCards store={store} context={context} />
      <NextPass store={store} context={context} />
      {hasLost && (
        <p
          class="refaults quiet small"
          title="Shows how good the policy is: how often removed content was needed again"
          data-testid="refaults"
        >
          {refaultWaysWords(refaults)}
        </p>
      )}
      <WouldHaveKept store={store} context={context} />
      <UndoAll store={store} context={context} />
      {rows.slice(0, shown).map((row) => (
        <Row key={keyOf(row)} row={row} store={store} context={context} />
      ))}
      {rest > 0 && (
        <p class="older">
          <LinkButton onClick={showMore} data-testid="older-passes">
            Show older ({formatNumber(rest)} left)
          </LinkButton>
        </p>
      )}
    </div>
  );
}

/** Undoes all the user's changes of the window. */
function UndoAll({ store, context }: Pick<LedgerProps, 'store' | 'context'>): VNode | null {
  const { undoAll, source, whyReadOnly, busy } = context;
  if (undoAll === undefined || source.type === 'recording') return null;
  return (
    <p class="undo-all">
      <span class="named" tabIndex={-1}>
        {countText(undoAll.changes, 'change')} of yours
      </span>{' '}
      <UndoLink
        text="Undo all my changes"
        label="Undo all my changes"
        hint="Undoes what you excluded, cleared, restored, rewrote, pinned or chose. Undone prompts and the notes stay."
        why={whyReadOnly ?? (busy ? 'The agent is working' : undefined)}
        move={undoAll.move}
        testId="undo-all"
        onClick={() => store.wish({ type: 'undoAllChanges' })}
      />
    </p>
  );
}

interface RowProps extends Pick<LedgerProps, 'store' | 'context'> {
  readonly row: LedgerRow;
}

function Row({ row, store, context }: RowProps): VNode {
  if (row.type === 'edit') {
    return <HandChange edit={row.edit} context={context} wish={store.wish} />;
  }
  const { pass } = row;
  return pass.trigger === 'byHand' ? (
    <HandPass store={store} context={context} pass={pass} />
  ) : (
    <PassCard store={store} context={context} pass={pass} />
  );
}

function keyOf(row: LedgerRow): string {
  return row.type === 'edit' ? `edit ${row.number}` : `pass ${row.pass.number}`;
}

/** One entry of the ledger; `number` identifies a change by hand even when later ones follow. */
type LedgerRow =
  | { readonly type: 'pass'; readonly pass: PassView }
  | { readonly type: 'edit'; readonly number: number; readonly edit: HandChangeView };

/** Merges the changes by hand into the passes, newest first. */
function ledgerRows(
  passes: readonly PassView[],
  edits: readonly HandChangeView[],
): readonly LedgerRow[] {
  const rows: LedgerRow[] = [];
  let taken = 0;
  const takeEditsAfter = (pass: number): void => {
    for (
      let edit = edits[taken];
      edit !== undefined && edit.afterPass >= pass;
      edit = edits[taken]
    ) {
      rows.push({ type: 'edit', number: edits.length - taken, edit });
      taken += 1;
    }
  };
  for (const pass of passes) {
    takeEditsAfter(pass.number);
    rows.push({ type: 'pass', pass });
  }
  takeEditsAfter(0);
  return rows;
}

interface HandPassProps extends PanelProps {
  readonly pass: PassView;
}

/** Describes in one line a pass that the user made by hand. */
function HandPass({ store, context, pass }: HandPassProps): VNode {
  const { number, name, undone } = pass;
  return (
    <article
      class={undone ? 'hand undone' : 'hand'}
      aria-label={`${name}, by hand${undone ? ', undone' : ''}`}
      data-testid="hand-pass"
      data-pass={number}
      data-undone={String(undone)}
    >
      <span class="what named" tabIndex={-1} title={`${name}, before step ${pass.beforeStep}`}>
        {handWords(pass, context.blocks)}
        {pass.counted?.isOther === true && (
          <span class="quiet small" data-testid="counted">
            {' '}
            {pass.counted.text}
          </span>
        )}
      </span>
      <UndoOrDone pass={pass} context={context} wish={store.wish} />
    </article>
  );
}

interface HandChangeProps {
  readonly edit: HandChangeView;
  readonly context: Pick<ContextView, 'source' | 'whyReadOnly' | 'blocks'>;
  readonly wish: SendWish;
}

/** Describes in one line a change by hand that is not a pass. */
function HandChange({ edit, context, wish }: HandChangeProps): VNode {
  const { undo } = edit;
  const undone = edit.undone === true;
  const words = editWords(edit, context.blocks);
  return (
    <article
      class={undone ? 'hand undone' : 'hand'}
      aria-label={`${words}${undone ? ', undone' : ''}`}
      data-testid="hand-edit"
      data-undone={String(undone)}
    >
      <span class="what named" tabIndex={-1}>
        {words}
      </span>
      {undone && <span class="pill p-undone">undone</span>}
      {undo !== undefined && context.source.type === 'session' && (
        <UndoLink
          label={`Undo: ${words}`}
          hint={undoHint(undo)}
          why={context.whyReadOnly}
          testId="undo-edit"
          onClick={() => wish(undo)}
        />
      )}
    </article>
  );
}
