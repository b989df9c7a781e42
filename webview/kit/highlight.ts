import { signal } from '@preact/signals';

/** Gives code as HTML with a class on each word; undefined for a language it does not know. */
export type Highlighter = (code: string, language: string) => string | undefined;

declare global {
  interface Window {
    plimsollHighlighter?: Highlighter;
  }
}

/** What colours code; undefined until it has been loaded. */
export const highlighter = signal<Highlighter | undefined>(undefined);

/** Where this page's own script came from: the one that colours code lies beside it. */
const PAGE_SCRIPT =
  document.currentScript instanceof HTMLScriptElement ? document.currentScript : undefined;

let isAskedFor = false;

/** Loads what colours code, once; until it is there, and where it cannot be loaded, code has one colour. */
export function loadHighlighter(): void {
  if (isAskedFor || PAGE_SCRIPT === undefined) return;
  isAskedFor = true;
  const script = document.createElement('script');
  // The page's policy runs scripts with its nonce alone.
  script.nonce = PAGE_SCRIPT.nonce;
  script.src = PAGE_SCRIPT.src.replace(/[^/]+$/, 'highlight.js');
  script.onload = () => (highlighter.value = window.plimsollHighlighter);
  document.head.append(script);
}

/** Called by the bundle that is loaded: a bundle of its own shares nothing else with the page. */
export function offerHighlighter(highlight: Highlighter): void {
  window.plimsollHighlighter = highlight;
}
