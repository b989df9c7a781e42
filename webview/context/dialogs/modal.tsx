import type { ComponentChildren, VNode } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { DiscardQuestion } from './discardQuestion';
import { useLentFocus } from './useLentFocus';

export interface ModalProps {
  readonly title: string;
  readonly class: string;
  /** Called when the user leaves it with Escape. */
  readonly onClose: () => void;
  /** What Escape asks first, where something would be lost with it; else undefined. */
  readonly question?: string | undefined;
  readonly children: ComponentChildren;
  readonly 'data-testid': string;
}

/** Draws a dialog over the panel; the focus goes to its first field, and back when it closes. */
export function Modal({ title, onClose, question, children, ...rest }: ModalProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const isDrawn = useRef(true);
  const [isAsking, setAsking] = useState(false);
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
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || question === undefined) return;
        // The browser would close it. Escape once more takes the question back, and loses nothing.
        event.preventDefault();
        setAsking(!isAsking);
      }}
      data-testid={rest['data-testid']}
    >
      <h2 id={titleId} class="title">
        {title}
      </h2>
      {children}
      {isAsking && question !== undefined && (
        <DiscardQuestion question={question} onDiscard={onClose} onKeep={() => setAsking(false)} />
      )}
    </dialog>
  );
}
