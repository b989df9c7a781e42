import type { ContextWindow } from '../contextWindow/window';
import { entered, type NewEvent, type SessionEvent } from '../contextWindow/event';
import { applyEvent, EMPTY_WINDOW } from '../contextWindow/fold';

/** The log of a replay: what happened in it, and the window that follows from it. */
export class ReplayLog {
  readonly #events: SessionEvent[] = [];
  #window: ContextWindow = EMPTY_WINDOW;
  #at = 0;

  get events(): readonly SessionEvent[] {
    return this.#events;
  }

  get window(): ContextWindow {
    return this.#window;
  }

  /**
   * Sets the time of what follows, ms since the epoch; if the recording has none, the last one
   * stays.
   */
  reach(at: number | undefined): void {
    this.#at = at ?? this.#at;
  }

  append(event: NewEvent): void {
    const dated = entered(event, this.#at, this.#window);
    this.#events.push(dated);
    this.#window = applyEvent(this.#window, dated);
  }
}
