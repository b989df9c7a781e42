import { measure } from '../account/measure';
import { entered, type NewEvent } from '../event';
import { applyEvent } from '../fold';
import type { Amount } from '../plan';
import type { Estimate } from '../truncate';
import type { ContextWindow } from '../window';

/** The size of a window before and after a change. */
interface Movement {
  readonly before: Amount;
  readonly after: Amount;
}

/**
 * Calculates what a change does to the window (I15): the events are applied, and both windows are
 * measured. Buttons, ledger and refusals all use it, so that no one promises another number.
 */
export function movementOf(
  window: ContextWindow,
  events: readonly NewEvent[],
  estimate: Estimate,
): Movement {
  const after = windowAfter(window, events);
  return { before: measure(window, estimate).used, after: measure(after, estimate).used };
}

/** The window after some changes that have not been made. */
export function windowAfter(window: ContextWindow, events: readonly NewEvent[]): ContextWindow {
  return events.reduce((after, event) => applyEvent(after, entered(event, 0, after)), window);
}
