/** Something that is made once, when it is first wanted. */
export class OnDemand<T> {
  #making: Promise<T> | undefined;
  #made: { readonly it: T } | undefined;
  #waiting: ((made: T) => void)[] = [];

  constructor(private readonly make: () => Promise<T>) {}

  /** Gives it, and has it made the first time. What could not be made then cannot be had later either. */
  get(): Promise<T> {
    this.#making ??= this.#begin();
    return this.#making;
  }

  /** Gives it where somebody wanted it and it could be made; waits for it, but does not have it made. */
  async ifWanted(): Promise<T | undefined> {
    return this.#making?.catch(() => undefined);
  }

  /** Calls back once it is there, at once where it is; does not have it made. */
  whenThere(use: (made: T) => void): void {
    if (this.#made === undefined) this.#waiting.push(use);
    else use(this.#made.it);
  }

  async #begin(): Promise<T> {
    const it = await this.make();
    this.#made = { it };
    for (const use of this.#waiting.splice(0)) use(it);
    return it;
  }
}
