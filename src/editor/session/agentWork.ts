import { stripVTControlCharacters } from 'node:util';
import type { AgentDeps } from '../../agent/agentDeps';
import type { AgentEvent } from '../../agent/agentEvent';
import { redactedEvents } from '../../agent/redactedEvents';
import type { Refusal } from '../../contextWindow/result';
import { IDLE, liveAfter, type LiveTurn } from './liveTurn';
import type { ControllerEffects, TurnParts, TurnRefused } from './controllerEffects';

/** The result of work by the agent, or what stood in its way. */
type Ran<T> = { readonly ok: true; readonly value: T } | TurnRefused;

/** Work of the agent on a session, which tells what happens. */
type Work<T> = (deps: AgentDeps, signal: AbortSignal) => AsyncGenerator<AgentEvent, T>;

/** The agent at work: one turn or pass at a time, what it does right now, and the end of it. */
export class AgentWork {
  #live: LiveTurn = IDLE;
  #running: Promise<void> | undefined;
  #stop: AbortController | undefined;

  constructor(
    private readonly effects: Pick<ControllerEffects, 'prepareTurn' | 'changed' | 'heard' | 'now'>,
    /** Completes what a turn is run with; called once everything else is at hand. */
    private readonly depsOf: (parts: TurnParts) => AgentDeps,
  ) {}

  get live(): LiveTurn {
    return this.#live;
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** Is busy until the work has settled; it must not reject. */
  occupy(work: () => Promise<void>): Promise<void> {
    const running = work().finally(() => {
      this.#running = undefined;
      this.effects.changed();
    });
    this.#running = running;
    return running;
  }

  /** Runs work that the user can stop; `heard` is called after each thing that happens. */
  async run<T>(work: Work<T>, heard = (): void => undefined): Promise<Ran<T>> {
    const stop = new AbortController();
    this.#stop = stop;
    this.#live = { activity: { state: 'asking', since: this.effects.now() } };
    this.effects.changed();
    try {
      const prepared = await this.effects.prepareTurn();
      if (!prepared.ok) return prepared;
      const events = redactedEvents(work(this.depsOf(prepared.parts), stop.signal));
      return { ok: true, value: await this.#listen(events, heard) };
    } finally {
      this.#stop = undefined;
      this.#live = IDLE;
      this.effects.changed();
    }
  }

  /** Stops what runs at once; `reason` says why, where the user did not ask for it. */
  stop(reason?: Error): void {
    if (this.#stop === undefined) return;
    this.#live = { ...this.#live, activity: { state: 'stopping' } };
    this.#stop.abort(reason);
    this.effects.changed();
  }

  /** Ends the pause before a request is sent again. */
  tryNow(): Refusal {
    const { tryNow } = this.#live;
    if (tryNow === undefined) return 'Nothing waits to be tried again.';
    tryNow();
    return undefined;
  }

  /** Settles once nothing runs any more. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #listen<T>(events: AsyncGenerator<AgentEvent, T>, heard: () => void): Promise<T> {
    let next = await events.next();
    for (; next.done !== true; next = await events.next()) {
      const event = readable(next.value);
      this.#live = liveAfter(this.#live, event, this.effects.now());
      this.effects.heard(event);
      heard();
    }
    return next.value;
  }
}

/** Removes colour codes from live output: the views show text. */
function readable(event: AgentEvent): AgentEvent {
  return event.type === 'toolOutput'
    ? { ...event, text: stripVTControlCharacters(event.text) }
    : event;
}
