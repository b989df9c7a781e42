import { batch, type Signal } from '@preact/signals';
import type { Answer, DataOf, NameOf, WishAnswered, Wishes, WishOf } from '../../src/editor/wish';

/** What VS Code gives a webview page to communicate with. */
export interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** Takes the page's one API object; a second call throws. */
export function acquireApi(): WebviewApi {
  return acquireVsCodeApi();
}

/**
 * Hands every fact from the host to its handler. A message of an unknown type is ignored: it is not
 * from our host, or from a newer one. `soon` decides when a fact is handed on. Returns a function
 * that stops the listening.
 */
export function connectHost<F extends { readonly type: string }>(
  handlers: Handlers<F>,
  messages: EventTarget = window,
  soon: (task: () => void) => void = (task) => task(),
): () => void {
  const listener = (event: Event): void => {
    const data: unknown = (event as MessageEvent<unknown>).data;
    if (!isTyped(data) || !Object.hasOwn(handlers, data.type)) return;
    soon(() => dispatch(handlers, data as F));
  };
  messages.addEventListener('message', listener);
  return () => messages.removeEventListener('message', listener);
}

function isTyped(data: unknown): data is { readonly type: string } {
  return (
    typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string'
  );
}

/** One handler for every message type; leaving one out does not compile. */
export type Handlers<M extends { readonly type: string }> = {
  readonly [T in M['type']]: (message: Extract<M, { readonly type: T }>) => void;
};

/** Hands a message to its handler. */
export function dispatch<M extends { readonly type: string }>(
  handlers: Handlers<M>,
  message: M,
): void {
  const handler = handlers[message.type as M['type']] as (message: M) => void;
  handler(message);
}

/** What is done with the answer to a wish; a refusal without a taker is shown to the user. */
interface Takers<D = never> {
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
interface AskingParts<W extends Wishes> {
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

/** A state that is sent whole, and then only its changes, each time with a number. */
interface FollowedSnapshots<T, P> {
  /** Takes a whole state; without a number, no patch can follow it. */
  readonly whole: (state: T, number?: number) => void;
  /** Takes the changes since the state with the number before. */
  readonly patched: (number: number, patch: P) => void;
}

/**
 * This many patches may already be on their way when the whole is asked for; after that it is asked
 * for again.
 */
const PATIENCE = 10;

/**
 * Keeps `state` up to date. A patch of another state changes nothing: the whole is asked for
 * instead, and patches are ignored until it is there.
 */
export function followSnapshots<T, P>(
  state: Signal<T | undefined>,
  apply: (before: T, patch: P) => T,
  askForWhole: () => void,
): FollowedSnapshots<T, P> {
  let known: number | undefined;
  /** How many patches did not fit since the whole was sent. */
  let misfits = 0;
  return {
    whole: (whole, number) => {
      known = number;
      misfits = 0;
      state.value = whole;
    },
    patched: (number, patch) => {
      const { value: before } = state;
      if (before !== undefined && known === number - 1) {
        known = number;
        state.value = apply(before, patch);
        return;
      }
      known = undefined;
      misfits += 1;
      if (misfits % PATIENCE === 1) askForWhole();
    },
  };
}

/**
 * Collects tasks and runs them together, in order, before the next frame is drawn: what came
 * several times within one frame is drawn once.
 */
export function frameTasks(
  beforeFrame: (task: () => void) => void = (task) => void requestAnimationFrame(task),
): (task: () => void) => void {
  let waiting: (() => void)[] = [];
  const runAll = (): void => {
    const due = waiting;
    waiting = [];
    batch(() => {
      for (const task of due) task();
    });
  };
  return (task) => {
    waiting.push(task);
    if (waiting.length === 1) beforeFrame(runAll);
  };
}
