import { chunksOf } from '../contextWindow/persistentList';
import { ListBuilder } from './chunks';
import { isObject } from '../contextWindow/json';

/** How an object became another: fields that are other now, or other inside, and those that are gone. */
export interface FieldPatch<T> {
  readonly set?: Partial<T>;
  readonly inside?: { readonly [K in keyof T]?: FieldPatch<object> };
  readonly gone?: readonly (keyof T)[];
}

/**
 * How a list became another, part by part in its new order: a stretch of the former list up to an
 * index not included, new items, or the item at an index with other fields.
 */
export type ListPatch<T> = readonly (
  | { readonly keep: readonly [from: number, to: number] }
  | { readonly put: readonly T[] }
  | ({ readonly alter: number } & FieldPatch<T>)
)[];

/** Compares two values as they would be posted; there is nothing in the patch of two that are alike. */
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

/** Makes of `before` what it was compared with. */
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

/** Compares two lists; `keyOf` says which item of the former list became which. */
export function listPatch<T extends object>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (item: T) => unknown,
): ListPatch<T> {
  // Most lists change at one end: what is the very same object need not be looked into.
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
  // Most lists keep their order, so an item is looked for behind the one found last: one that moved
  // forward is put anew.
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

/** What two lists have in common by chunk: a chunk that both have is the same in both. */
class SharedChunks<T> {
  readonly #before: ReadonlyMap<number, readonly T[]>;
  readonly #after: ReadonlyMap<number, readonly T[]>;

  constructor(before: readonly T[], after: readonly T[]) {
    this.#before = chunksByStart(before);
    this.#after = chunksByStart(after);
  }

  /** How many items the chunk has that begins at these indices of the two lists; 0 for no such chunk. */
  at(before: number, after: number): number {
    const chunk = this.#after.get(after);
    return chunk !== undefined && chunk === this.#before.get(before) ? chunk.length : 0;
  }

  /** The indices of the former items in a stretch by their keys, but not of those in a shared chunk. */
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

/** Makes of `before` the list it was compared with. */
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

/** The parts of a list's patch, while they are gathered: neighbours are told together. */
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

/** Says whether two values are posted alike. */
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
