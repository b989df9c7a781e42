import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { useFocusHeir } from './useFocusHeir';

export interface UndoLinkProps {
  readonly label: string;
  readonly hint: string;
  /** Why it cannot be undone; absent where it can. */
  readonly why: string | undefined;
  readonly testId: string;
  readonly onClick: () => void;
}

/** Takes a change back. Where that cannot be it still answers a press: the host says why not. */
export function UndoLink({ label, hint, why, testId, onClick }: UndoLinkProps): VNode {
  const button = useRef<HTMLButtonElement>(null);
  // Once it is undone the button goes: the name of the change takes over.
  useFocusHeir(button, {
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
