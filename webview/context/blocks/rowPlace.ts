import type { VirtualRow } from '../../ui/useVirtualRows';

/** What puts a row where it belongs, for the eye and for screen readers. */
export interface RowPlace {
  readonly style: { readonly height: string; readonly transform: string };
  readonly 'aria-rowindex': number;
  readonly 'data-row': string;
}

/** Puts a row where it belongs among rows that are mostly not in the page. */
export function rowPlace({ index, key, start, size }: VirtualRow): RowPlace {
  return {
    style: { height: `${size}px`, transform: `translateY(${start}px)` },
    'aria-rowindex': index + 1,
    'data-row': key,
  };
}
