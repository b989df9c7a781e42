/**
 * The result of some work with its processor time in ms: in total, and at most between two ticks of
 * a timer, during which nothing else could run.
 *
 * A busy machine makes work slower, but adds hardly any processor time; waiting adds none.
 */
export interface Ticked<T> {
  readonly value: T;
  readonly cpuMs: number;
  readonly longestGapCpuMs: number;
  /**
   * The time in ms during which the work let the timer tick, at most `TICK_MS` a tick. Time in
   * which this process did not run is excluded.
   */
  readonly tickedMs: number;
}

/**
 * A limit in ms of processor time. Work that should take some milliseconds exceeds it only if it is
 * quadratic or worse: for the inputs of such tests that would take minutes.
 */
export const FAR_TOO_LONG_CPU_MS = 5_000;

/** Interval of the timer in ms. */
const TICK_MS = 5;

/**
 * Does some work while a timer ticks, so that a test can tell whether the work blocked everything
 * else.
 */
export async function ticking<T>(work: () => T | Promise<T>): Promise<Ticked<T>> {
  const began = cpuMs();
  let last = began;
  let longestGapCpuMs = 0;
  let ticks = 0;
  const tick = () => {
    const now = cpuMs();
    longestGapCpuMs = Math.max(longestGapCpuMs, now - last);
    last = now;
    ticks += 1;
  };
  const timer = setInterval(tick, TICK_MS);
  try {
    const value = await work();
    // The timer has not fired yet if the work blocked it to the end.
    tick();
    return { value, cpuMs: last - began, longestGapCpuMs, tickedMs: ticks * TICK_MS };
  } finally {
    clearInterval(timer);
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
