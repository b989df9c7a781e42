import { byChunk, chunksOf, PersistentList } from '../contextWindow/persistentList';

/** A shorter chunk is joined with its neighbour, so that a growing list has few chunks. */
const LEAST = 64;

/**
 * Turns a function of some items into one of a whole list, chunk by chunk in order. After a patch,
 * it runs again only for chunks in which something changed.
 */
export function byStretch<T, R>(
  work: (items: readonly T[]) => R,
): (items: readonly T[]) => readonly R[] {
  const worked = byChunk(work);
  return (items) => (items.length === 0 ? [] : worked(PersistentList.ofChunks(chunksOf(items))));
}

/** Maps every item of a list; the results of an unchanged chunk are reused. */
export function mappedByStretch<T, R>(
  change: (item: T) => R,
): (items: readonly T[]) => readonly R[] {
  const changed = byStretch((items: readonly T[]) => items.map(change));
  return (items) => PersistentList.ofChunks(changed(items)).toArray();
}

/** A list under construction, of stretches of an earlier list and new items. */
export class ListBuilder<T> {
  readonly #chunks: (readonly T[])[] = [];
  #loose: T[] = [];

  constructor(private readonly before: readonly T[]) {}

  /**
   * Adds a stretch of the earlier list, end excluded; chunks fully inside it stay the same objects.
   */
  keep(from: number, to: number): void {
    let start = 0;
    for (const chunk of chunksOf(this.before)) {
      const [first, end] = [Math.max(0, from - start), Math.min(to - start, chunk.length)];
      start += chunk.length;
      if (first >= end) continue;
      if (first === 0 && end === chunk.length && end >= LEAST) this.#keepChunk(chunk);
      else this.put(chunk.slice(first, end));
    }
  }

  put(items: readonly T[]): void {
    for (const item of items) this.#loose.push(item);
  }

  get list(): readonly T[] {
    this.#flush();
    return PersistentList.ofChunks(this.#chunks).toArray();
  }

  #keepChunk(chunk: readonly T[]): void {
    this.#flush();
    this.#chunks.push(chunk);
  }

  #flush(): void {
    this.#chunks.push(...PersistentList.of(this.#loose).chunks);
    this.#loose = [];
  }
}
