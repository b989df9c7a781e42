/**
 * What some work came to, how long it took, the longest time in which no timer fired, and how long it
 * left the timer to tick, at most `TICK_MS` a tick: time in which this process stood still is not in it; ms.
 */
export interface Ticked<T> {
  readonly value: T;
  readonly tookMs: number;
  readonly longestGapMs: number;
  readonly tickedMs: number;
}

/** How often the timer ticks; ms. */
const TICK_MS = 5;

/** Does some work while a timer goes on ticking, so that a test can tell whether it held up all else. */
export async function ticking<T>(work: () => T | Promise<T>): Promise<Ticked<T>> {
  const began = performance.now();
  let last = began;
  let longestGapMs = 0;
  let ticks = 0;
  const tick = () => {
    const now = performance.now();
    longestGapMs = Math.max(longestGapMs, now - last);
    last = now;
    ticks += 1;
  };
  const timer = setInterval(tick, TICK_MS);
  try {
    const value = await work();
    // The timer has not yet fired, if the work held it up to its end.
    tick();
    return {
      value,
      tookMs: performance.now() - began,
      longestGapMs,
      tickedMs: ticks * TICK_MS,
    };
  } finally {
    clearInterval(timer);
  }
}
