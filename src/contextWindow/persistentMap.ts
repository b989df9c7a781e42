/** Marks a deleted entry until the layers below it are merged. */
const GONE = Symbol('gone');

type Layer<K, V> = ReadonlyMap<K, V | typeof GONE>;

/**
 * An immutable map with cheap modified copies: a copy adds a layer of changes. Layers of similar
 * size are merged, so that there are few of them, and an entry is copied about as often as the
 * map's size has doubled.
 */
export class PersistentMap<K, V> implements ReadonlyMap<K, V> {
  /**
   * The newest last; each is much smaller than the one before it. A single layer has no deleted
   * entries.
   */
  #layers: readonly Layer<K, V>[];
  /** Stands for this map in the copies made from it, which must not keep it alive. */
  readonly #self = {};
  #madeFrom: { readonly map: object; readonly changed: readonly K[] } | undefined;

  private constructor(layers: readonly Layer<K, V>[]) {
    this.#layers = layers;
  }

  static of<K, V>(entries: Iterable<readonly [K, V]> = []): PersistentMap<K, V> {
    return new PersistentMap([new Map(entries)]);
  }

  /** Sets entries; undefined deletes one. */
  with(changes: Iterable<readonly [K, V | undefined]>): PersistentMap<K, V> {
    let top = new Map<K, V | typeof GONE>();
    for (const [key, value] of changes) top.set(key, value ?? GONE);
    if (top.size === 0) return this;
    const changed = [...top.keys()];
    const layers = [...this.#layers];
    for (let below = layers.at(-1); below !== undefined; below = layers.at(-1)) {
      if (below.size > 2 * top.size) break;
      layers.pop();
      top = merged(below, top);
    }
    if (layers.length === 0) top = withoutGone(top);
    const made = new PersistentMap([...layers, top]);
    made.#madeFrom = { map: this.#self, changed };
    return made;
  }

  /** The keys that were set or deleted when this map was made from `former`; undefined if it was not. */
  changedSince(former: PersistentMap<K, V>): readonly K[] | undefined {
    return this.#madeFrom?.map === former.#self ? this.#madeFrom.changed : undefined;
  }

  get(key: K): V | undefined {
    for (let index = this.#layers.length - 1; index >= 0; index -= 1) {
      const value = this.#layers[index]?.get(key);
      if (value !== undefined) return value === GONE ? undefined : value;
    }
    return undefined;
  }

  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  get size(): number {
    return this.#whole().size;
  }

  entries(): MapIterator<[K, V]> {
    return this.#whole().entries();
  }

  keys(): MapIterator<K> {
    return this.#whole().keys();
  }

  values(): MapIterator<V> {
    return this.#whole().values();
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  forEach(visit: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this) visit(value, key, this);
  }

  /**
   * Merges all layers into one and keeps it, because a caller that needs all entries will need them
   * again.
   */
  #whole(): ReadonlyMap<K, V> {
    if (this.#layers.length !== 1)
      this.#layers = [withoutGone(this.#layers.reduce<Layer<K, V>>(merged, new Map()))];
    return this.#layers[0] as ReadonlyMap<K, V>;
  }
}

function merged<K, V>(below: Layer<K, V>, top: Layer<K, V>): Map<K, V | typeof GONE> {
  const all = new Map(below);
  for (const [key, value] of top) all.set(key, value);
  return all;
}

function withoutGone<K, V>(layer: Layer<K, V>): Map<K, V | typeof GONE> {
  const there = new Map(layer);
  for (const [key, value] of layer) if (value === GONE) there.delete(key);
  return there;
}
