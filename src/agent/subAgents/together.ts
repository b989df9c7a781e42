/**
 * Runs generators at the same time and yields what each of them yields; each goes on only once its
 * event was taken. Returns their results in order.
 */
export async function* together<T, R>(
  generators: readonly AsyncGenerator<T, R>[],
): AsyncGenerator<T, readonly R[]> {
  const results = new Map<number, R>();
  const next = async (index: number) => ({ index, step: await generators[index]!.next() });
  const pending = new Map(generators.map((_, index) => [index, next(index)]));
  try {
    while (pending.size > 0) {
      const { index, step } = await Promise.race(pending.values());
      if (step.done === true) {
        pending.delete(index);
        results.set(index, step.value);
      } else {
        yield step.value;
        pending.set(index, next(index));
      }
    }
  } finally {
    await Promise.all(generators.map((one) => one.return(undefined as R)));
  }
  return generators.map((_, index) => results.get(index)!);
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
