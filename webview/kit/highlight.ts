import { signal } from '@preact/signals';

/** Gives code as HTML with a class on each word; undefined for an unknown language. */
type Highlighter = (code: string, language: string) => string | undefined;

declare global {
  interface Window {
    plimsollHighlighter?: Highlighter;
  }
}

/** The highlighter; undefined until it is loaded. */
export const highlighter = signal<Highlighter | undefined>(undefined);

/** The page's own script; the highlighter is in the same folder. */
const PAGE_SCRIPT =
  document.currentScript instanceof HTMLScriptElement ? document.currentScript : undefined;

let isAskedFor = false;

/** Loads the highlighter, once. Until then, or if loading fails, code has one colour. */
export function loadHighlighter(): void {
  if (isAskedFor || PAGE_SCRIPT === undefined) return;
  isAskedFor = true;
  const script = document.createElement('script');
  // The page's policy only runs scripts with its nonce.
  script.nonce = PAGE_SCRIPT.nonce;
  script.src = PAGE_SCRIPT.src.replace(/[^/]+$/, 'highlight.js');
  script.onload = () => (highlighter.value = window.plimsollHighlighter);
  document.head.append(script);
}

/** Called by the highlighter's bundle, which shares nothing else with the page. */
export function offerHighlighter(highlight: Highlighter): void {
  window.plimsollHighlighter = highlight;
}
