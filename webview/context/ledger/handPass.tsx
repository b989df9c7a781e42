import type { VNode } from 'preact';
import type { ContextView, PassView } from '../../../src/protocol/contextPanel';
import { handWords } from './handWords';
import type { PanelStore } from '../panelStore';
import { UndoButton } from './undoButton';

export interface HandPassProps {
  readonly store: PanelStore;
  readonly context: ContextView;
  readonly pass: PassView;
}

/** Tells in one line what the user changed by hand. */
export function HandPass({ store, context, pass }: HandPassProps): VNode {
  const { number, undone } = pass;
  return (
    <article
      class={undone ? 'hand undone' : 'hand'}
      aria-label={`Pass ${number}, by hand${undone ? ', undone' : ''}`}
      data-testid="hand-pass"
      data-pass={number}
      data-undone={String(undone)}
    >
      <span
        class="what named"
        tabIndex={-1}
        title={`Pass ${number}, before step ${pass.beforeStep}`}
      >
        {handWords(pass)}
      </span>
      {undone ? (
        <span class="pill p-undone">undone</span>
      ) : (
        <UndoButton
          pass={pass}
          busy={context.busy}
          whyReadOnly={context.whyReadOnly}
          wish={store.wish}
        />
      )}
    </article>
  );
}
