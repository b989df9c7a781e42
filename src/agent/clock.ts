/** Time and randomness as a port, so that tests need neither waiting nor luck. */
export interface Clock {
  now(): number;
  /** A number from 0 (included) to 1 (excluded). */
  random(): number;
  /** Calls back once after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, call: () => void): () => void;
}

export const REAL_CLOCK: Clock = {
  now: Date.now,
  random: Math.random,
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};
