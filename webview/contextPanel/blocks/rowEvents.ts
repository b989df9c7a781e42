import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { BlockView } from '../../../src/editor/contextPanel/state';
import type { ActionName } from './blockActions';
import type { MenuPlace } from './blockMenu';
import { type ListRow, turnKey } from './listRows';

export interface RowActions {
  readonly select: (block: BlockView) => void;
  readonly open: (block: BlockView) => void;
  readonly run: (block: BlockView, action: ActionName) => void;
  /** Runs the action of a letter; false if it has none. */
  readonly act: (block: BlockView, key: string) => boolean;
  readonly fold: (turn: number, collapsed: boolean) => void;
  /** Folds or unfolds the blocks of a summary. */
  readonly foldSummary: (block: BlockView, isFolded: boolean) => void;
  readonly openMenu: (block: BlockView, at: MenuPlace) => void;
  readonly showKeys: () => void;
}

/** Handlers of the list for the events of all its rows. */
interface RowEvents {
  readonly onClick: (event: MouseEvent) => void;
  readonly onDblClick: (event: MouseEvent) => void;
  readonly onContextMenu: (event: MouseEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Reads clicks and keys as actions; `go` moves the focus to the row at an index. */
export function rowEvents(
  rows: readonly ListRow[],
  page: number,
  go: (index: number) => void,
  actions: RowActions,
): RowEvents {
  const rowAt = (target: EventTarget | null): ListRow | undefined => {
    const key = rowKeyAt(target);
    return rows.find((row) => row.key === key);
  };
  const enter = (row: ListRow): void => {
    if (row.type === 'turn') actions.fold(row.turn, !row.collapsed);
    else actions.select(row.block);
  };
  const fold = (row: ListRow): void => {
    if (row.type === 'turn') actions.fold(row.turn, true);
    else if (row.folds?.isFolded === false) actions.foldSummary(row.block, true);
    else {
      const above = row.beneath ?? turnKey(row.block.turn);
      go(rows.findIndex(({ key }) => key === above));
    }
  };
  /** Says whether the key did something. */
  const press = (key: string, row: ListRow, isInButton: boolean): boolean => {
    const action = keyAction(key, { at: rows.indexOf(row), count: rows.length, page });
    switch (action?.type) {
      case undefined:
        return false;
      case 'go':
        go(action.to);
        return true;
      case 'enter':
        // On a button, the key belongs to the button.
        if (!isInButton) enter(row);
        return !isInButton;
      case 'fold':
        fold(row);
        return true;
      case 'unfold':
        if (row.type === 'turn') actions.fold(row.turn, false);
        else if (row.folds !== undefined) actions.foldSummary(row.block, false);
        return true;
      case 'act':
        return row.type === 'block' && actions.act(row.block, action.key);
      case 'showKeys':
        actions.showKeys();
        return true;
    }
  };
  return {
    onClick: (event) => {
      const row = rowAt(event.target);
      const button = buttonAt(event.target);
      if (row === undefined) return;
      const action = button?.dataset['action'];
      if (row.type === 'turn' || button === null) enter(row);
      else if (button.classList.contains('unfold')) {
        actions.foldSummary(row.block, row.folds?.isFolded === false);
      } else if (action !== undefined) actions.run(row.block, action as ActionName);
      else actions.openMenu(row.block, button.getBoundingClientRect());
    },
    onDblClick: (event) => {
      const row = rowAt(event.target);
      if (row?.type === 'block' && buttonAt(event.target) === null) actions.open(row.block);
    },
    onContextMenu: (event) => {
      const row = rowAt(event.target);
      if (row?.type !== 'block') return;
      event.preventDefault();
      const { clientX: right, clientY: y } = event;
      actions.openMenu(row.block, { right, top: y, bottom: y });
    },
    onKeyDown: (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const row = rowAt(event.target);
      if (row === undefined) return;
      if (press(event.key, row, buttonAt(event.target) !== null)) event.preventDefault();
    },
  };
}

function buttonAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest('button') : null;
}

/** What a key does in the list. */
type KeyAction =
  | { readonly type: 'go'; readonly to: number }
  /** On a block it shows the details, on a turn it folds. */
  | { readonly type: 'enter' }
  | { readonly type: 'fold' | 'unfold' }
  | { readonly type: 'act'; readonly key: string }
  | { readonly type: 'showKeys' };

interface ListPlace {
  readonly at: number;
  readonly count: number;
  /** The number of visible rows. */
  readonly page: number;
}

/** Reads what a key means on the row at an index; undefined for a key without a meaning there. */
export function keyAction(key: string, place: ListPlace): KeyAction | undefined {
  const to = destination(key, place);
  if (to !== undefined) return { type: 'go', to: Math.max(0, Math.min(place.count - 1, to)) };
  if (key === 'Enter') return { type: 'enter' };
  if (key === 'ArrowLeft') return { type: 'fold' };
  if (key === 'ArrowRight') return { type: 'unfold' };
  if (key === '?') return { type: 'showKeys' };
  return /^[a-z]$/i.test(key) ? { type: 'act', key: key.toUpperCase() } : undefined;
}

function destination(key: string, { at, count, page }: ListPlace): number | undefined {
  if (key === 'ArrowDown') return at + 1;
  if (key === 'ArrowUp') return at - 1;
  if (key === 'PageDown') return at + page;
  if (key === 'PageUp') return at - page;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

/** Which row the keyboard is on. */
export interface RowFocus {
  /** Its index; undefined until a row has had the focus. */
  readonly at: number | undefined;
  /** Moves the focus to a row, once it is drawn. */
  readonly go: (key: string) => void;
  /** Notes that a row, or something in it, has been focused. */
  readonly focused: (key: string) => void;
  /** Focuses the row that had the focus last. */
  readonly giveBack: () => void;
}

/**
 * Keeps the focus on its row. Scrolling removes and adds rows, and a filter removes them for good:
 * then the row in their place gets the focus.
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
  // The next drawing may move the focused element, or remove it from the page.
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
