import { errorText } from '../../contextWindow/result';

/** The text of a followed file. */
export interface Grown {
  readonly file: string;
  readonly text: string;
}

/** What shows the text of a growing file. */
export interface GrowthTaker {
  /** Shows it; 'stopped' where something more urgent came in between. */
  show(grown: Grown): Promise<'stopped' | 'shown'>;
  /** Takes a sentence about what went wrong. */
  troubled(message: string): void;
}

/** Hands on the text of a growing file: while one is being shown, only the newest waits. */
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
        this.taker.troubled(errorText(error));
      }
    }
  }
}
