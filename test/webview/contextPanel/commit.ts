import { act } from 'preact/test-utils';

/** Commits the text of a field, as Enter or a blur does. */
export function commit(field: HTMLElement): void {
  void act(() => void field.dispatchEvent(new Event('change', { bubbles: true })));
}
