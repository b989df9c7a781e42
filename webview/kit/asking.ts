import type { Answer, DataOf, NameOf, WishAnswered, WishOf, Wishes } from '../../src/editor/wish';

/** What is done with the answer to a wish; a refusal without a taker is shown to the user. */
export interface Takers<D = never> {
  readonly done?: () => void;
  readonly answered?: (data: D) => void;
  readonly refused?: (why: string) => void;
}

/** What a page itself does with the answers to its wishes. */
export type TakersOf<W extends Wishes> = {
  readonly [T in NameOf<W>]?: (wish: WishOf<W, T>) => Takers<DataOf<W, T>>;
};

/** Sends a wish; its answer goes to `takers` until the returned function is called. */
export type Wish<W extends Wishes> = <T extends NameOf<W>>(
  wish: { readonly type: T } & WishOf<W, T>,
  takers?: Takers<DataOf<W, T>>,
) => Leave;

/** Stops waiting for an answer: a late one is dropped, and a refusal is shown to the user. */
export type Leave = () => void;

/** What the asking needs from outside. */
export interface AskingParts<W extends Wishes> {
  readonly post: (number: number, wish: WishOf<W>) => void;
  /** What is done with an answer when the wish came without takers. */
  readonly takers: TakersOf<W>;
  /** Shows why a wish was refused that nobody waits for. */
  readonly refuse: (why: string) => void;
}

/** Numbers the wishes of a page, and hands each answer to whoever made the wish. */
export class Asking<W extends Wishes> {
  readonly #takers = new Map<number, Takers<unknown>>();
  #number: number;

  /** `first` is a number higher than any that a page before this one can have reached. */
  constructor(
    private readonly parts: AskingParts<W>,
    first: number,
  ) {
    this.#number = first;
  }

  readonly ask: Wish<W> = (wish, takers) => {
    // Each entry takes the wishes with its own name.
    const taken = takers ?? this.parts.takers[wish.type]?.(wish as never);
    const number = this.#number++;
    if (taken !== undefined) this.#takers.set(number, taken as Takers<unknown>);
    this.parts.post(number, wish as WishOf<W>);
    return () => void this.#takers.delete(number);
  };

  answered({ number, answer }: Pick<WishAnswered, 'number' | 'answer'>): void {
    const takers = this.#takers.get(number) ?? {};
    this.#takers.delete(number);
    this.#take(takers, answer);
  }

  /** Stops waiting for any answer. */
  forget(): void {
    this.#takers.clear();
  }

  #take(takers: Takers<unknown>, answer: Answer): void {
    switch (answer.type) {
      case 'done':
        return takers.done?.();
      case 'answered':
        return takers.answered?.(answer.data);
      case 'refused':
        return (takers.refused ?? this.parts.refuse)(answer.message);
    }
  }
}
