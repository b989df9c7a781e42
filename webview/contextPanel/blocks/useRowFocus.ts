import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ListRow } from './listRows';

/** Which row the keyboard is on. */
export interface RowFocus {
  /** Its index; undefined until the keyboard has been on a row. */
  readonly at: number | undefined;
  /** Puts the keyboard on a row; it is focused once it is drawn. */
  readonly go: (key: string) => void;
  /** Notes that a row, or something in it, has been focused. */
  readonly focused: (key: string) => void;
  /** Focuses the row the keyboard was on. */
  readonly giveBack: () => void;
}

/**
 * Keeps the focus on its row. Rows come and go as the list scrolls, move as others come and go, and
 * leave for good when the filter no longer lets them through: then the row in their place gets the
 * focus.
 */
export function useRowFocus(
  section: RefObject<HTMLElement | null>,
  rows: readonly ListRow[],
): RowFocus {
  const [key, setKey] = useState<string | undefined>(undefined);
  const wanted = useRef<string | undefined>(undefined);
  const lastAt = useRef(0);
  const found = useMemo(
    () => (key === undefined ? -1 : rows.findIndex((row) => row.key === key)),
    [rows, key],
  );
  if (found >= 0) lastAt.current = found;
  const at = key === undefined ? undefined : Math.min(lastAt.current, rows.length - 1);

  const giveBack = (): void => {
    const row = at === undefined ? undefined : rows[at];
    if (row !== undefined) rowElement(section, row.key)?.focus({ preventScroll: true });
  };
  // What is drawn next may move the focused element, or take it out of the page.
  const active = document.activeElement;
  const had = active !== null && section.current?.contains(active) === true ? active : undefined;
  useLayoutEffect(() => {
    const { current: target } = wanted;
    wanted.current = undefined;
    if (target !== undefined) rowElement(section, target)?.focus({ preventScroll: true });
    else if (had !== undefined && document.activeElement === document.body) {
      if (had.isConnected && had instanceof HTMLElement) had.focus({ preventScroll: true });
      else giveBack();
    }
  });
  return {
    at,
    go: (target) => {
      wanted.current = target;
      setKey(target);
      const drawn = rowElement(section, target);
      if (drawn === undefined) return;
      wanted.current = undefined;
      drawn.focus({ preventScroll: true });
    },
    focused: (focused) => {
      lastAt.current = Math.max(
        0,
        rows.findIndex((row) => row.key === focused),
      );
      setKey(focused);
    },
    giveBack,
  };
}

/** Finds the row an event came from. */
export function rowKeyAt(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest<HTMLElement>('[data-row]')?.dataset['row'];
}

function rowElement(section: RefObject<HTMLElement | null>, key: string): HTMLElement | undefined {
  const rows = section.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [];
  return [...rows].find((row) => row.dataset['row'] === key);
}
