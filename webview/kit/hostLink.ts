import { batch, type Signal } from '@preact/signals';
import type { Answer, DataOf, NameOf, WishAnswered, Wishes, WishOf } from '../../src/editor/wish';

/** The API of VS Code for webview pages. */
interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** Takes the page's only API object; a second call throws. */
export function acquireApi(): WebviewApi {
  return acquireVsCodeApi();
}

/** Stamps state that VS Code keeps for a page with the version of its form. */
export function stamped<T extends object>(version: number, state: T): unknown {
  return { ...state, version };
}

/** Reads kept state back; undefined if it has another version. */
export function keptState<T>(version: number, state: unknown): T | undefined {
  const isOurs =
    typeof state === 'object' && state !== null && Reflect.get(state, 'version') === version;
  return isOurs ? (state as T) : undefined;
}

/**
 * Passes every fact from the host to its handler. Ignores messages of an unknown type: they come
 * from another extension or a newer host. `soon` decides when a fact is passed on. Returns a
 * function that stops listening.
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

export function dispatch<M extends { readonly type: string }>(
  handlers: Handlers<M>,
  message: M,
): void {
  const handler = handlers[message.type as M['type']] as (message: M) => void;
  handler(message);
}

/** What to do with the answer to a wish; a refusal without a taker is shown to the user. */
interface Takers<D = never> {
  readonly done?: () => void;
  readonly answered?: (data: D) => void;
  readonly refused?: (why: string) => void;
}

/** What a page does with the answers to its wishes by default. */
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

/** The page that asks. */
interface AskingPage<W extends Wishes> {
  readonly post: (number: number, wish: WishOf<W>) => void;
  /** What to do with an answer when the wish came without takers. */
  readonly takers: TakersOf<W>;
  /** Shows a refusal that no taker handles. */
  readonly refuse: (why: string) => void;
}

/** Numbers the wishes of a page, and passes each answer to the taker of its wish. */
export class Asking<W extends Wishes> {
  readonly #takers = new Map<number, Takers<unknown>>();
  #number: number;

  /** `first` is higher than any number that an earlier page can have reached. */
  constructor(
    private readonly page: AskingPage<W>,
    first: number,
  ) {
    this.#number = first;
  }

  readonly ask: Wish<W> = (wish, takers) => {
    // The entry of a type takes wishes of that type only.
    const taken = takers ?? this.page.takers[wish.type]?.(wish as never);
    const number = this.#number++;
    if (taken !== undefined) this.#takers.set(number, taken as Takers<unknown>);
    this.page.post(number, wish as WishOf<W>);
    return () => void this.#takers.delete(number);
  };

  answered({ number, answer }: Pick<WishAnswered, 'number' | 'answer'>): void {
    const takers = this.#takers.get(number) ?? {};
    this.#takers.delete(number);
    this.#take(takers, answer);
  }

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
        return (takers.refused ?? this.page.refuse)(answer.message);
    }
  }
}

/** A state sent whole, then as numbered patches. */
interface FollowedSnapshots<T, P> {
  /** Takes a whole state; without a number, no patch can follow. */
  readonly whole: (state: T, number?: number) => void;
  /** Takes the changes since the state with the previous number. */
  readonly patched: (number: number, patch: P) => void;
}

/**
 * This many patches may be under way when the page requests the whole state; after that it requests
 * it again.
 */
const PATIENCE = 10;

/**
 * Keeps `state` up to date. A patch that does not follow the known number is ignored, and the page
 * requests the whole state.
 */
export function followSnapshots<T, P>(
  state: Signal<T | undefined>,
  apply: (before: T, patch: P) => T,
  askForWhole: () => void,
): FollowedSnapshots<T, P> {
  let known: number | undefined;
  /** Patches that did not fit since the request. */
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
 * Collects tasks and runs them in order before the next frame, so that several changes within a
 * frame are drawn once.
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
