/**
 * What some work came to, and how much processor time this process needed for it: in all, and at most between two
 * ticks of a timer, in which nothing else could go on; ms.
 *
 * A busy machine makes work slower, but adds hardly anything to its processor time; what waits takes none.
 */
export interface Ticked<T> {
  readonly value: T;
  readonly cpuMs: number;
  readonly longestGapCpuMs: number;
  /** How long the work left the timer to tick, at most `TICK_MS` a tick: time in which this process stood still is not in it; ms. */
  readonly tickedMs: number;
}

/**
 * Above this, work that should be done in some milliseconds grows with the square of its input, or worse; ms of
 * processor time. The inputs of such tests are so large that it would take minutes then.
 */
export const FAR_TOO_LONG_CPU_MS = 5_000;

/** How often the timer ticks; ms. */
const TICK_MS = 5;

/** Does some work while a timer goes on ticking, so that a test can tell whether it held up all else. */
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
    // The timer has not yet fired, if the work held it up to its end.
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
