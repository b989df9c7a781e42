/** Moves the focus through a menu's items as menus do; Escape and Tab close it. */
export function menuKeys(
  event: KeyboardEvent & { currentTarget: Element },
  close: () => void,
): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  const at = items.findIndex((item) => item === document.activeElement);
  const { key } = event;
  if (key === 'Escape' || key === 'Tab') {
    close();
    if (key === 'Tab') return;
  } else {
    const to = destination(key, at, items);
    if (to === undefined) return;
    to.focus();
  }
  event.preventDefault();
  event.stopPropagation();
}

function destination(
  key: string,
  at: number,
  items: readonly HTMLElement[],
): HTMLElement | undefined {
  const { length } = items;
  if (key === 'ArrowDown') return items[(at + 1) % length];
  if (key === 'ArrowUp') return items[(at - 1 + length) % length];
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const letter = key.toLowerCase();
  const begins = (item: HTMLElement): boolean =>
    (item.textContent ?? '').replace('✓', '').trim().toLowerCase().startsWith(letter);
  return [...items.slice(at + 1), ...items.slice(0, at + 1)].find(begins);
}
