/** What some work came to, how long it took, and the longest time in which no timer fired; ms. */
export interface Ticked<T> {
  readonly value: T;
  readonly tookMs: number;
  readonly longestGapMs: number;
}

/** Does some work while a timer goes on ticking, so that a test can tell whether it held up all else. */
export async function ticking<T>(work: () => T | Promise<T>): Promise<Ticked<T>> {
  const began = performance.now();
  let last = began;
  let longestGapMs = 0;
  const tick = () => {
    const now = performance.now();
    longestGapMs = Math.max(longestGapMs, now - last);
    last = now;
  };
  const timer = setInterval(tick, 5);
  try {
    const value = await work();
    // The timer has not yet fired, if the work held it up to its end.
    tick();
    return { value, tookMs: performance.now() - began, longestGapMs };
  } finally {
    clearInterval(timer);
  }
}
