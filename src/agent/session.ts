import { entered, type NewEvent, type SessionEvent } from '../contextWindow/event';
import type { Block, ReplyPart, ToolUse, ToolUseId } from '../contextWindow/block';
import type { Summary } from '../contextWindow/plan';
import type { ContextWindow } from '../contextWindow/window';
import { applyEvent, fold } from '../contextWindow/fold';
import { keepFor, marksIn, redactedIn, unmaskedIn } from './secrets/knownSecrets';
import { maskedIn } from './secrets/secrets';
import type { JsonValue } from '../contextWindow/json';

/** Stores a session's events; `append` returns after the event is stored. */
export interface EventStore {
  append(event: SessionEvent): void;
}

/** A summary for the next pass, being written or finished. */
export interface SummaryAhead {
  /** The source blocks; once one of them changes, the summary is useless. */
  readonly from: readonly Block[];
  /** Undefined when it could not be written. */
  readonly summary: Promise<Summary | undefined>;
  readonly stop: AbortController;
  /** Absent while it is being written. */
  done?: { readonly summary: Summary | undefined };
}

/** State of an open session that is not logged. */
interface SessionMemo {
  ahead: SummaryAhead | undefined;
  /** Index of the first event that counts against the turn's limits; undefined outside a turn. */
  spendingFrom: number | undefined;
  /** Messages that the user has already seen: each is shown once. */
  readonly reported: Set<string>;
  /** Calls whose logged input has marks instead of secrets that the model wrote. */
  readonly calls: Map<ToolUseId, ToolUse>;
}

/** The one stateful class: the log, the window folded from it, and the listeners. */
export class Session {
  #events: SessionEvent[];
  #window: ContextWindow;
  readonly #listeners = new Set<(event: SessionEvent) => void>();
  readonly memo: SessionMemo = {
    ahead: undefined,
    spendingFrom: undefined,
    reported: new Set(),
    calls: new Map(),
  };

  constructor(
    private readonly store: EventStore,
    private readonly now: () => number,
    events: readonly SessionEvent[] = [],
    /** The fold of the events, if it is known. */
    window: ContextWindow = fold(events),
  ) {
    this.#events = [...events];
    this.#window = window;
  }

  get events(): readonly SessionEvent[] {
    return this.#events;
  }

  get window(): ContextWindow {
    return this.#window;
  }

  /** Free-form state of hooks and tools, stored in the log. */
  get state(): Readonly<Record<string, JsonValue>> {
    return this.#window.state;
  }

  /** Sets a key of the state; null removes it. Throws if storing fails. */
  setState(key: string, value: JsonValue): void {
    this.append({ type: 'stateSet', key, value });
  }

  /**
   * Stores the event, applies it to the window and notifies the listeners; throws if storing fails.
   * Only a tool result comes already redacted, because that happens before it is measured and cut.
   */
  append(event: NewEvent, secrets: 'redact' | 'redacted' = 'redact'): void {
    const entry = entered(event, this.now(), this.#window);
    const dated = secrets === 'redacted' ? entry : withoutSecrets(entry);
    keepFor(this, dated);
    if (event.type === 'replyReceived') this.#keepCalls(event.parts);
    // Apply before storing: a log must not hold an event that no window accepts, or it could not
    // open again.
    const window = applyEvent(this.#window, dated);
    this.store.append(dated);
    this.#events.push(dated);
    this.#window = window;
    for (const listener of this.#listeners) listener(dated);
  }

  /** Remembers calls with secrets that the model wrote, so that they run as it wrote them. */
  #keepCalls(parts: readonly ReplyPart[]): void {
    for (const part of parts) {
      if (part.type !== 'toolUse') continue;
      const clean = redactedIn(part.use);
      if (clean === part.use) continue;
      const written = new Set(marksIn(JSON.stringify(part.use)));
      this.memo.calls.set(
        part.use.id,
        unmaskedIn(clean, (mark) => !written.has(mark)),
      );
    }
  }

  /** Calls back after every event, until the returned function is called. */
  onEvent(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** Events with text that no one has searched for secrets yet. */
const FROM_OUTSIDE: ReadonlySet<SessionEvent['type']> = new Set([
  'preambleSet',
  'promptSubmitted',
  'queueChanged',
  'noteAdded',
  'standingRuleAdded',
  'stateSet',
  'toolFinished',
]);

/**
 * Replaces the secrets in an event. In a reply only those that are known: a model may make up
 * something that looks like a key, and wants it written as it is.
 */
function withoutSecrets(event: SessionEvent): SessionEvent {
  if (event.type !== 'replyReceived') {
    return FROM_OUTSIDE.has(event.type) ? maskedIn(event) : redactedIn(event);
  }
  const parts = event.parts.map((part): ReplyPart => {
    const clean = redactedIn(part);
    // Its signature is only valid for the text as it was.
    return clean.type === 'thinking' && clean !== part ? { ...clean, signature: '' } : clean;
  });
  return { ...redactedIn(event), parts };
}
