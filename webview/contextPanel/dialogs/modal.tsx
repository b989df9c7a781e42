import type { ComponentChildren, RefObject, VNode } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ContextWish } from '../../../src/editor/contextPanel/wishes';
import type { Leave } from '../../kit/hostLink';
import { Button } from '../../kit/toolkit';
import type { PanelStore } from '../store/panelStore';

interface ModalProps {
  readonly title: string;
  readonly class: string;
  /** Called when the user leaves it with Escape. */
  readonly onClose: () => void;
  /** The question that Escape asks if something would be lost; otherwise undefined. */
  readonly question?: string | undefined;
  readonly children: ComponentChildren;
  readonly 'data-testid': string;
}

/** Draws a dialog over the panel; the focus moves to its first field, and back when it closes. */
export function Modal({ title, onClose, question, children, ...rest }: ModalProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const isDrawn = useRef(true);
  const [isAsking, setAsking] = useState(false);
  const titleId = useId();
  // Registered first, because effects are cleaned up in order and the dialog closes below.
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
  // Removing it also closes it, and a dialog that was removed must not close its successor.
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
        // The browser would close it. A second Escape withdraws the question, and nothing is lost.
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

interface DiscardQuestionProps {
  readonly question: string;
  readonly onDiscard: () => void;
  readonly onKeep: () => void;
}

/** Asks whether to discard unsaved input; the button that keeps it has the focus. */
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

interface LentFocusSteps<E extends HTMLElement> {
  readonly open?: (element: E) => void;
  readonly close?: (element: E) => void;
  /** What gets the focus within it; without this, the element itself. */
  readonly first?: (element: E) => HTMLElement | null;
}

interface DialogAnswersProps {
  readonly answer: Pick<Sending, 'isWaiting' | 'refusal'>;
  /** The name of the saved value; test ids begin with it. */
  readonly name: string;
  /** Why it cannot be saved as it is. */
  readonly why?: string | undefined;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

/** Draws Save and Cancel, and why the host refused to save. */
export function DialogAnswers({ answer, name, why, onSave, onCancel }: DialogAnswersProps): VNode {
  return (
    <>
      <RefusedNote message={answer.refusal} data-testid={`${name}-refusal`} />
      <div class="answers">
        <Button
          appearance="primary"
          disabled={answer.isWaiting || why !== undefined}
          hint={why}
          onClick={onSave}
          data-testid={`${name}-save`}
        >
          Save
        </Button>
        <Button onClick={onCancel} data-testid={`${name}-cancel`}>
          Cancel
        </Button>
      </div>
    </>
  );
}

interface RefusedProps {
  /** Undefined if nothing was refused. */
  readonly message: string | undefined;
  readonly 'data-testid': string;
}

/** Says next to the action why the host refused it. */
export function RefusedNote({ message, ...rest }: RefusedProps): VNode | null {
  if (message === undefined) return null;
  return (
    <p class="refused" role="alert" data-testid={rest['data-testid']}>
      {message}
    </p>
  );
}

interface Sending {
  readonly send: (wish: ContextWish) => void;
  readonly isWaiting: boolean;
  /** Why the host refused the last wish. */
  readonly refusal: string | undefined;
}

/**
 * Sends a wish and waits for the host's answer: `onTaken` is called only when it is done. A refusal
 * must not lose what was typed.
 */
export function useAnswer(store: PanelStore, onTaken: () => void = () => undefined): Sending {
  const [isWaiting, setWaiting] = useState(false);
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const leave = useRef<Leave>(() => undefined);
  useEffect(() => () => leave.current(), []);
  return {
    send: (wish) => {
      setWaiting(true);
      setRefusal(undefined);
      leave.current = store.wish(wish, {
        done: () => {
          setWaiting(false);
          onTaken();
        },
        refused: (why) => {
          setWaiting(false);
          setRefusal(why);
        },
      });
    },
    isWaiting,
    refusal,
  };
}
