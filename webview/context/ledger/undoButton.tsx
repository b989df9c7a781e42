import type { VNode } from 'preact';
import type { PassView } from '../../../src/protocol/contextPanel';
import type { SendWish } from '../panelStore';

export interface UndoButtonProps {
  readonly pass: PassView;
  readonly busy: boolean;
  /** Why nothing can be changed in what is shown. */
  readonly whyReadOnly: string | undefined;
  readonly wish: SendWish;
}

/** Takes a pass back. Where that cannot be it still answers a press: the host says why not. */
export function UndoButton({ pass, busy, whyReadOnly, wish }: UndoButtonProps): VNode {
  const { number, whyNotUndone } = pass;
  const why = whyReadOnly ?? (busy ? 'The agent is at work' : whyNotUndone);
  return (
    <button
      type="button"
      class="plain link undo"
      aria-disabled={why === undefined ? undefined : 'true'}
      aria-label={`Undo pass ${number}`}
      title={why ?? 'Bring back what this pass took'}
      onClick={() => wish({ type: 'undoPass', number })}
      data-testid="undo-pass"
    >
      Undo
    </button>
  );
}
