import type { SessionEvent } from '../../src/contextWindow/event';
import { EMPTY_TIMELINE, extendTimeline, type Timeline } from '../../src/contextWindow/timeline';
import type { ContextWindow } from '../../src/contextWindow/window';

/** Makes the timeline of a session in one go; `window` is the fold of the same events. */
export function timelineOf(
  events: Iterable<SessionEvent>,
  window: Pick<ContextWindow, 'refaults' | 'ledger'>,
): Timeline {
  return extendTimeline(EMPTY_TIMELINE, events, window);
}
