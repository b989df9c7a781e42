import { byChunk, chunksOf, PersistentList } from '../contextWindow/persistentList';

/** A shorter chunk is joined with what comes beside it, so that a list that grows has few. */
const LEAST = 64;

/**
 * Makes of a piece of work on some items the work on a list, stretch by stretch in order. Of a list that
 * a patch led to, it is done again for those stretches alone in which something differs.
 */
export function byStretch<T, R>(
  work: (items: readonly T[]) => R,
): (items: readonly T[]) => readonly R[] {
  const worked = byChunk(work);
  return (items) => (items.length === 0 ? [] : worked(PersistentList.ofChunks(chunksOf(items))));
}

/** Changes every item of a list; what comes of a stretch in which nothing differs is used again. */
export function mappedByStretch<T, R>(
  change: (item: T) => R,
): (items: readonly T[]) => readonly R[] {
  const changed = byStretch((items: readonly T[]) => items.map(change));
  return (items) => PersistentList.ofChunks(changed(items)).toArray();
}

/** A list in the making, of stretches of a former one and of new items. */
export class ListBuilder<T> {
  readonly #chunks: (readonly T[])[] = [];
  #loose: T[] = [];

  constructor(private readonly before: readonly T[]) {}

  /** Adds a stretch of the former list, the end not included; chunks that are wholly in it stay. */
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
