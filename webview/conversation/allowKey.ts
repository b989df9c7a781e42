import { useRef } from 'preact/hooks';

/** A key pressed so soon after a card came was meant for what was there before; ms. */
const SETTLED_MS = 500;

/** What the tooltip of Allow says. */
export const ALLOW_HINT = 'Ctrl+Enter (Cmd+Enter) in the card allows this once';

/** Says whether a key asks to allow: Enter with Ctrl or Cmd, and nothing else. */
export function isAllowKey(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, shiftKey, altKey, isComposing } = event;
  return key === 'Enter' && (ctrlKey || metaKey) && !shiftKey && !altKey && !isComposing;
}

/**
 * Handles the keys of a card: Ctrl+Enter (Cmd+Enter) allows. A button in it keeps its keys, a key that
 * is held down counts for nothing, nor does one that was pressed as the card came.
 */
export function useAllowKey(allow: () => void): (event: KeyboardEvent) => void {
  const came = useRef(performance.now());
  return (event) => {
    if (!isAllowKey(event) || isOnButton(event.target)) return;
    event.preventDefault();
    if (!event.repeat && performance.now() - came.current >= SETTLED_MS) allow();
  };
}

function isOnButton(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, vscode-button, summary') !== null;
}
