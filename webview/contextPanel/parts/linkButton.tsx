import type { ComponentChildren, VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { useFocusAfterRemoval } from './keyboardFocus';

export interface LinkButtonProps {
  readonly children: ComponentChildren;
  readonly onClick: () => void;
  /** Name for screen readers, where the words alone do not say what it acts on. */
  readonly label?: string;
  readonly hint?: string;
  /** Why it cannot be pressed now; it can still be reached, and says so. */
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

export interface UndoLinkProps {
  readonly label: string;
  readonly hint: string;
  /** Why it cannot be undone; absent where it can. */
  readonly why: string | undefined;
  readonly testId: string;
  readonly onClick: () => void;
}

/**
 * Takes a change back. Where that is not possible it still reacts to a press: the host says why.
 */
export function UndoLink({ label, hint, why, testId, onClick }: UndoLinkProps): VNode {
  const button = useRef<HTMLButtonElement>(null);
  // Once the change is undone the button goes, and the name of the change gets the focus.
  useFocusAfterRemoval(button, {
    gone: () => button.current?.closest('article, p')?.querySelector<HTMLElement>('.named') ?? null,
  });
  return (
    <button
      ref={button}
      type="button"
      class="plain link undo"
      aria-disabled={why === undefined ? undefined : 'true'}
      aria-label={label}
      title={why ?? hint}
      onClick={onClick}
      data-testid={testId}
    >
      Undo
    </button>
  );
}
