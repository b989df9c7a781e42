const MINUTE_MS = 60_000;

/**
 * Allows so many requests a minute, unused ones saved up to that number (a token bucket). It never
 * waits: a request that is not allowed is the caller's to leave out.
 */
export class RequestAllowance {
  readonly #perMinute: number;
  readonly #now: () => number;
  #left: number;
  #countedAt: number;

  /** `now` in ms; it may jump, and going back gives nothing. */
  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute;
    this.#now = now;
    this.#left = perMinute;
    this.#countedAt = now();
  }

  /** Says whether one more request may be sent, and counts it if so. */
  take(): boolean {
    const now = this.#now();
    const earned = (Math.max(0, now - this.#countedAt) * this.#perMinute) / MINUTE_MS;
    this.#left = Math.min(this.#perMinute, this.#left + earned);
    this.#countedAt = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
