import type { ComponentChildren, VNode } from 'preact';

export interface LinkButtonProps {
  readonly children: ComponentChildren;
  readonly onClick: () => void;
  /** Name for screen readers, where the words alone do not say what it acts on. */
  readonly label?: string;
  readonly hint?: string;
  /** Why it cannot be pressed now; it can still be found, and says so. */
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
