import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

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
