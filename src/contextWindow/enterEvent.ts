import type { NewEvent, SessionEvent } from './event';

/** The last numbers given in a session; 0 for none. */
export interface LastNumbers {
  readonly turn: number;
  readonly step: number;
  readonly note: number;
}

/** Completes a new event: its time (ms since the epoch), and the turn, step or note it begins. */
export function entered(event: NewEvent, at: number, last: LastNumbers): SessionEvent {
  switch (event.type) {
    case 'promptSubmitted':
      return { at, ...event, turn: last.turn + 1 };
    case 'replyReceived':
      return { at, ...event, step: last.step + 1 };
    case 'noteAdded':
      return { at, ...event, note: last.note + 1 };
    case 'scratchpadUpdated':
      return event.byUser === true || event.handedOver === true
        ? { at, ...event, note: last.note + 1 }
        : { at, ...event };
    default:
      return { at, ...event };
  }
}
