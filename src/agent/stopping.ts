import type { TurnOutcome } from '../contextWindow/event';

const CLOSING = 'WindowClosing';

/** Why a turn is stopped that the user did not stop: the window is reloaded or closed. */
export function windowClosing(): Error {
  const reason = new Error('The window is reloaded or closed.');
  reason.name = CLOSING;
  return reason;
}

/** Says whether a turn is stopped because its window goes, and not by the user. */
export function isClosing({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Error && reason.name === CLOSING;
}

/** How a turn ends whose signal was aborted. */
export function endOf(signal: AbortSignal): TurnOutcome {
  return { type: isClosing(signal) ? 'interrupted' : 'stopped' };
}

/** Who or what stopped a call, for the model. */
export function stopperOf(signal: AbortSignal): string {
  return isClosing(signal) ? 'Interrupted by a reload of the window' : 'Stopped by the user';
}

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
