/** A signal that aborts when another one does or when the time is over, whichever comes first. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Rejects as soon as the signal aborts, however long `work` goes on. */
  race<T>(work: PromiseLike<T>): Promise<T>;
  /** Says whether the time ran out. */
  isOver(): boolean;
  /** Frees timer and listener. */
  clear(): void;
}

/** Starts a time limit of `ms` milliseconds. */
export function timeLimit(outer: AbortSignal, ms: number): TimeLimit {
  const controller = new AbortController();
  let over = false;
  const abort = () => controller.abort();
  const timer = setTimeout(() => {
    over = true;
    abort();
  }, ms);
  if (outer.aborted) abort();
  outer.addEventListener('abort', abort, { once: true });
  const { signal } = controller;
  return {
    signal,
    race: (work) =>
      new Promise((resolve, reject) => {
        const stop = () => reject(new Error('stopped'));
        if (signal.aborted) stop();
        signal.addEventListener('abort', stop, { once: true });
        work.then(resolve, reject);
      }),
    isOver: () => over,
    clear: () => {
      clearTimeout(timer);
      outer.removeEventListener('abort', abort);
    },
  };
}
