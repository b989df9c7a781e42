import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { PassView } from '../../../src/protocol/contextPanel';
import { useFocusHeir } from '../parts/useFocusHeir';
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
  const button = useRef<HTMLButtonElement>(null);
  // Once the pass is undone a word stands in the button's place: the name of the pass takes over.
  useFocusHeir(button, {
    gone: () => button.current?.closest('article')?.querySelector<HTMLElement>('.named') ?? null,
  });
  const why = whyReadOnly ?? (busy ? 'The agent is at work' : whyNotUndone);
  return (
    <button
      ref={button}
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
