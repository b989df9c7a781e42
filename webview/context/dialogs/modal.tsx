import type { ComponentChildren, VNode, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../ui/toolkit';

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

export interface DiscardQuestionProps {
  readonly question: string;
  readonly onDiscard: () => void;
  readonly onKeep: () => void;
}

/** Asks within a dialog whether what was begun in it may go; the focus is lent to what keeps it. */
function DiscardQuestion({ question, onDiscard, onKeep }: DiscardQuestionProps): VNode {
  const asks = useRef<HTMLDivElement>(null);
  useLentFocus(asks, { first: (element) => element.querySelector('[data-testid="keep-typed"]') });
  return (
    <div
      ref={asks}
      class="discard"
      role="alertdialog"
      aria-label={question}
      tabIndex={-1}
      data-testid="discard-question"
    >
      <span class="message">{question}</span>
      <Button onClick={onDiscard} data-testid="discard-typed">
        Discard
      </Button>
      <Button appearance="primary" onClick={onKeep} data-testid="keep-typed">
        Keep Editing
      </Button>
    </div>
  );
}

/**
 * Takes the focus to an element while it is drawn, and gives it back to where it was: unless the
 * user has moved on meanwhile. `open` runs before, `close` before it goes back.
 */
export function useLentFocus<E extends HTMLElement>(
  element: RefObject<E | null>,
  { open, close, first }: LentFocusSteps<E> = {},
): void {
  useLayoutEffect(() => {
    const lent = element.current;
    const before = document.activeElement;
    if (lent === null) return undefined;
    open?.(lent);
    (first?.(lent) ?? lent).focus();
    return () => {
      const isHere = lent.contains(document.activeElement);
      close?.(lent);
      if (isHere && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
}

export interface LentFocusSteps<E extends HTMLElement> {
  readonly open?: (element: E) => void;
  readonly close?: (element: E) => void;
  /** What within it gets the focus; else it gets it itself. */
  readonly first?: (element: E) => HTMLElement | null;
}
