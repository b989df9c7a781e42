import type { AgentEvent } from '../agent/agentEvent';
import type { SessionFollower } from './session/currentSession';
import type { AgentFact } from './conversation/state';

/** Shortest time between two posts, in ms: quick enough to look live, slow enough to be cheap. */
const INTERVAL_MS = 50;

/**
 * Drawing the state of a long session takes a while; the next drawing waits this many times as
 * long.
 */
const REST = 4;

/** Where facts go, and what draws the whole state. */
export interface Audience {
  /** Draws and posts the whole state to whoever can see it. */
  publishState(): void;
  /** Posts one fact to the Agent view. */
  postToAgent(fact: AgentFact): void;
}

type Streamed = Extract<
  AgentFact,
  { readonly type: 'replyStreamed' | 'thinkingStreamed' | 'toolOutputStreamed' }
>;

/**
 * Posts what has changed, at most every 50 ms: streamed text joined, and the state as it is then.
 * The state takes at most a fifth of the time, however long the session, so that the host stays
 * free.
 */
export class Publisher {
  readonly #coalescer = new Coalescer(() => this.#publish(), INTERVAL_MS);
  #streamed: Streamed[] = [];
  #isStale = false;
  #restsUntil = 0;

  /** `clock` gives milliseconds that never go back. */
  constructor(
    private readonly audience: Audience,
    private readonly clock: () => number,
  ) {}

  /** Publishes what happens in the sessions; of the background ones only the state. */
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

  /** Takes in an event of the running turn. */
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

  /** Forgets streamed text that waits, because a view is about to be told all of it. */
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
    for (const fact of streamed) this.audience.postToAgent(fact);
    if (!this.#isStale) return;
    const began = this.clock();
    if (began < this.#restsUntil) return this.#coalescer.request();
    this.#isStale = false;
    this.audience.publishState();
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

/** Runs a task soon after it was asked for, however often, and at most once per interval (ms). */
class Coalescer {
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
