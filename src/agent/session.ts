import { entered, type NewEvent, type SessionEvent } from '../contextWindow/event';
import type { Block } from '../contextWindow/block';
import type { Summary } from '../contextWindow/plan';
import type { ContextWindow } from '../contextWindow/window';
import { applyEvent, fold } from '../contextWindow/fold';
import { redactedIn } from './secrets';
import type { JsonValue } from '../contextWindow/json';

/** Where a session's events are kept; `append` has stored the event when it returns. */
export interface EventStore {
  append(event: SessionEvent): void;
}

/** A summary that is being written for the next pass, or is finished and waits for it. */
export interface SummaryAhead {
  /** What it is written from; once one of these says something else, the summary is of no use. */
  readonly from: readonly Block[];
  /** Undefined where it could not be written. */
  readonly summary: Promise<Summary | undefined>;
  readonly stop: AbortController;
  /** Absent while it is being written. */
  done?: { readonly summary: Summary | undefined };
}

/** What a session knows only while it is open: a reload begins without it. */
export interface SessionMemo {
  ahead: SummaryAhead | undefined;
  /** What the user has been told: a problem is told once. */
  readonly told: Set<string>;
}

/** The one class that remembers: the log, the window folded from it, and the listeners. */
export class Session {
  #events: SessionEvent[];
  #window: ContextWindow;
  readonly #listeners = new Set<(event: SessionEvent) => void>();
  readonly memo: SessionMemo = { ahead: undefined, told: new Set() };

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

  /** Free-form state of hooks and tools; it is part of the log like everything else. */
  get state(): Readonly<Record<string, JsonValue>> {
    return this.#window.state;
  }

  /** Sets one key of the state, null to remove it; throws if storing fails. */
  setState(key: string, value: JsonValue): void {
    this.append({ type: 'stateSet', key, value });
  }

  /**
   * Stores the event, applies it to the window and notifies the listeners; throws if storing fails.
   * Only a tool result comes already redacted, because that happens before it is measured and cut.
   */
  append(event: NewEvent, secrets: 'redact' | 'redacted' = 'redact'): void {
    const entry = entered(event, this.now(), this.#window);
    const dated = secrets === 'redact' ? redactedIn(entry) : entry;
    // Before it is stored: an event that no window can take must not be in a log that has to open
    // again.
    const window = applyEvent(this.#window, dated);
    this.store.append(dated);
    this.#events.push(dated);
    this.#window = window;
    for (const listener of this.#listeners) listener(dated);
  }

  /** Calls back after every event until the returned function is called. */
  onEvent(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
