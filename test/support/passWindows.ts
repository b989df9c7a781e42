import type { ContextWindow } from '../../src/contextWindow/window';
import { applyEvent, EMPTY_WINDOW } from '../../src/contextWindow/fold';
import type { Played } from './player';

/** Every pass, with the windows directly before and after it. */
export function passesOf(events: Played['events']) {
  const windows = windowsOf(events);
  return events.flatMap((event, index) =>
    event.type === 'passApplied'
      ? [{ event, before: windows[index]!, pass: event.pass, after: windows[index + 1]! }]
      : [],
  );
}

const WINDOWS = new WeakMap<Played['events'], readonly ContextWindow[]>();

/** The windows before the first event and after each one, folded once for all checks. */
export function windowsOf(events: Played['events']): readonly ContextWindow[] {
  const known = WINDOWS.get(events);
  if (known?.length === events.length + 1) return known;
  const windows = [EMPTY_WINDOW];
  for (const event of events) windows.push(applyEvent(windows.at(-1)!, event));
  WINDOWS.set(events, windows);
  return windows;
}
