import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Finds the element that gets the focus; null if none does. */
type FocusTarget = () => HTMLElement | null;

interface FocusCandidates {
  /** Used if the focused element is removed or disabled, and the part around it stays. */
  readonly within?: FocusTarget;
  /** Used if the whole part is removed with the focus in it. */
  readonly gone?: FocusTarget;
}

/** Moves the focus on instead of losing it to the page, where the keyboard would start over. */
export function useFocusAfterRemoval(
  part: RefObject<HTMLElement | null>,
  { within, gone }: FocusCandidates,
): void {
  const active = document.activeElement;
  const had = active !== null && part.current?.contains(active) === true ? active : undefined;
  useLayoutEffect(() => {
    if (had === undefined || within === undefined) return;
    const { activeElement: now } = document;
    const isLost = now === null || now === document.body || (now === had && isDisabled(had));
    if (isLost) within()?.focus({ preventScroll: true });
  });
  useLayoutEffect(() => {
    const { current: element } = part;
    return () => {
      if (element?.contains(document.activeElement) !== true) return;
      gone?.()?.focus({ preventScroll: true });
    };
  }, []);
}

/** The group that travels through the session; it is always there. */
export const travelGroup: FocusTarget = () => document.querySelector<HTMLElement>('.travel');

/** The area next to the blocks. */
export const shownTabPanel: FocusTarget = () =>
  document.querySelector<HTMLElement>('.side > [role="tabpanel"]:not([hidden])');

function isDisabled(element: Element): boolean {
  return Reflect.get(element, 'disabled') === true || element.hasAttribute('disabled');
}

/** Says whether the user is typing a text, which must keep the focus. */
export function isTyping(): boolean {
  const active = document.activeElement;
  if (active instanceof HTMLTextAreaElement) return active.value !== '';
  if (!(active instanceof HTMLInputElement)) return false;
  return active.type !== 'checkbox' && active.type !== 'range' && active.value !== '';
}
