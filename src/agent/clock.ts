/** Time and chance as a port, so that a test neither waits nor needs luck. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** A number from 0 to 1, 1 not included. */
  random(): number;
  /** Calls back once, after `ms` milliseconds, unless the function it returns is called before. */
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
