/** The id of the element the user types prompts into. */
export const COMPOSER = 'composer';

/** The element the user types prompts into; null while there is none. */
export function composerElement(): HTMLElement | null {
  return document.getElementById(COMPOSER);
}
