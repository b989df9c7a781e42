import type { EventOf, NewEvent, SessionEvent } from '../../../../src/contextWindow/event';
import { fold } from '../../../../src/contextWindow/fold';
import type { Inspected } from '../../../../src/editor/session/inspected';
import { countDots, dated, drawnEvents, evicting } from '../../../support/drawing';
import { inspecting, lookedAt } from './inspecting';

function evictingBefore(beforeStep: number, blockId: string): NewEvent {
  const event = evicting(blockId) as EventOf<'passApplied'>;
  return { ...event, pass: { ...event.pass, beforeStep } };
}

/** A session of three steps; a pass evicted the first before the third. */
export const DRAWN = dated([
  ...drawnEvents(`
    1 anchor task 30
    1 step   a.ts 40
    1 step   b.ts 30
    2 prompt more 10
  `),
  evictingBefore(3, 'step-1'),
  ...drawnEvents(`
    2 prompt next 10
    2 step c.ts 20
  `).slice(1),
]);

/** A panel whose session can be replaced. */
export function panel(events: readonly SessionEvent[], name?: string) {
  const shown = { ...inspectedFrom(events, name) };
  const { inspection, warmed } = inspecting(() => shown, countDots);
  return {
    inspection,
    warmed,
    show: (other: readonly SessionEvent[], as?: string) =>
      Object.assign(shown, inspectedFrom(other, as)),
  };
}

/** The session of a log, with an optional name. */
export function inspectedFrom(events: readonly SessionEvent[], name?: string): Inspected {
  const window = fold(events);
  return lookedAt({ events, window: name === undefined ? window : { ...window, sessionId: name } });
}

/** The events before the reply of a step. */
export function prefixBefore(
  events: readonly SessionEvent[],
  step: number,
): readonly SessionEvent[] {
  return events.slice(
    0,
    events.findIndex((event) => event.type === 'replyReceived' && event.step === step),
  );
}
