/**
 * Most items of a chunk. Appending an item copies a chunk and the list of chunks: for 10,000 items
 * that is about a hundred of each.
 */
const CHUNK = 128;

type Chunk<T> = readonly T[];

/**
 * An immutable list with cheap modified copies, which share every unchanged chunk. Results can
 * therefore be cached by chunk and reused for the next list.
 */
export class PersistentList<T> implements Iterable<T> {
  readonly #chunks: readonly Chunk<T>[];
  readonly #most: number;
  readonly #length: number;
  readonly #known: KnownResults<T>;
  #array: readonly T[] | undefined;

  private constructor(
    chunks: readonly Chunk<T>[],
    most: number,
    length = lengthOf(chunks),
    known: KnownResults<T> = new WeakMap(),
  ) {
    this.#chunks = chunks;
    this.#most = most;
    this.#length = length;
    this.#known = known;
  }

  /** Makes a list with at most `most` items in a chunk, as have the lists made from it. */
  static of<T>(items: readonly T[] = [], most = CHUNK): PersistentList<T> {
    return new PersistentList(cut(items, most), most);
  }

  /** Makes a list of exactly these chunks, none of them empty. */
  static ofChunks<T>(chunks: readonly (readonly T[])[]): PersistentList<T> {
    return new PersistentList(chunks, CHUNK);
  }

  /** Non-empty chunks. A chunk shared with another list is the same object. */
  get chunks(): readonly (readonly T[])[] {
    return this.#chunks;
  }

  get length(): number {
    return this.#length;
  }

  /** What `byChunk` found for this list, or for another one that it was made from or with. */
  get known(): KnownResults<T> {
    return this.#known;
  }

  #made(chunks: readonly Chunk<T>[], length?: number): PersistentList<T> {
    // The empty list is one object in all sessions.
    const known = this.#length === 0 ? undefined : this.#known;
    return new PersistentList(chunks, this.#most, length, known);
  }

  /** The item at an index; a negative index counts from the end. */
  at(index: number): T | undefined {
    const found = this.#find(this.#fromStart(index));
    return found === undefined ? undefined : this.#chunks[found.chunk]?.[found.offset];
  }

  concat(items: readonly T[]): PersistentList<T> {
    if (items.length === 0) return this;
    const last = this.#chunks.at(-1);
    const isFull = last === undefined || last.length + items.length > this.#most;
    const chunks = isFull
      ? [...this.#chunks, ...cut(items, this.#most)]
      : this.#chunks.with(-1, last.concat(items));
    return this.#made(chunks, this.length + items.length);
  }

  /** Replaces the items at some indexes; always returns a new list. */
  withAll(changes: Iterable<readonly [index: number, item: T]>): PersistentList<T> {
    const chunks = [...this.#chunks];
    for (const [index, item] of changes) {
      const found = this.#find(index);
      if (found === undefined) continue;
      const chunk = chunks[found.chunk] as T[];
      if (chunk[found.offset] === item) continue;
      // The first change in a chunk copies it.
      const own = chunk === this.#chunks[found.chunk] ? chunk.slice() : chunk;
      own[found.offset] = item;
      chunks[found.chunk] = own;
    }
    return this.#made(chunks, this.length);
  }

  /** Inserts an item before the one at an index, or at the end. */
  inserted(index: number, item: T): PersistentList<T> {
    const found = this.#find(index);
    if (found === undefined) return this.concat([item]);
    const chunk = (this.#chunks[found.chunk] ?? []).toSpliced(found.offset, 0, item);
    return this.#made(
      this.#chunks.toSpliced(found.chunk, 1, ...cut(chunk, this.#most)),
      this.length + 1,
    );
  }

  /** Replaces every item by `change(item)`, in order; always returns a new list. */
  mapped(change: (item: T) => T): PersistentList<T> {
    const chunks = this.#chunks.map((chunk) => {
      let own: T[] | undefined;
      chunk.forEach((item, offset) => {
        const changed = change(item);
        if (changed !== item) (own ??= chunk.slice())[offset] = changed;
      });
      return own ?? chunk;
    });
    return this.#made(chunks, this.length);
  }

  filtered(is: (item: T) => boolean): PersistentList<T> {
    const chunks = this.#chunks.map((chunk) => (chunk.every(is) ? chunk : chunk.filter(is)));
    return this.#made(chunks.filter(({ length }) => length > 0));
  }

  /** A slice of the list, `to` excluded; a negative index counts from the end. */
  slice(from: number, to = this.length): PersistentList<T> {
    const begin = Math.max(0, this.#fromStart(from));
    const stop = Math.min(this.length, this.#fromStart(to));
    if (begin === 0 && stop === this.length) return this;
    const [first, last] = [this.#find(begin), this.#find(stop - 1)];
    if (begin >= stop || first === undefined || last === undefined) {
      return new PersistentList<T>([], this.#most, 0);
    }
    const chunks = this.#chunks.slice(first.chunk, last.chunk + 1);
    // The end first: both may be in the same chunk.
    const end = chunks.at(-1) ?? [];
    if (last.offset + 1 < end.length) chunks[chunks.length - 1] = end.slice(0, last.offset + 1);
    if (first.offset > 0) chunks[0] = (chunks[0] ?? []).slice(first.offset);
    return new PersistentList(chunks, this.#most, stop - begin);
  }

  forEach(visit: (item: T, index: number) => void): void {
    let index = 0;
    for (const chunk of this.#chunks) for (const item of chunk) visit(item, index++);
  }

  map<R>(change: (item: T, index: number) => R): R[] {
    const all: R[] = [];
    this.forEach((item, index) => all.push(change(item, index)));
    return all;
  }

  flatMap<R>(change: (item: T, index: number) => R | readonly R[]): R[] {
    return this.toArray().flatMap(change);
  }

  filter<S extends T>(is: (item: T) => item is S): S[];
  filter(is: (item: T) => boolean): T[];
  filter(is: (item: T) => boolean): T[] {
    const all: T[] = [];
    for (const chunk of this.#chunks) for (const item of chunk) if (is(item)) all.push(item);
    return all;
  }

  some(is: (item: T) => boolean): boolean {
    return this.findIndex(is) !== -1;
  }

  every(is: (item: T) => boolean): boolean {
    return this.findIndex((item) => !is(item)) === -1;
  }

  find<S extends T>(is: (item: T) => item is S, from?: number): S | undefined;
  find(is: (item: T) => boolean, from?: number): T | undefined;
  find(is: (item: T) => boolean, from?: number): T | undefined {
    const index = this.findIndex(is, from);
    return index === -1 ? undefined : this.at(index);
  }

  findLast<S extends T>(is: (item: T) => item is S): S | undefined;
  findLast(is: (item: T) => boolean): T | undefined;
  findLast(is: (item: T) => boolean): T | undefined {
    const index = this.findLastIndex(is);
    return index === -1 ? undefined : this.at(index);
  }

  /** The index of the first match from an index on; -1 for none. */
  findIndex(is: (item: T) => boolean, from = 0): number {
    let start = 0;
    for (const chunk of this.#chunks) {
      for (let offset = Math.max(0, from - start); offset < chunk.length; offset += 1) {
        if (is(chunk[offset] as T)) return start + offset;
      }
      start += chunk.length;
    }
    return -1;
  }

  /** The index of the last match; -1 for none. */
  findLastIndex(is: (item: T) => boolean): number {
    let start = this.length;
    for (let at = this.#chunks.length - 1; at >= 0; at -= 1) {
      const chunk = this.#chunks[at] ?? [];
      start -= chunk.length;
      const offset = chunk.findLastIndex(is);
      if (offset !== -1) return start + offset;
    }
    return -1;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  /** The items as an array, made once and known to `chunksOf`. */
  toArray(): readonly T[] {
    if (this.#array === undefined) {
      this.#array = ([] as T[]).concat(...this.#chunks);
      CHUNKS.set(this.#array, this.#chunks);
    }
    return this.#array;
  }

  toJSON(): readonly T[] {
    return this.toArray();
  }

  #fromStart(index: number): number {
    return index < 0 ? this.length + index : index;
  }

  /**
   * Locates an index; undefined outside the list. Searches from the end, where most lookups are.
   */
  #find(index: number): { readonly chunk: number; readonly offset: number } | undefined {
    if (index < 0 || index >= this.length) return undefined;
    let start = this.length;
    for (let chunk = this.#chunks.length - 1; chunk >= 0; chunk -= 1) {
      start -= this.#chunks[chunk]?.length ?? 0;
      if (index >= start) return { chunk, offset: index - start };
    }
    return undefined;
  }
}

/**
 * Turns a function of one chunk into one of all chunks of a list, in order. It runs once for each
 * chunk, however many lists share it.
 */
export function byChunk<T, R>(
  work: (chunk: readonly T[]) => R,
): (list: PersistentList<T>) => readonly R[] {
  const known = new WeakMap<readonly T[], R>();
  const worked = (chunk: readonly T[]): R => {
    const found = known.get(chunk);
    if (found !== undefined) return found;
    const result = work(chunk);
    known.set(chunk, result);
    return result;
  };
  return (list) => {
    const { chunks, known: ofLists } = list;
    const former = ofLists.get(work) as Known<T, R> | undefined;
    if (former?.chunks === chunks) return former.results;
    // In a long list, comparing chunks with those before is much cheaper than looking them up.
    const results = chunks.map((chunk, at) =>
      chunk === former?.chunks[at] ? (former.results[at] as R) : worked(chunk),
    );
    ofLists.set(work, { chunks, results });
    return results;
  };
}

/** The results of one function for the chunks of one list. */
interface Known<T, R> {
  readonly chunks: readonly Chunk<T>[];
  readonly results: readonly R[];
}

/** The newest results of each function, for a list and those made from it. */
type KnownResults<T> = WeakMap<object, Known<T, unknown>>;

/**
 * The items that differ from another list at the same index; `former` is the list it was made from.
 */
export function changesBetween<T>(
  former: PersistentList<T>,
  list: PersistentList<T>,
): readonly T[] {
  return list.chunks.flatMap((chunk, at) => {
    const before = former.chunks[at];
    if (chunk === before) return [];
    return chunk.filter((item, offset) => item !== before?.[offset]);
  });
}

/** The chunks from which arrays were made. */
const CHUNKS = new WeakMap<readonly unknown[], readonly (readonly unknown[])[]>();

/** The chunks from which an array was made; one chunk if it has another origin. */
export function chunksOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  return (CHUNKS.get(items) as readonly (readonly T[])[] | undefined) ?? [items];
}

/** Splits items into chunks of about the same length. */
function cut<T>(items: readonly T[], most: number): readonly Chunk<T>[] {
  const count = Math.ceil(items.length / most);
  const length = Math.ceil(items.length / count);
  return Array.from({ length: count }, (_, at) => items.slice(at * length, (at + 1) * length));
}

function lengthOf(chunks: readonly (readonly unknown[])[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

/** A fold from `before` to `after`. */
interface Folded<S> {
  readonly before: S;
  readonly after: S;
}

/**
 * Makes a fold that resumes from the longest known beginning of a list, so that folding a grown
 * list costs only its growth. `take` gives the state after one more item; states are immutable.
 */
export function rememberedFold<T, S>(
  start: S,
  take: (state: S, item: T) => S,
): (list: PersistentList<T>) => S {
  const chunks = new WeakMap<readonly T[], Folded<S>>();
  // The last chunk is new after each append, so its states are remembered item by item, for the
  // last list folded.
  let items: readonly T[] = [];
  let states: S[] = [start];

  const foldLast = (before: S, chunk: readonly T[]): S => {
    let same = 0;
    if (states[0] === before) while (same < chunk.length && items[same] === chunk[same]) same += 1;
    else states = [before];
    states.length = same + 1;
    items = chunk;
    for (let at = same; at < chunk.length; at += 1) {
      states.push(take(states[at] as S, chunk[at] as T));
    }
    return states.at(-1) as S;
  };

  return (list) => {
    let state = start;
    for (const chunk of list.chunks) {
      const known = chunks.get(chunk);
      const before = state;
      state = known?.before === before ? known.after : foldLast(before, chunk);
      chunks.set(chunk, { before, after: state });
    }
    return state;
  };
}
