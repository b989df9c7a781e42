import type { AgentEvent } from '../agent/agentEvent';
import type { SessionFollower } from './session/currentSession';
import type { AgentFact } from './conversation/state';

/** Shortest time between two posts, in ms: fast enough to look live, slow enough to be cheap. */
const INTERVAL_MS = 50;

/**
 * Deriving the state of a long session takes a while; wait this many times as long before the next
 * one.
 */
const REST = 4;

/** A page, or the status bar: derives its state from the current session, and shows it. */
interface View {
  publish(): void;
}

type Streamed = Extract<
  AgentFact,
  { readonly type: 'replyStreamed' | 'thinkingStreamed' | 'toolOutputStreamed' }
>;

/**
 * Posts changes at most every 50 ms: streamed text joined, and the latest state. Deriving the state
 * takes at most a fifth of the time, however long the session, so that the host stays responsive.
 */
export class Publisher {
  readonly #coalescer = new Coalescer(() => this.#publish(), INTERVAL_MS);
  #streamed: Streamed[] = [];
  #isStale = false;
  #restsUntil = 0;

  /** `clock` returns milliseconds and never runs backwards. */
  constructor(
    private readonly views: readonly View[],
    private readonly agentView: { post(fact: AgentFact): void },
    private readonly clock: () => number,
  ) {}

  /** Publishes the events of sessions; for background ones only the state. */
  following(current: { readonly run: object }): SessionFollower {
    return {
      changed: () => this.changed(),
      heard: (run, event) => (run === current.run ? this.heard(event) : this.changed()),
    };
  }

  /** Notes that the state has changed. */
  changed(): void {
    this.#isStale = true;
    this.#coalescer.request();
  }

  /** Handles an event of the running turn. */
  heard(event: AgentEvent): void {
    if (event.type === 'textDelta') {
      this.#stream({ type: 'replyStreamed', step: event.step, text: event.text });
    } else if (event.type === 'thinkingDelta') {
      const { step, text, restarts } = event;
      this.#stream({ type: 'thinkingStreamed', step, text, ...(restarts ? { whole: true } : {}) });
    } else if (event.type === 'toolOutput') {
      this.#stream({ type: 'toolOutputStreamed', toolUseId: event.use.id, text: event.text });
    } else {
      this.changed();
    }
  }

  /** Drops waiting streamed text, because a view is about to get all of it. */
  dropStreamed(): void {
    this.#streamed = [];
  }

  dispose(): void {
    this.#coalescer.cancel();
  }

  #stream(fact: Streamed): void {
    const last = this.#streamed.at(-1);
    if (last !== undefined && continues(last, fact)) {
      this.#streamed[this.#streamed.length - 1] = { ...last, text: last.text + fact.text };
    } else {
      this.#streamed.push(fact);
    }
    this.#coalescer.request();
  }

  #publish(): void {
    const streamed = this.#streamed.splice(0);
    for (const fact of streamed) this.agentView.post(fact);
    if (!this.#isStale) return;
    const began = this.clock();
    if (began < this.#restsUntil) return this.#coalescer.request();
    this.#isStale = false;
    for (const view of this.views) view.publish();
    const now = this.clock();
    this.#restsUntil = now + REST * (now - began);
  }
}

function continues(last: Streamed, next: Streamed): boolean {
  if (next.whole === true) return false;
  if (last.type === 'toolOutputStreamed') {
    return next.type === last.type && next.toolUseId === last.toolUseId;
  }
  return next.type === last.type && next.step === last.step;
}

/** Runs a task soon after a request, at most once per interval (ms). */
class Coalescer {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly task: () => void,
    private readonly intervalMs: number,
  ) {}

  /** Requests a run; several requests within the interval lead to one run. */
  request(): void {
    this.#timer ??= setTimeout(() => this.flush(), this.intervalMs);
  }

  /** Runs now if a run is due. */
  flush(): void {
    if (this.#timer === undefined) return;
    this.cancel();
    this.task();
  }

  /** Cancels a run that is due. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
