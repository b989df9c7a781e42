/** Bounds of a cache; the oldest entries leave first. */
export interface CacheBounds {
  readonly entries: number;
  /** Characters of all remembered texts together. */
  readonly characters: number;
}

const BOUNDS: CacheBounds = { entries: 20_000, characters: 32_000_000 };

/**
 * Remembers a number per text, the least recently used forgotten first.
 *
 * The text itself is the key, which is a hash of the content with nothing left to chance: the engine
 * looks a string up by a hash of its characters, keeps that hash with the string, and compares the
 * characters before it says that two are the same. A digest of our own would read each text once more
 * and save no memory, because the texts of a session live in its window and log anyway.
 */
export class CountCache {
  readonly #counts = new Map<string, number>();
  readonly #bounds: CacheBounds;
  #characters = 0;

  constructor(bounds: CacheBounds = BOUNDS) {
    this.#bounds = bounds;
  }

  /** Says whether a text is known, without making it recent. */
  has(text: string): boolean {
    return this.#counts.has(text);
  }

  /** Finds the number of a text and makes it the most recently used. */
  get(text: string): number | undefined {
    const count = this.#counts.get(text);
    if (count === undefined) return undefined;
    this.#counts.delete(text);
    this.#counts.set(text, count);
    return count;
  }

  /** Remembers the number of a text; one that is over the bounds alone is not kept. */
  set(text: string, count: number): void {
    if (text.length > this.#bounds.characters) return;
    this.#forget(text);
    this.#counts.set(text, count);
    this.#characters += text.length;
    for (const oldest of this.#counts.keys()) {
      if (!this.#isOver()) return;
      this.#forget(oldest);
    }
  }

  #isOver(): boolean {
    return this.#counts.size > this.#bounds.entries || this.#characters > this.#bounds.characters;
  }

  #forget(text: string): void {
    if (this.#counts.delete(text)) this.#characters -= text.length;
  }
}
