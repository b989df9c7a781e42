import type { ComponentChildren, VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useLentFocus } from './useLentFocus';

export interface ModalProps {
  readonly title: string;
  readonly class: string;
  /** Called when the user leaves it with Escape. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly 'data-testid': string;
}

/** Draws a dialog over the panel; the focus goes to its first field, and back when it closes. */
export function Modal({ title, onClose, children, ...rest }: ModalProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const isDrawn = useRef(true);
  const titleId = useId();
  // Before the dialog is closed below: effects are taken back in the order they came in.
  useLayoutEffect(() => {
    isDrawn.current = true;
    return () => {
      isDrawn.current = false;
    };
  }, []);
  useLentFocus(dialog, {
    open: (element) => element.showModal(),
    close: (element) => element.close(),
    first: (element) => element.querySelector<HTMLElement>('input, textarea, select, button'),
  });
  // Taking it away closes it too, and a dialog that is gone must not close the one in its place.
  const leave = (): void => {
    if (isDrawn.current) onClose();
  };
  return (
    <dialog
      ref={dialog}
      class={`modal ${rest.class}`}
      aria-labelledby={titleId}
      onClose={leave}
      data-testid={rest['data-testid']}
    >
      <h2 id={titleId} class="title">
        {title}
      </h2>
      {children}
    </dialog>
  );
}
