import type { ToolUseId } from './block';
import type { EventOf, SessionEvent, TurnOutcome } from './event';

/** The state of the newest turn in the log; `open`: it is running, or a crash ended it. */
export type TurnEnd = TurnOutcome | { readonly type: 'none' } | { readonly type: 'open' };

export function turnEnd(events: readonly SessionEvent[]): TurnEnd {
  const last = events.findLast(
    ({ type }) => type === 'promptSubmitted' || type === 'turnContinued' || type === 'turnEnded',
  );
  if (last === undefined) return { type: 'none' };
  return last.type === 'turnEnded' ? last.outcome : { type: 'open' };
}

/**
 * The call that still waits for the user's approval; undefined for none. Neither it nor any later
 * call of the same reply has run.
 */
export function awaitedApproval(events: readonly SessionEvent[]): ToolUseId | undefined {
  const last = events.findLast(
    ({ type }) =>
      type === 'approvalAsked' ||
      type === 'approvalAnswered' ||
      type === 'toolFinished' ||
      type === 'replyReceived' ||
      type === 'promptSubmitted',
  );
  return last?.type === 'approvalAsked' ? last.toolUseId : undefined;
}

const HOUSEKEEPING = [
  'stateSet',
  'queueChanged',
  'modelAsked',
  'sessionSummarised',
  'handedOver',
  'closeCommandRan',
  'commandEnded',
  'sessionClosed',
  'modeSet',
];

/** Says whether an event of this type can follow the end of the work without continuing it. */
export function isHousekeeping(type: string): boolean {
  return HOUSEKEEPING.includes(type);
}

/** The newest event of a type since the work ended; undefined for none. */
export function foundAtEnd<T extends 'sessionSummarised' | 'closeCommandRan'>(
  events: readonly SessionEvent[],
  type: T,
): EventOf<T> | undefined {
  const worked = events.findLastIndex((event) => !isHousekeeping(event.type));
  const found = events.findLast(
    (event, index): event is EventOf<T> => index > worked && event.type === type,
  );
  return found;
}
