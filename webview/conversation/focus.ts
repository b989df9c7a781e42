import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** The id of the prompt's text field. */
export const COMPOSER = 'composer';

/** The prompt's text field; null if there is none. */
export function composerElement(): HTMLElement | null {
  return document.getElementById(COMPOSER);
}

/**
 * Focuses a question when it appears, and the composer when it is answered. A user who is typing,
 * here or in the editor, keeps the focus, so that no keystroke answers a question.
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

/** The focused element is being removed with the card, or its button was disabled. */
function isLost(active: Element | null, card: HTMLElement | null): boolean {
  return active === null || active === document.body || card?.contains(active) === true;
}
