import {
  defaultRangeExtractor,
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useReducer, useState } from 'preact/hooks';

/**
 * Assumed height of a list without layout, CSS pixels: before it is in the page, while it is
 * hidden, and in tests without a `clientHeight`.
 */
const UNKNOWN_HEIGHT = 800;

/** Rows drawn above and below the visible ones. */
const BEYOND_SIGHT = 8;

interface VirtualRowsOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** Key of a row; a new function means that the rows or their heights have changed. */
  readonly keyOf: (index: number) => string;
  /** Height of a row in CSS pixels: actual, or assumed until it is measured. */
  readonly heightOf: (index: number) => number;
  /** A row that is always drawn, so that it can keep the focus while out of sight. */
  readonly kept: number | undefined;
  /** Shows the last row first. */
  readonly fromEnd?: boolean;
}

/** Where to draw a row: CSS pixels from the top of the list. */
export interface VirtualRow {
  readonly index: number;
  readonly key: string;
  readonly start: number;
  readonly size: number;
}

interface VirtualRows {
  /** The rows to draw, ascending. */
  readonly rows: readonly VirtualRow[];
  /** Height of all rows together, CSS pixels. */
  readonly height: number;
  /** The first visible row; 0 in an empty list. */
  readonly first: number;
  /** Number of visible rows, at least 1. */
  readonly page: number;
  /** Scrolls to a row; `center` puts it in the middle. */
  readonly reveal: (index: number, align?: 'auto' | 'center') => void;
  /** The `ref` of rows of unknown height, which are measured; `data-index` names the row. */
  readonly measure: (row: HTMLElement | null) => void;
}

/** Draws only the visible rows of a long list, and a few around them. */
export function useVirtualRows(options: VirtualRowsOptions): VirtualRows {
  const { scroller, count, keyOf, heightOf, kept, fromEnd = false } = options;
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const rangeExtractor = useCallback(
    (range: Parameters<typeof defaultRangeExtractor>[0]) =>
      withKept(defaultRangeExtractor(range), kept),
    [kept],
  );
  const settings: VirtualizerOptions<HTMLElement, HTMLElement> = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: heightOf,
    getItemKey: keyOf,
    rangeExtractor,
    overscan: BEYOND_SIGHT,
    initialOffset: () => (fromEnd ? sumOf(count, heightOf) : 0),
    initialRect: { width: 0, height: UNKNOWN_HEIGHT },
    scrollToFn: elementScroll,
    observeElementOffset,
    // A row without layout has no height of its own.
    measureElement: (row, entry, instance) =>
      measureElement(row, entry, instance) || heightOf(instance.indexFromElement(row)),
    observeElementRect: (instance, report) =>
      observeElementRect(instance, ({ width, height }) =>
        report({ width, height: height === 0 ? UNKNOWN_HEIGHT : height }),
      ),
    onChange: () => redraw(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer(settings));
  virtualizer.setOptions(settings);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());

  const items = virtualizer.getVirtualItems();
  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  return {
    rows: items.map(({ index, key, start, size }) => ({ index, key: String(key), start, size })),
    height: virtualizer.getTotalSize(),
    first: startIndex,
    page: Math.max(1, endIndex - startIndex),
    reveal: (index, align = 'auto') => virtualizer.scrollToIndex(index, { align }),
    measure: virtualizer.measureElement,
  };
}

function withKept(indexes: number[], kept: number | undefined): number[] {
  if (kept === undefined || indexes.length === 0 || indexes.includes(kept)) return indexes;
  return [...indexes, kept].toSorted((a, b) => a - b);
}

function sumOf(count: number, heightOf: (index: number) => number): number {
  let sum = 0;
  for (let index = 0; index < count; index += 1) sum += heightOf(index);
  return sum;
}
