import type { Answer, WishAnswered } from '../../../src/protocol/answer';
import type { ContextPost, ContextWish } from '../../../src/protocol/contextPanel';
import { dispatch, type Handlers } from '../../../src/protocol/handlers';

/** What becomes of the answers to one wish; a refusal that is not taken is told for all to see. */
export type Takers = Partial<Handlers<Answer>>;

/** Takes no answer any more: what comes late finds nobody, and a refusal is told for all to see. */
export type Leave = () => void;

/** What the asking needs from outside. */
export interface AskingParts {
  readonly post: (post: ContextPost) => void;
  /** Names what is shown; '' before the host has spoken. */
  readonly session: () => string;
  /** Tells why a wish was refused that nobody waits for. */
  readonly refuse: (message: string) => void;
}

/** Numbers the wishes, and hands each answer to who made the wish: to nobody in another session. */
export class Asking {
  readonly #takers = new Map<number, Takers>();
  #number: number;

  /** `first` is a number that no page before this one can have come to. */
  constructor(
    private readonly parts: AskingParts,
    first: number,
  ) {
    this.#number = first;
  }

  ask(wish: ContextWish, takers?: Takers): Leave {
    const number = this.#number++;
    if (takers !== undefined) this.#takers.set(number, takers);
    this.parts.post({ session: this.parts.session(), number, wish });
    return () => void this.#takers.delete(number);
  }

  answered({ session, number, answer }: WishAnswered): void {
    const takers = this.#takers.get(number) ?? {};
    this.#takers.delete(number);
    if (session !== this.parts.session()) return;
    if (!dispatch(takers, answer) && answer.type === 'wishRefused') {
      this.parts.refuse(answer.message);
    }
  }

  /** Waits for nothing any more: another session is shown. */
  forget(): void {
    this.#takers.clear();
  }
}
