import type { VNode } from 'preact';
import type { EditView } from '../../../src/protocol/editView';
import { UndoLink } from '../parts/undoLink';
import type { SendWish } from '../panelStore';
import { editWords, undoHint } from './editWords';

export interface HandEditProps {
  readonly edit: EditView;
  /** Why nothing can be changed in what is shown. */
  readonly whyReadOnly: string | undefined;
  readonly wish: SendWish;
}

/** Tells in one line what the user changed without a pass. */
export function HandEdit({ edit, whyReadOnly, wish }: HandEditProps): VNode {
  const { undo } = edit;
  const words = editWords(edit);
  return (
    <article class="hand" aria-label={words} data-testid="hand-edit">
      <span class="what named" tabIndex={-1}>
        {words}
      </span>
      {undo !== undefined && (
        <UndoLink
          label={`Undo: ${words}`}
          hint={undoHint(undo)}
          why={whyReadOnly}
          testId="undo-edit"
          onClick={() => wish(undo)}
        />
      )}
    </article>
  );
}
