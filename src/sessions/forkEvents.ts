import type { SessionEvent } from '../contextWindow/event';

/**
 * The events a fork takes over: everything after the beginning, up to and including the last tool
 * result of the step, and the end of its turn if it was the last step. Undefined when the session has
 * no such step.
 */
export function forkEvents(
  events: readonly SessionEvent[],
  step: number,
): readonly SessionEvent[] | undefined {
  const reply = events.findIndex((event) => event.type === 'replyReceived' && event.step === step);
  const asked = events[reply];
  if (asked?.type !== 'replyReceived') return undefined;
  const calls = new Set(
    asked.parts.flatMap((part) => (part.type === 'toolUse' ? [part.use.id] : [])),
  );
  const lastResult = events.findLastIndex(
    (event) => event.type === 'toolFinished' && calls.has(event.toolUseId),
  );
  // A result that came late, after a damaged line, does not bring later steps along.
  const next = events.findIndex(
    (event, index) =>
      index > reply && (event.type === 'replyReceived' || event.type === 'promptSubmitted'),
  );
  const end = Math.max(reply, lastResult);
  const taken = next === -1 ? end + 1 : Math.min(next, end + 1);
  const rest = events.slice(taken, next === -1 ? undefined : next);
  const ended = rest.find(({ type }) => type === 'turnEnded');
  // What waits to be sent is not of the fork: it stays with its session.
  const happened = events.slice(1, taken).filter(({ type }) => type !== 'queueChanged');
  return [...happened, ...(ended === undefined ? [] : [ended])];
}
