/** How long a tool may take to end by itself once it was stopped; ms. */
export const GRACE_MS = 700;

/**
 * Waits for work no longer than `graceMs` milliseconds after a signal aborts: `abandoned` is what
 * stands for its value then. Work that was given up goes on unheard. Throws what the work throws.
 */
export async function stoppable<T, A>(
  work: Promise<T>,
  signal: AbortSignal,
  graceMs: number,
  abandoned: A,
): Promise<T | A> {
  let cancel = () => {};
  const givenUp = new Promise<A>((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = () => (timer = setTimeout(() => resolve(abandoned), graceMs));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    cancel = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
  });
  // If nobody waits for it any more, its failure is of no use to anybody.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, givenUp]);
  } finally {
    cancel();
  }
}
