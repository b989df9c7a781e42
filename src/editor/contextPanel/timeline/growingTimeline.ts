import type { SessionEvent } from '../../../contextWindow/event';
import type { ContextWindow } from '../../../contextWindow/window';
import { EMPTY_TIMELINE, extendTimeline, type Timeline } from '../../../contextWindow/timeline';

/** The timeline of a session that grows: only the events that are new are read. */
export class GrowingTimeline {
  #timeline: Timeline = EMPTY_TIMELINE;
  /** The events it was made of: by these it knows its session. */
  #read: { readonly first?: SessionEvent; readonly last?: SessionEvent; readonly count: number } = {
    count: 0,
  };

  /** Reads what came in since; begins anew where the events are another session's. */
  of(events: readonly SessionEvent[], window: ContextWindow): Timeline {
    const { first, last, count } = this.#read;
    const isGrown =
      count > 0 && events.length >= count && events[0] === first && events[count - 1] === last;
    const start = isGrown ? count : 0;
    const timeline = isGrown ? this.#timeline : EMPTY_TIMELINE;
    this.#timeline = extendTimeline(timeline, events.slice(start), window);
    this.#read = { count: events.length, ...ends(events) };
    return this.#timeline;
  }
}

function ends(events: readonly SessionEvent[]) {
  const [first] = events;
  const last = events.at(-1);
  return first === undefined || last === undefined ? {} : { first, last };
}
