import type { VNode, RefObject } from 'preact';
import { useCallback, useLayoutEffect, useMemo, useRef, useEffect, useState } from 'preact/hooks';
import { byStretch } from '../../../src/editor/chunks';
import type { MoveView } from '../../../src/editor/contextPanel/blocks/state';
import type { BlockView, ContextView } from '../../../src/editor/contextPanel/state';
import { useVirtualRows, type VirtualRow } from '../../kit/useVirtualRows';
import { verbOf } from './blockActions';
import { BlockRow, TurnRow } from './blockRow';
import { blockKey, type ListRow } from './listRows';
import type { Look } from '../store/keptState';
import type { SendWish } from '../store/panelStore';
import { type RowActions, rowEvents, type RowFocus, rowKeyAt } from './rowEvents';

interface BlockGridProps {
  readonly rows: readonly ListRow[];
  readonly context: ContextView;
  readonly look: Look;
  readonly focus: RowFocus;
  readonly actions: RowActions;
  /** Called with the scroll position once scrolling stops, in CSS pixels. */
  readonly onScrolled: (top: number) => void;
  /** The block with an open menu: the rows must not move under it. */
  readonly menuOf: string | undefined;
  readonly wish: SendWish;
}

/** Draws the visible rows, and handles the clicks and keys of all of them. */
export function BlockGrid(props: BlockGridProps): VNode {
  const { rows, context, look, focus, actions, onScrolled, menuOf } = props;
  const still = menuOf !== undefined;
  const { travel, whyReadOnly, neededAgain, moves } = context;
  const list = useRef<HTMLDivElement>(null);
  const { heights, layout } = useRowHeights(list);
  const keyOf = useCallback((index: number) => rows[index]?.key ?? `${index}`, [rows, heights]);
  const heightOf = (index: number): number =>
    rows[index]?.type === 'turn' ? heights.turn : heights.block;
  const count = rows.length;
  const virtual = useVirtualRows({ scroller: list, count, keyOf, heightOf, kept: focus.at });
  useFollowEnd(list, virtual.height, !still && travel.at === 'now' && look.sort === 'order');
  useRevealed(rows, look, virtual.reveal);
  useKeptScroll(list, look.listTop, onScrolled);
  useWatched(
    props.wish,
    virtual.rows.flatMap(({ index }) => movedBy(rows[index], [look.blockId, menuOf])),
    context.session,
  );

  const go = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    virtual.reveal(index);
    focus.go(row.key);
  };
  const askedAt = useMemo(
    () => new Map(neededAgain.map(({ blockId, step }) => [blockId, step])),
    [neededAgain],
  );
  const isTree = look.byTurn || foldsIn(rows).includes(true);
  const stop = focus.at ?? virtual.first;
  const draw = (row: ListRow, place: VirtualRow): VNode =>
    row.type === 'turn' ? (
      <TurnRow key={row.key} sum={row} place={place} current={place.index === stop} />
    ) : (
      <BlockRow
        key={row.key}
        block={row.block}
        place={place}
        current={place.index === stop}
        selected={row.block.id === look.blockId}
        level={levelOf(row, look.byTurn)}
        foldCount={row.folds?.count ?? 0}
        isFolded={row.folds?.isFolded ?? false}
        toldIn={row.toldIn}
        isReadOnly={whyReadOnly !== undefined}
        move={moveOf(row.block, moves)}
        askedAt={look.chip === 'again' ? askedAt.get(row.block.id) : undefined}
      />
    );
  return (
    <div
      ref={list}
      class="list"
      role={isTree ? 'treegrid' : 'grid'}
      data-layout={layout}
      data-chip={look.chip}
      aria-label="Blocks; Enter shows details, ? lists the keys"
      aria-rowcount={count}
      data-blocks={blocksIn(rows)}
      onFocusIn={(event) => {
        const key = rowKeyAt(event.target);
        if (key !== undefined) focus.focused(key);
      }}
      {...rowEvents(rows, virtual.page, go, actions)}
    >
      <div class="rows" role="presentation" style={{ height: `${virtual.height}px` }}>
        {virtual.rows.map((place) => {
          const row = rows[place.index];
          return row === undefined ? null : draw(row, place);
        })}
      </div>
    </div>
  );
}

/** The number of blocks that the rows stand for, folded ones included. */
function blocksIn(rows: readonly ListRow[]): number {
  return countsIn(rows).reduce((sum, count) => sum + count, 0);
}

const countsIn = byStretch((rows: readonly ListRow[]) =>
  rows.reduce(
    (sum, row) =>
      row.type === 'turn' ? sum : sum + 1 + (row.folds?.isFolded === true ? row.folds.count : 0),
    0,
  ),
);

const foldsIn = byStretch((rows: readonly ListRow[]) =>
  rows.some((row) => row.type === 'block' && row.folds !== undefined),
);

/** What the button of a row does to the window. */
function moveOf(block: BlockView, moves: ContextView['moves']): MoveView | undefined {
  const verb = verbOf(block);
  return verb === undefined || verb === 'open' ? undefined : moves[block.id]?.[verb];
}

/** The block of a row whose buttons show numbers: it can be restored, or is one of `chosen`. */
function movedBy(
  row: ListRow | undefined,
  chosen: readonly (string | undefined)[],
): readonly string[] {
  if (row?.type !== 'block') return [];
  const { id, canComeBack, kind, pinned } = row.block;
  // Of all pins only the task's changes the request.
  return canComeBack || (kind === 'anchor' && pinned) || chosen.includes(id) ? [id] : [];
}

/** Names the blocks in sight whose buttons show how far they move the window. */
function useWatched(wish: SendWish, blocks: readonly string[], session: string): void {
  const watched = blocks.join();
  useEffect(() => {
    wish({ type: 'watchBlocks', blocks });
  }, [watched, session]);
}

/** The level of a block in the tree; undefined in a plain list. */
function levelOf(
  { beneath, folds }: Extract<ListRow, { readonly type: 'block' }>,
  byTurn: boolean,
): number | undefined {
  if (byTurn || beneath !== undefined) return 2;
  return folds === undefined ? undefined : 1;
}

/**
 * Scrolls the chosen block into view when the list is first drawn or filtered; without one, the
 * newest if the list is in order, otherwise the beginning.
 */
function useRevealed(
  rows: readonly ListRow[],
  { query, chip, sort, byTurn, blockId }: Look,
  reveal: (index: number, align: 'center') => void,
): void {
  const sortedBy = useRef(sort);
  useLayoutEffect(() => {
    const isResorted = sortedBy.current !== sort;
    sortedBy.current = sort;
    const chosen = blockId === undefined ? undefined : blockKey(blockId);
    const at = isResorted ? -1 : rows.findIndex(({ key }) => key === chosen);
    const isInOrder = sort === 'order' && query === '';
    reveal(at >= 0 ? at : isInOrder ? Math.max(0, rows.length - 1) : 0, 'center');
  }, [query, chip, sort, byTurn]);
}

/** How near to the end still counts as at the end; CSS pixels. */
const NEAR = 8;

/**
 * Keeps the end of a list in view while it grows or its room changes, unless the user has scrolled away
 * from it. `grows` is false where the last row is not the newest, and while nothing may move.
 */
function useFollowEnd(list: RefObject<HTMLElement | null>, height: number, grows: boolean): void {
  const follows = useRef(true);
  /**
   * Heights of the list and of its rows at its last position: a scroll event at others comes from a new
   * layout, and is not the user's.
   */
  const layout = useRef({ room: 0, rows: 0 });
  const mayMove = useRef(grows);
  mayMove.current = grows;
  const settle = useCallback((): void => {
    const { current: element } = list;
    if (element === null) return;
    if (mayMove.current && follows.current) element.scrollTop = element.scrollHeight;
    layout.current = { room: element.clientHeight, rows: element.scrollHeight };
  }, []);
  useEffect(() => {
    const { current: element } = list;
    if (element === null) return undefined;
    const listen = (): void => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const { room, rows } = layout.current;
      if (clientHeight !== room || scrollHeight !== rows) return settle();
      // If everything fits, the position says nothing about where the user wants to be.
      if (scrollHeight <= clientHeight) return undefined;
      follows.current = scrollHeight - clientHeight - scrollTop <= NEAR;
      return undefined;
    };
    element.addEventListener('scroll', listen, { passive: true });
    const sizes = new ResizeObserver(settle);
    sizes.observe(element);
    return () => {
      element.removeEventListener('scroll', listen);
      sizes.disconnect();
    };
  }, []);
  useLayoutEffect(settle, [height, grows]);
}

/**
 * Scrolls a list to its last position, and reports where it stops. Runs after everything else that
 * moves the list when it is first drawn.
 */
function useKeptScroll(
  list: RefObject<HTMLElement | null>,
  top: number | undefined,
  onRest: (top: number) => void,
): void {
  const told = useRef(onRest);
  told.current = onRest;
  useLayoutEffect(() => {
    if (list.current !== null && top !== undefined) list.current.scrollTop = top;
  }, []);
  useEffect(() => {
    const { current: element } = list;
    if (element === null) return undefined;
    const listen = (): void => told.current(Math.round(element.scrollTop));
    element.addEventListener('scrollend', listen);
    return () => element.removeEventListener('scrollend', listen);
  }, []);
}

/** Heights of the rows, CSS pixels. */
interface RowHeights {
  readonly block: number;
  readonly turn: number;
}

/**
 * How the rows are laid out: on one line or on two; in a narrow list the reason has all of the second.
 */
type RowLayout = 'line' | 'lines' | 'narrow';

/** Widths under which name and reason do not fit on one line, and below each other; CSS pixels. */
const ROOM = { line: 580, lines: 420 };

/** Heights of the rows in lines of the font size. */
const LINES: Readonly<Record<RowLayout, number>> = { line: 1.9, lines: 3.4, narrow: 3.4 };

/** Works out the heights of the rows from the font size, so that none has to be measured. */
export function rowHeights(fontSize: number, layout: RowLayout): RowHeights {
  return {
    block: Math.round(fontSize * LINES[layout]),
    turn: Math.round(fontSize * (layout === 'line' ? 1.9 : 2.2)),
  };
}

/** How rows are laid out in a list of this width, CSS pixels. */
export function layoutFor(width: number): RowLayout {
  if (width < ROOM.lines) return 'narrow';
  return width < ROOM.line ? 'lines' : 'line';
}

/** VS Code's default font size; CSS pixels. */
const USUAL_FONT_SIZE = 13;

/** Known before anything is drawn, so that the list can open at its end. */
function pageFontSize(): number {
  const size = parseFloat(getComputedStyle(document.body).fontSize);
  return size > 0 ? size : USUAL_FONT_SIZE;
}

/** Works out the layout and the row heights of a list. */
function useRowHeights(list: RefObject<HTMLElement | null>): {
  readonly heights: RowHeights;
  readonly layout: RowLayout;
} {
  const [fontSize] = useState(pageFontSize);
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const look = (): void => {
      if (element.clientWidth > 0) setWidth(element.clientWidth);
    };
    look();
    const watch = new ResizeObserver(look);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const layout = layoutFor(width);
  return { layout, heights: useMemo(() => rowHeights(fontSize, layout), [fontSize, layout]) };
}
