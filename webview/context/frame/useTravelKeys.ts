import { useEffect } from 'preact/hooks';
import type { PanelStore } from '../panelStore';
import { waysFrom, type Moment } from './travel';

/** Steps through the session with Alt+← and Alt+→, wherever the focus is but in a text. */
export function useTravelKeys(store: PanelStore): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (isInDialog(event)) {
        // Go Back would hide the panel, and the dialog with what is being typed in it.
        event.stopPropagation();
        return;
      }
      const to = momentFor(event, store);
      if (to === undefined) return;
      // VS Code would take what reaches the window for its own Go Back and Go Forward.
      event.preventDefault();
      event.stopPropagation();
      store.wish({ type: 'travelTo', at: to });
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [store]);
}

function momentFor(event: KeyboardEvent, store: PanelStore): Moment | undefined {
  const { key, target } = event;
  const context = store.context.value;
  if (!isTravelKey(event) || isText(target) || context === undefined) return undefined;
  const ways = waysFrom(context.travel, stepsOf(store));
  if (key === 'ArrowLeft') return ways.back;
  return key === 'ArrowRight' ? ways.forward : undefined;
}

function isInDialog(event: KeyboardEvent): boolean {
  return isTravelKey(event) && document.querySelector('dialog[open]') !== null;
}

function isTravelKey({ altKey, ctrlKey, metaKey, shiftKey, key }: KeyboardEvent): boolean {
  const isArrow = key === 'ArrowLeft' || key === 'ArrowRight';
  return isArrow && altKey && !ctrlKey && !metaKey && !shiftKey;
}

/** The steps the timeline knows. */
export function stepsOf(store: PanelStore): readonly number[] {
  return store.timeline.value?.points.map(({ step }) => step) ?? [];
}

function isText(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select') !== null;
}
