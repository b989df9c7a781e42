/**
 * Runs generators at the same time and yields what each of them yields; each goes on only once its
 * event was taken. Returns their results by key.
 */
export async function* together<K, T, R>(
  generators: ReadonlyMap<K, AsyncGenerator<T, R>>,
): AsyncGenerator<T, ReadonlyMap<K, R>> {
  const results = new Map<K, R>();
  const next = async (key: K, one: AsyncGenerator<T, R>) => ({ key, one, step: await one.next() });
  const pending = new Map([...generators].map(([key, one]) => [key, next(key, one)]));
  try {
    while (pending.size > 0) {
      const { key, one, step } = await Promise.race(pending.values());
      if (step.done === true) {
        pending.delete(key);
        results.set(key, step.value);
      } else {
        yield step.value;
        pending.set(key, next(key, one));
      }
    }
  } finally {
    await Promise.all([...generators.values()].map((one) => one.return(undefined as R)));
  }
  return results;
}

/** Lets at most `most` holders in at a time, in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
