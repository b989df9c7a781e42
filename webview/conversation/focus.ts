import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** The id of the element the user types prompts into. */
export const COMPOSER = 'composer';

/** The element the user types prompts into; null while there is none. */
export function composerElement(): HTMLElement | null {
  return document.getElementById(COMPOSER);
}

/**
 * Moves the focus to a question when it appears, and back to the composer when it is answered. A
 * user who is typing, here or in the editor, keeps the focus: a keystroke meant for a text answers
 * nothing.
 */
export function useQuestionFocus(card: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = card.current;
    if (mayTakeFocus()) element?.focus();
    return () => {
      if (document.hasFocus() && isLost(document.activeElement, element)) {
        composerElement()?.focus();
      }
    };
  }, []);
}

function mayTakeFocus(): boolean {
  if (!document.hasFocus()) return false;
  const active = document.activeElement;
  const isField = active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement;
  return !(isField && active.value !== '');
}

/** The focus is about to go with the card, or went when its buttons were disabled. */
function isLost(active: Element | null, card: HTMLElement | null): boolean {
  return active === null || active === document.body || card?.contains(active) === true;
}
