import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { MoveView } from '../../../src/editor/contextPanel/blocks/state';
import { formatMove } from '../../kit/tokens';
import { useFocusAfterRemoval } from './keyboardFocus';

interface LinkButtonProps {
  readonly children: ComponentChildren;
  readonly onClick: () => void;
  /** Name for screen readers, if the words alone do not name the object. */
  readonly label?: string;
  readonly hint?: string;
  /** Why it is disabled; it stays focusable, and says so. */
  readonly why?: string | undefined;
  readonly class?: string;
  readonly 'data-testid'?: string;
}

/** Draws a quiet action as a link. */
export function LinkButton(props: LinkButtonProps): VNode {
  const { children, onClick, label, hint, why, class: look } = props;
  return (
    <button
      type="button"
      class={look === undefined ? 'plain link' : `plain link ${look}`}
      aria-label={label}
      aria-disabled={why === undefined ? undefined : 'true'}
      title={why ?? hint}
      onClick={() => {
        if (why === undefined) onClick();
      }}
      data-testid={props['data-testid']}
    >
      {children}
    </button>
  );
}

interface UndoLinkProps {
  /** The text of the button; "Undo" if absent. */
  readonly text?: string;
  readonly label: string;
  readonly hint: string;
  /** Why it cannot be undone; absent if it can. */
  readonly why: string | undefined;
  /** How far the undo moves the window; absent while that is not calculated. */
  readonly move?: MoveView | undefined;
  readonly testId: string;
  readonly onClick: () => void;
}

/** Undoes a change. A disabled one still reacts to a press: the host says why. */
export function UndoLink({
  text = 'Undo',
  label,
  hint,
  why,
  move,
  testId,
  onClick,
}: UndoLinkProps): VNode {
  const moves =
    move === undefined || 'whyNot' in move || move.tokens === 0 ? '' : ` (${formatMove(move)})`;
  const button = useRef<HTMLButtonElement>(null);
  // After the undo the button is removed, and the name of the change gets the focus.
  useFocusAfterRemoval(button, {
    gone: () => button.current?.closest('article, p')?.querySelector<HTMLElement>('.named') ?? null,
  });
  return (
    <button
      ref={button}
      type="button"
      class="plain link undo"
      aria-disabled={why === undefined ? undefined : 'true'}
      aria-label={`${label}${moves}`}
      title={why ?? hint}
      onClick={onClick}
      data-testid={testId}
    >
      {text}
      {moves !== '' && <span class="number">{moves}</span>}
    </button>
  );
}
