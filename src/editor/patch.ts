import { chunksOf } from '../contextWindow/persistentList';
import { ListBuilder } from './chunks';
import { isObject } from '../contextWindow/json';

/** A diff of two objects: fields set, patched or removed. */
export interface FieldPatch<T> {
  readonly set?: Partial<T>;
  readonly inside?: { readonly [K in keyof T]?: FieldPatch<object> };
  readonly gone?: readonly (keyof T)[];
}

/**
 * A diff of two lists, as the pieces of the new one in order: a stretch of the old list up to an
 * exclusive index, new items, or the item at an index with changed fields.
 */
export type ListPatch<T> = readonly (
  | { readonly keep: readonly [from: number, to: number] }
  | { readonly put: readonly T[] }
  | ({ readonly alter: number } & FieldPatch<T>)
)[];

/** Diffs two values as they would be posted; equal values have an empty patch. */
export function fieldPatch<T extends object>(before: T, after: T): FieldPatch<T> {
  const set: Partial<T> = {};
  const inside: { [K in keyof T]?: FieldPatch<object> } = {};
  const gone: (keyof T)[] = [];
  for (const key of keysOf(after)) {
    const [one, other] = [before[key], after[key]];
    if (other === undefined || isSame(one, other)) continue;
    if (isObject(one) && isObject(other)) inside[key] = fieldPatch<object>(one, other);
    else set[key] = other;
  }
  for (const key of keysOf(before)) {
    if (before[key] !== undefined && after[key] === undefined) gone.push(key);
  }
  return {
    ...(keysOf(set).length === 0 ? {} : { set }),
    ...(keysOf(inside).length === 0 ? {} : { inside }),
    ...(gone.length === 0 ? {} : { gone }),
  };
}

/** Applies a patch to `before`. */
export function patchFields<T extends object>(
  before: T,
  { set, inside = {}, gone = [] }: FieldPatch<T>,
): T {
  const after = { ...before, ...set };
  for (const key of keysOf(inside)) {
    const [former, patch] = [before[key], inside[key]];
    if (isObject(former) && patch !== undefined)
      after[key] = patchFields<object>(former, patch) as T[keyof T];
  }
  for (const key of gone) delete after[key];
  return after;
}

/** Diffs two lists; `keyOf` identifies items across them. */
export function listPatch<T extends object>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => unknown,
): ListPatch<T> {
  // Most lists change at one end: identical objects need no comparison.
  const shared = new SharedChunks(before, after);
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  for (let run = shared.at(0, 0); run > 0; run = shared.at(same, same)) same += run;
  while (same < shorter && after[same] === before[same]) same += 1;
  let [end, endAfter] = [before.length, after.length];
  while (end > same && endAfter > same && after[endAfter - 1] === before[end - 1]) {
    end -= 1;
    endAfter -= 1;
  }
  const parts = new Parts<T>();
  parts.keep(0, same);
  // Most lists keep their order, so search after the last match: an item that moved forward counts
  // as new.
  let next = same;
  let ahead: ReadonlyMap<unknown, number> | undefined;
  for (let at = same; at < endAfter; at += 1) {
    const run = shared.at(next, at);
    if (run > 0 && next + run <= end) {
      parts.keep(next, next + run);
      next += run;
      at += run - 1;
      continue;
    }
    const item = after[at] as T;
    if (next < end && item === before[next]) {
      parts.keep(next, ++next);
      continue;
    }
    const key = keyOf(item);
    const isNext = next < end && keyOf(before[next] as T) === key;
    if (!isNext) ahead ??= shared.indexByKey(keyOf, next, end);
    const index = isNext ? next : ahead?.get(key);
    const former = index === undefined ? undefined : before[index];
    if (index === undefined || former === undefined || index < next) {
      parts.put(item);
      continue;
    }
    next = index + 1;
    if (isSame(former, item)) parts.keep(index, next);
    else parts.alter(index, fieldPatch(former, item));
  }
  parts.keep(end, before.length);
  return parts.all;
}

/** The chunks that two lists share: a shared chunk is the same object in both. */
class SharedChunks<T> {
  readonly #before: ReadonlyMap<number, readonly T[]>;
  readonly #after: ReadonlyMap<number, readonly T[]>;

  constructor(before: readonly T[], after: readonly T[]) {
    this.#before = chunksByStart(before);
    this.#after = chunksByStart(after);
  }

  /**
   * The number of items in the chunk that starts at these indices of the two lists; 0 if none does.
   */
  at(before: number, after: number): number {
    const chunk = this.#after.get(after);
    return chunk !== undefined && chunk === this.#before.get(before) ? chunk.length : 0;
  }

  /** The indices of old items in a stretch by their keys, without those in a shared chunk. */
  indexByKey(keyOf: (item: T) => unknown, from: number, to: number): ReadonlyMap<unknown, number> {
    const kept = new Set(this.#after.values());
    const indexOf = new Map<unknown, number>();
    for (const [start, chunk] of this.#before) {
      if (kept.has(chunk)) continue;
      const end = Math.min(chunk.length, to - start);
      for (let offset = Math.max(0, from - start); offset < end; offset += 1) {
        indexOf.set(keyOf(chunk[offset] as T), start + offset);
      }
    }
    return indexOf;
  }
}

function chunksByStart<T>(items: readonly T[]): ReadonlyMap<number, readonly T[]> {
  const chunks = new Map<number, readonly T[]>();
  let start = 0;
  for (const chunk of chunksOf(items)) {
    chunks.set(start, chunk);
    start += chunk.length;
  }
  return chunks;
}

/** Applies a patch to the list `before`. */
export function patchList<T extends object>(
  before: readonly T[],
  patch: ListPatch<T>,
): readonly T[] {
  const after = new ListBuilder(before);
  for (const part of patch) {
    if ('keep' in part) after.keep(...part.keep);
    else if ('put' in part) after.put(part.put);
    else {
      const former = before[part.alter];
      if (former !== undefined) after.put([patchFields(former, part)]);
    }
  }
  return after.list;
}

/** Collects the pieces of a list's patch and merges neighbours. */
class Parts<T> {
  readonly all: (
    { keep: [from: number, to: number] } | { put: T[] } | ({ alter: number } & FieldPatch<T>)
  )[] = [];

  keep(from: number, to: number): void {
    if (from === to) return;
    const last = this.all.at(-1);
    if (last !== undefined && 'keep' in last && last.keep[1] === from) last.keep[1] = to;
    else this.all.push({ keep: [from, to] });
  }

  put(item: T): void {
    const last = this.all.at(-1);
    if (last !== undefined && 'put' in last) last.put.push(item);
    else this.all.push({ put: [item] });
  }

  alter(index: number, patch: FieldPatch<T>): void {
    this.all.push({ alter: index, ...patch });
  }
}

/** Whether two values are equal once posted. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const keys = keysOf(one);
  return keys.length === keysOf(other).length && keys.every((key) => isSame(one[key], other[key]));
}

function keysOf<T extends object>(value: T): readonly (keyof T)[] {
  return Object.keys(value) as (keyof T)[];
}
