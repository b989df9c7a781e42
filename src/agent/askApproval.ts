import type { ToolUse } from '../contextWindow/block';
import type { AgentDeps } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import type { EditsTogether, FurtherEdit } from './editsTogether';
import { GRACE_MS, stoppable } from './stoppable';
import type { Unruled } from './standing';
import { isClosing } from './stopping';
import type { ApprovalAnswer, ApprovalRequest } from './tool';

type Denial = Extract<ApprovalAnswer, { readonly approved: false }>;

export type Yes = Extract<Permission, { readonly type: 'yes' }>;

/** Whether a call may run; 'unanswered' where the window went before the user said anything. */
export type Permission =
  | {
      readonly type: 'yes';
      /** What the user said along with it. */
      readonly words: string;
      /** The rules that allowed it unasked, in words. */
      readonly allowedBy?: readonly string[];
      readonly inSandbox: boolean;
      /** The text that the user made of a proposed edit. */
      readonly revised?: string;
    }
  | { readonly type: 'no'; readonly answer: Denial }
  | 'unanswered';

/** Asks the rules of the user, and then the user, where a call needs it. */
export async function* askApproval(
  deps: AgentDeps,
  use: ToolUse,
  request: ApprovalRequest | undefined,
  signal: AbortSignal,
  edits: EditsTogether,
): AsyncGenerator<AgentEvent, Permission> {
  if (request === undefined) return { type: 'yes', words: '', inSandbox: false };
  const standing = await deps.standing?.(use, request);
  if (standing?.type === 'allow') {
    const { rules, inSandbox = false } = standing;
    return { type: 'yes', words: '', allowedBy: rules, inSandbox };
  }
  if (standing?.type === 'deny') {
    const message = `a rule of the user says no (${standing.rule}).`;
    return { type: 'no', answer: { approved: false, message } };
  }
  const said = edits.answerTo(use, request);
  if (said !== undefined) logAnswer(deps, use, said.approved);
  const further = said === undefined ? await edits.behind(use, request) : [];
  const shown = { ...(standing && { unruled: standing }), ...(further.length > 0 && { further }) };
  const answer = said ?? (yield* askUser(deps, use, request, signal, shown));
  edits.keep(further, answer);
  if (!answer.approved) return isClosing(signal) ? 'unanswered' : { type: 'no', answer };
  // The yes may have made a rule, and what that allows may be the sandbox alone.
  const ruled = await deps.standing?.(use, request);
  const inSandbox = ruled?.type === 'allow' && ruled.inSandbox === true;
  const revised = answer.revised?.[use.id];
  const words = said === undefined ? (answer.feedback?.trim() ?? '') : '';
  return { type: 'yes', words, inSandbox, ...(revised === undefined ? {} : { revised }) };
}

function logAnswer({ session }: AgentDeps, { id: toolUseId }: ToolUse, approved: boolean): void {
  session.append({ type: 'approvalAsked', toolUseId });
  session.append({ type: 'approvalAnswered', toolUseId, approved });
}

/** Asks the user, and puts question and answer into the log; a window that closes answers nothing. */
export async function* askUser(
  deps: AgentDeps,
  use: ToolUse,
  request: ApprovalRequest,
  signal: AbortSignal,
  shown: { readonly unruled?: Unruled; readonly further?: readonly FurtherEdit[] } = {},
): AsyncGenerator<AgentEvent, ApprovalAnswer> {
  const { id: toolUseId } = use;
  deps.session.append({ type: 'approvalAsked', toolUseId });
  yield { type: 'approvalAsked', use, request, ...shown };
  const asked = deps.approve(use, request, signal, shown.further);
  const answer = await stoppable(asked, signal, GRACE_MS, { approved: false } as const);
  const { approved } = answer;
  if (!approved && isClosing(signal)) return answer;
  deps.session.append({ type: 'approvalAnswered', toolUseId, approved });
  yield { type: 'approvalAnswered', use, approved };
  return answer;
}
