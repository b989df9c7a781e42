import type { BlockView } from '../../src/protocol/contextPanel';

/** What the keyboard can do to a block. */
export interface BlockActions {
  readonly open: (block: BlockView) => void;
  readonly togglePin: (block: BlockView) => void;
  readonly makeTask: (block: BlockView) => void;
}

/** Finds the row an event came from. */
export function rowAt(target: EventTarget | null): HTMLElement | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<HTMLElement>('[data-block-id]') ?? undefined;
}

/** Finds the block whose row an event came from. */
export function blockOf(
  blocks: readonly BlockView[],
  target: EventTarget | null,
): BlockView | undefined {
  const id = rowAt(target)?.dataset['blockId'];
  return blocks.find((block) => block.id === id);
}

/** Walks the rows with the arrows, Home and End; Enter opens the block's text, P pins it, T makes it the task. */
export function blockKeys(
  event: KeyboardEvent,
  blocks: readonly BlockView[],
  { open, togglePin, makeTask }: BlockActions,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const row = rowAt(event.target);
  const block = blockOf(blocks, event.target);
  if (row === undefined || block === undefined) return;
  const next = neighbour(row, event.key);
  if (next !== undefined) {
    next?.focus();
  } else if (event.key === 'Enter' && event.target === row) {
    open(block);
  } else if (event.key === 'p' || event.key === 'P') {
    togglePin(block);
  } else if (event.key === 't' || event.key === 'T') {
    makeTask(block);
  } else {
    return;
  }
  event.preventDefault();
}

/** The row a key leads to: null at either end, undefined for a key that leads nowhere. */
function neighbour(row: HTMLElement, key: string): HTMLElement | null | undefined {
  const to = (element: Element | null | undefined): HTMLElement | null =>
    element instanceof HTMLElement ? element : null;
  switch (key) {
    case 'ArrowDown':
      return to(row.nextElementSibling);
    case 'ArrowUp':
      return to(row.previousElementSibling);
    case 'Home':
      return to(row.parentElement?.firstElementChild);
    case 'End':
      return to(row.parentElement?.lastElementChild);
    default:
      return undefined;
  }
}
