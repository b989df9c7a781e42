/** What a page is told of a state: all of it, or what is other than in the one numbered before. */
export type Told<T, P> =
  { readonly number: number; readonly whole: T } | { readonly number: number; readonly patch: P };

/**
 * Numbers what a page is told of a state, and remembers the last of it, so that only what is other
 * has to be told next.
 */
export class Snapshots<T, P> {
  #last: T | undefined;
  #number = 0;

  /** `compare` makes the patch that leads from one state to another. */
  constructor(private readonly compare: (before: T, after: T) => P) {}

  /** Forgets what was told: the next state is told whole, as a page that knows none needs it. */
  forget(): void {
    this.#last = undefined;
  }

  /** Says how to tell a state, which must then be told. */
  tell(state: T): Told<T, P> {
    const last = this.#last;
    this.#last = state;
    const number = ++this.#number;
    return last === undefined
      ? { number, whole: state }
      : { number, patch: this.compare(last, state) };
  }
}
