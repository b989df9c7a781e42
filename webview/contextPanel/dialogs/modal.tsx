import type { ComponentChildren, VNode, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/toolkit';

export interface ModalProps {
  readonly title: string;
  readonly class: string;
  /** Called when the user leaves it with Escape. */
  readonly onClose: () => void;
  /** What Escape asks first if something would be lost; else undefined. */
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
  // Before the dialog is closed below, since effects are cleaned up in their order.
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
  // Removing it also closes it, and a dialog that is gone must not close the one in its place.
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
        // The browser would close it. A second Escape withdraws the question, and loses nothing.
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

/**
 * Asks within a dialog whether what was begun in it may be lost; the button that keeps it has the
 * focus.
 */
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
 * Moves the focus to an element while it is drawn, and then back to where it was, unless the user
 * has moved it. `open` runs before the first move, `close` before the second.
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
  /** What gets the focus within it; without this, the element itself. */
  readonly first?: (element: E) => HTMLElement | null;
}
