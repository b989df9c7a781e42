import { act } from 'preact/test-utils';

/** Takes what was typed into a field for final, as Enter and leaving it do. */
export function commit(field: HTMLElement): void {
  void act(() => void field.dispatchEvent(new Event('change', { bubbles: true })));
}
