import type { ToolUse } from '../contextWindow/block';
import type { Pass, Trigger } from '../contextWindow/plan';
import type { ModelWait } from './model';
import type { FurtherEdit } from './editsTogether';
import type { Unruled } from './standing';
import type { ApprovalRequest } from './tool';

/**
 * What happens during a turn, as it happens. Lasting facts are also in the session's log; these
 * events tell a view when to look, and carry what is only of the moment.
 */
export type AgentEvent =
  | { readonly type: 'askStarted'; readonly step: number }
  | { readonly type: 'textDelta'; readonly step: number; readonly text: string }
  /** More of what the model thinks; with `anew` the reply is written anew, and so is its thinking. */
  | {
      readonly type: 'thinkingDelta';
      readonly step: number;
      readonly text: string;
      readonly anew?: true;
    }
  | { readonly type: 'toolUseStreaming'; readonly step: number; readonly name: string }
  | ModelWait
  | { readonly type: 'replyReceived'; readonly step: number }
  | {
      readonly type: 'approvalAsked';
      readonly use: ToolUse;
      readonly request: ApprovalRequest;
      /** What rules would answer it; absent where there are none to be made. */
      readonly unruled?: Unruled;
      /** Edits of the same reply that may be answered along with this one. */
      readonly further?: readonly FurtherEdit[];
    }
  | { readonly type: 'approvalAnswered'; readonly use: ToolUse; readonly approved: boolean }
  | { readonly type: 'toolStarted'; readonly use: ToolUse }
  | { readonly type: 'toolOutput'; readonly use: ToolUse; readonly text: string }
  | { readonly type: 'toolFinished'; readonly use: ToolUse }
  | { readonly type: 'counting' }
  | { readonly type: 'passStarted'; readonly trigger: Trigger }
  /** A pass waits for the user's answer, or has got it. */
  | { readonly type: 'passProposed'; readonly trigger: Trigger }
  | { readonly type: 'passReviewed'; readonly applied: boolean }
  | { readonly type: 'passFinished'; readonly pass: Pass }
  /**
   * Something the user should know that stops nothing, for example that an estimate stands in for a
   * count.
   */
  | { readonly type: 'notice'; readonly message: string }
  /** The same, where the next event must not hide it. */
  | { readonly type: 'warning'; readonly message: string };
