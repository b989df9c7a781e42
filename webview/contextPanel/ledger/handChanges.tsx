import type { VNode } from 'preact';
import type { ContextView, HandChangeView } from '../../../src/editor/contextPanel/state';
import type { PassView } from '../../../src/editor/contextPanel/ledger/state';
import { handWords, editWords, undoHint } from './handWords';
import type { PanelStore, SendWish } from '../store/panelStore';
import { UndoOrDone } from './undoOrDone';
import { UndoLink } from '../parts/linkButton';

export interface HandPassProps {
  readonly store: PanelStore;
  readonly context: ContextView;
  readonly pass: PassView;
}

/** Says in one line what the user changed by hand. */
export function HandPass({ store, context, pass }: HandPassProps): VNode {
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
        {handWords(pass)}
      </span>
      <UndoOrDone pass={pass} context={context} wish={store.wish} />
    </article>
  );
}

export interface HandChangeProps {
  readonly edit: HandChangeView;
  readonly context: Pick<ContextView, 'source' | 'whyReadOnly'>;
  readonly wish: SendWish;
}

/** Says in one line what the user changed without a pass. */
export function HandChange({ edit, context, wish }: HandChangeProps): VNode {
  const { undo } = edit;
  const undone = edit.undone === true;
  const words = editWords(edit);
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
