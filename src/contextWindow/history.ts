import type { ContextWindow } from './window';
import type { EventOf, SessionEvent } from './event';
import { EMPTY_WINDOW, fold } from './fold';

/** A window is saved every this many steps, so that going back folds fewer steps than that. */
const STEPS_APART = 64;

/** The most recently used windows that are kept, so that going back and forth is free. */
const REMEMBERED = 8;

/** The window after the first `taken` events. */
interface Checkpoint {
  readonly taken: number;
  readonly window: ContextWindow;
}

/** The position of a step's reply. */
interface Reply {
  /** Index among the events. */
  readonly index: number;
  /** Index among the steps. */
  readonly ordinal: number;
}

/**
 * Gives the window of any step of a session. It folds events only on demand, folds each of them
 * once, and saves windows on the way.
 */
export class WindowHistory {
  #events: readonly SessionEvent[] = [];
  /**
   * The number of events seen. Together with the first and last of them it shows whether the
   * session is still the same.
   */
  #seen = 0;
  #first: SessionEvent | undefined;
  #last: SessionEvent | undefined;
  /** By step number, in the order of the log. */
  readonly #replies = new Map<number, Reply>();
  /** In ascending order; the first is the empty window. */
  #checkpoints: Checkpoint[] = [{ taken: 0, window: EMPTY_WINDOW }];
  /** The furthest point any fold has reached. */
  #head: Checkpoint = { taken: 0, window: EMPTY_WINDOW };
  readonly #remembered = new Map<number, ContextWindow>();

  constructor(events: readonly SessionEvent[] = []) {
    this.follow(events);
  }

  get events(): readonly SessionEvent[] {
    return this.#events;
  }

  /** Follows the current events: the session has grown, or is another one. */
  follow(events: readonly SessionEvent[]): void {
    const isSame =
      events.length >= this.#seen &&
      (this.#seen === 0 || (events[0] === this.#first && events[this.#seen - 1] === this.#last));
    if (!isSame) this.#forget();
    this.#events = events;
    for (; this.#seen < events.length; this.#seen += 1) this.#notice(events[this.#seen]);
    this.#first = events[0];
    this.#last = events[this.#seen - 1];
  }

  get steps(): number {
    return this.#replies.size;
  }

  /** The step numbers in order; lost lines of the log leave gaps. */
  get stepNumbers(): Iterable<number> {
    return this.#replies.keys();
  }

  /** The reply of a step; undefined for an unknown step. */
  replyOf(step: number): EventOf<'replyReceived'> | undefined {
    const event = this.#events[this.#replies.get(step)?.index ?? -1];
    return event?.type === 'replyReceived' ? event : undefined;
  }

  /** The window from which the step's request was built; undefined for an unknown step. */
  windowBefore(step: number): ContextWindow | undefined {
    const reply = this.#replies.get(step);
    return reply === undefined ? undefined : this.#windowAt(reply.index);
  }

  /** The window after the step and all results of its calls; undefined for an unknown step. */
  windowAfter(step: number): ContextWindow | undefined {
    const reply = this.#replies.get(step);
    return reply === undefined ? undefined : this.#windowAt(this.#endOf(reply));
  }

  #forget(): void {
    this.#seen = 0;
    this.#replies.clear();
    this.#checkpoints = [{ taken: 0, window: EMPTY_WINDOW }];
    this.#head = { taken: 0, window: EMPTY_WINDOW };
    this.#remembered.clear();
  }

  #notice(event: SessionEvent | undefined): void {
    if (event?.type !== 'replyReceived' || this.#replies.has(event.step)) return;
    this.#replies.set(event.step, { index: this.#seen, ordinal: this.#replies.size });
  }

  /**
   * The number of events up to the step's last result. A late result does not pull later steps in.
   */
  #endOf({ index }: Reply): number {
    const reply = this.#events[index];
    if (reply?.type !== 'replyReceived') return index;
    const calls = callsOf(reply);
    let end = index + 1;
    for (let at = end; at < this.#seen; at += 1) {
      const event = this.#events[at];
      if (event?.type === 'replyReceived' || event?.type === 'promptSubmitted') break;
      if (event?.type === 'toolFinished' && calls.has(event.toolUseId)) end = at + 1;
    }
    return end;
  }

  #windowAt(taken: number): ContextWindow {
    const known = this.#remembered.get(taken);
    const window = known ?? this.#fold(taken);
    this.#remembered.delete(taken);
    this.#remembered.set(taken, window);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
    return window;
  }

  #fold(taken: number): ContextWindow {
    const start = this.#nearest(taken);
    let { window } = start;
    let folded = start.taken;
    const foldTo = (end: number): void => {
      window = fold(this.#events.slice(folded, end), window);
      folded = end;
    };
    for (let at = start.taken; at < taken; at += 1) {
      const event = this.#events[at];
      if (event?.type !== 'replyReceived' || !this.#isDue(event.step, at)) continue;
      foldTo(at);
      this.#checkpoints.push({ taken: at, window });
    }
    foldTo(taken);
    if (taken > this.#head.taken) this.#head = { taken, window };
    return window;
  }

  #nearest(taken: number): Checkpoint {
    if (this.#head.taken <= taken) return this.#head;
    const before = this.#checkpoints.findLast((checkpoint) => checkpoint.taken <= taken);
    return before ?? { taken: 0, window: EMPTY_WINDOW };
  }

  /** Says whether to save the window before a step. */
  #isDue(step: number, taken: number): boolean {
    const ordinal = this.#replies.get(step)?.ordinal ?? 0;
    const newest = this.#checkpoints.at(-1)?.taken ?? 0;
    return taken > newest && ordinal % STEPS_APART === 0;
  }
}

function callsOf({ parts }: EventOf<'replyReceived'>): ReadonlySet<string> {
  return new Set(parts.flatMap((part) => (part.type === 'toolUse' ? [part.use.id] : [])));
}

/** The window right before a prompt was typed; `promptId` names its block. */
export function windowBeforePrompt(
  events: readonly SessionEvent[],
  promptId: string,
): ContextWindow {
  const asked = events.findIndex(
    (event) => event.type === 'promptSubmitted' && `prompt-${event.turn}` === promptId,
  );
  return fold(events.slice(0, Math.max(0, asked)));
}
