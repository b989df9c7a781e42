import type { ToolUseId } from './block';
import type { EventOf, SessionEvent, TurnOutcome } from './event';

/** How the newest turn stands in the log; `open`: it runs, or a crash ended it. */
export type TurnEnd = TurnOutcome | { readonly type: 'none' } | { readonly type: 'open' };

/** Says how the newest turn ended. */
export function turnEnd(events: readonly SessionEvent[]): TurnEnd {
  const last = events.findLast(
    ({ type }) => type === 'promptSubmitted' || type === 'turnContinued' || type === 'turnEnded',
  );
  if (last === undefined) return { type: 'none' };
  return last.type === 'turnEnded' ? last.outcome : { type: 'open' };
}

/**
 * The call about which the user was asked, and has not answered. It did not run, nor did any behind
 * it in the same reply. Undefined where no question is open.
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
];

/** Says whether events of a type may follow the end of the work without going on with it. */
export function isHousekeeping(type: string): boolean {
  return HOUSEKEEPING.includes(type);
}

/** The newest event of a type that came after the work had ended as it ends now; undefined for none. */
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
