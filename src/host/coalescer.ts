/** Runs a task soon after it was asked for, however often, and at most once an interval (ms). */
export class Coalescer {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly task: () => void,
    private readonly intervalMs: number,
  ) {}

  /** Asks for a run; several requests within the interval make one run. */
  request(): void {
    this.#timer ??= setTimeout(() => this.flush(), this.intervalMs);
  }

  /** Runs now when a run is due. */
  flush(): void {
    if (this.#timer === undefined) return;
    this.cancel();
    this.task();
  }

  /** Forgets a run that is due. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
