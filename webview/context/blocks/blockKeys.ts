/** What a key in the list leads to. */
export type KeyDeed =
  | { readonly type: 'go'; readonly to: number }
  /** On a block its details, on a turn folding. */
  | { readonly type: 'enter' }
  | { readonly type: 'fold' | 'unfold' }
  | { readonly type: 'act'; readonly key: string }
  | { readonly type: 'showKeys' };

export interface ListPlace {
  readonly at: number;
  readonly count: number;
  /** Rows that fit into sight at once. */
  readonly page: number;
}

/** Reads what a key means on the row at a place; undefined for one that means nothing there. */
export function keyDeed(key: string, place: ListPlace): KeyDeed | undefined {
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
