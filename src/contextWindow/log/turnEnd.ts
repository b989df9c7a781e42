import type { ToolUseId } from '../block';
import type { SessionEvent } from '../event';
import type { TurnOutcome } from '../turnOutcome';

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
