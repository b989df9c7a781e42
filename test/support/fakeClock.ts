import type { Clock } from '../../src/agent/clock';

export interface FakeClock extends Clock {
  /** Advances the time; due timers fire in order. */
  advance(ms: number): void;
  /** When each timer is due, in ms from now. */
  readonly due: readonly number[];
}

/** A clock that moves only on demand; `random` is the result of every random draw. */
export function fakeClock(random = 0): FakeClock {
  let now = 1_000_000;
  const timers = new Set<{ readonly at: number; readonly call: () => void }>();
  return {
    now: () => now,
    random: () => random,
    after: (ms, call) => {
      const timer = { at: now + ms, call };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.call();
      }
      now = end;
    },
    get due() {
      return [...timers].map(({ at }) => at - now).toSorted((a, b) => a - b);
    },
  };
}
