/** Does work once for all who ask for the same while it is under way. */
export class SharedWork<T> {
  readonly #underWay = new Map<string, Promise<T>>();

  /** What is under way for a key; undefined when nothing is. */
  join(key: string): Promise<T> | undefined {
    return this.#underWay.get(key);
  }

  /** Starts the work for a key nothing is under way for; it is forgotten before anyone hears its end. */
  start(key: string, work: () => Promise<T>): Promise<T> {
    const working = work().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, working);
    return working;
  }
}
