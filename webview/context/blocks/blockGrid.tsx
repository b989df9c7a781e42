import type { VNode } from 'preact';
import { useCallback, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { ContextView } from '../../../src/protocol/contextPanel';
import { useVirtualRows, type VirtualRow } from '../../ui/useVirtualRows';
import { BlockRow } from './blockRow';
import { blockKey, type ListRow } from './listRows';
import type { Look } from '../look';
import { rowEvents, type RowDeeds } from './rowEvents';
import { TurnRow } from './turnRow';
import { useFollowEnd } from './useFollowEnd';
import { useKeptScroll } from './useKeptScroll';
import { rowKeyAt, type RowFocus } from './useRowFocus';
import { useRowHeights } from './useRowHeights';

export interface BlockGridProps {
  readonly rows: readonly ListRow[];
  readonly context: ContextView;
  readonly look: Look;
  readonly focus: RowFocus;
  readonly deeds: RowDeeds;
  /** Told how far the list is scrolled once it rests, CSS pixels. */
  readonly onScrolled: (top: number) => void;
  /** True while a menu belongs to a row: the rows must not move under it. */
  readonly still: boolean;
}

/** Draws the rows that are in sight, and hears the clicks and keys of all. */
export function BlockGrid(props: BlockGridProps): VNode {
  const { rows, context, look, focus, deeds, onScrolled, still } = props;
  const { blocks, travel, whyReadOnly } = context;
  const list = useRef<HTMLDivElement>(null);
  const heights = useRowHeights(list);
  const keyOf = useCallback((index: number) => rows[index]?.key ?? `${index}`, [rows, heights]);
  const heightOf = (index: number): number =>
    rows[index]?.type === 'turn' ? heights.turn : heights.block;
  const count = rows.length;
  const virtual = useVirtualRows({ scroller: list, count, keyOf, heightOf, kept: focus.at });
  useFollowEnd(list, count, !still && travel.at === 'now' && look.sort === 'order');
  useRevealed(rows, look, virtual.reveal);
  useKeptScroll(list, look.listTop, onScrolled);

  const heaviest = useMemo(
    () => blocks.reduce((most, { tokens }) => Math.max(most, tokens.tokens), 0),
    [blocks],
  );
  const go = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    virtual.reveal(index);
    focus.go(row.key);
  };
  const stop = focus.at ?? virtual.first;
  const draw = (row: ListRow, place: VirtualRow): VNode =>
    row.type === 'turn' ? (
      <TurnRow key={row.key} sum={row} place={place} current={place.index === stop} />
    ) : (
      <BlockRow
        key={row.key}
        block={row.block}
        place={place}
        heaviest={heaviest}
        current={place.index === stop}
        selected={row.block.id === look.blockId}
        nested={look.byTurn}
        whyNotRestored={whyReadOnly}
      />
    );
  return (
    <div
      ref={list}
      class="list"
      role={look.byTurn ? 'treegrid' : 'grid'}
      aria-label="Blocks; Enter shows details, ? lists the keys"
      aria-rowcount={count}
      onFocusIn={(event) => {
        const key = rowKeyAt(event.target);
        if (key !== undefined) focus.focused(key);
      }}
      {...rowEvents(rows, virtual.page, go, deeds)}
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

/** Brings the chosen block into sight when the list is first drawn or filtered; else its beginning. */
function useRevealed(
  rows: readonly ListRow[],
  { query, states, sort, byTurn, blockId }: Look,
  reveal: (index: number, align: 'center') => void,
): void {
  const sortedBy = useRef(sort);
  useLayoutEffect(() => {
    const isResorted = sortedBy.current !== sort;
    sortedBy.current = sort;
    const chosen = blockId === undefined ? undefined : blockKey(blockId);
    const at = isResorted ? -1 : rows.findIndex(({ key }) => key === chosen);
    reveal(Math.max(0, at), 'center');
  }, [query, states, sort, byTurn]);
}
