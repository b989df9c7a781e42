/** Lets callbacks feed a generator, in order, until `close`. */
class EventQueue<T> {
  #items: T[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  put(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  async *drain(): AsyncGenerator<T, void> {
    for (;;) {
      yield* this.#items.splice(0);
      if (this.#closed && this.#items.length === 0) return;
      if (this.#items.length === 0) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        this.#wake = undefined;
      }
    }
  }
}

/** Yields what `work` reports while it runs, and returns its result. */
export async function* whileRunning<T, R>(
  work: (report: (item: T) => void) => Promise<R>,
): AsyncGenerator<T, R> {
  const queue = new EventQueue<T>();
  const result = work((item) => queue.put(item)).finally(() => queue.close());
  // The rejection is awaited below; until then it must not count as unhandled.
  result.catch(() => undefined);
  yield* queue.drain();
  return result;
}
