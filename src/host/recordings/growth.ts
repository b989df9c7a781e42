/** What a followed file holds. */
export interface Grown {
  readonly file: string;
  readonly text: string;
}

/** What takes in what a file has grown by. */
export interface GrowthTaker {
  /** Shows it; 'stopped' where something more pressing came between. */
  show(grown: Grown): Promise<'stopped' | 'shown'>;
  /** Takes a sentence on what went wrong. */
  troubled(message: string): void;
}

/** Hands on what a file has grown by: while it is being shown only the newest text waits. */
export class Growth {
  #newest: Grown | undefined;
  #isShowing = false;

  constructor(private readonly taker: GrowthTaker) {}

  take(grown: Grown): void {
    this.#newest = grown;
    if (this.#isShowing) return;
    this.#isShowing = true;
    void this.#show().finally(() => {
      this.#isShowing = false;
    });
  }

  async #show(): Promise<void> {
    for (let next = this.#newest; next !== undefined; next = this.#newest) {
      const taken = next;
      this.#newest = undefined;
      try {
        if ((await this.taker.show(taken)) === 'stopped') this.#newest ??= taken;
      } catch (error) {
        this.taker.troubled(error instanceof Error ? error.message : String(error));
      }
    }
  }
}
