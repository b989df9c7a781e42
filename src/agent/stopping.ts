import type { TurnOutcome } from '../contextWindow/event';

const CLOSING = 'WindowClosing';

/** The abort reason when the window reloads or closes. */
export function windowClosing(): Error {
  const reason = new Error('The window is reloaded or closed.');
  reason.name = CLOSING;
  return reason;
}

/** Whether the closing window stopped a turn, not the user. */
export function isClosing({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Error && reason.name === CLOSING;
}

/** The outcome of an aborted turn. */
export function endOf(signal: AbortSignal): TurnOutcome {
  return { type: isClosing(signal) ? 'interrupted' : 'stopped' };
}

/** Who or what stopped a call, for the model. */
export function stopperOf(signal: AbortSignal): string {
  return isClosing(signal) ? 'Interrupted by a reload of the window' : 'Stopped by the user';
}

/** How long a stopped tool may take to end; ms. */
export const GRACE_MS = 700;

/**
 * Waits for work, but at most `graceMs` ms after the signal aborts; then returns `abandoned` and
 * ignores the work. Throws what the work throws.
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
  // Nothing waits for abandoned work, so its failure must not count as unhandled.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, givenUp]);
  } finally {
    cancel();
  }
}
