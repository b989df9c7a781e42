import type { SessionEvent, NewEvent } from '../contextWindow/event';
import type { ContextWindow } from '../contextWindow/contextWindow';
import { applyEvent, fold } from '../contextWindow/fold';

/** Where a session's events are kept; `append` has stored the event when it returns. */
export interface EventStore {
  append(event: SessionEvent): void;
}

/** The one class that remembers: the log, the window folded from it, and who wants to hear. */
export class Session {
  #events: SessionEvent[];
  #window: ContextWindow;
  readonly #listeners = new Set<(event: SessionEvent) => void>();

  constructor(
    private readonly store: EventStore,
    private readonly now: () => number,
    events: readonly SessionEvent[] = [],
  ) {
    this.#events = [...events];
    this.#window = fold(events);
  }

  get events(): readonly SessionEvent[] {
    return this.#events;
  }

  get window(): ContextWindow {
    return this.#window;
  }

  /** Stores the event, takes it into the window, tells the listeners; throws if storing fails. */
  append(event: NewEvent): void {
    const dated = { ...event, at: this.now() } as SessionEvent;
    this.store.append(dated);
    this.#events.push(dated);
    this.#window = applyEvent(this.#window, dated);
    for (const listener of this.#listeners) listener(dated);
  }

  /** Calls back after every event until the returned function is called. */
  onEvent(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
