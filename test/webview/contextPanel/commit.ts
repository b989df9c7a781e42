import { act } from 'preact/test-utils';

/** Commits what was typed into a field, as Enter and leaving it do. */
export function commit(field: HTMLElement): void {
  void act(() => void field.dispatchEvent(new Event('change', { bubbles: true })));
}
