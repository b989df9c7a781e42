import type { EditsTogether, FurtherEdit } from './editsTogether';
import type { ToolUse } from '../../contextWindow/block';
import { type Mode, modeOf } from '../../contextWindow/mode';
import type { AgentDeps } from '../agentDeps';
import type { AgentEvent } from '../agentEvent';
import { GRACE_MS, isClosing, stoppable } from '../stopping';
import type { ApprovalAnswer, ApprovalRequest } from '../tool';
import type { Unruled } from './decide';

type Denial = Extract<ApprovalAnswer, { readonly approved: false }>;

export type Yes = Extract<Permission, { readonly type: 'yes' }>;

/** Whether a call may run; 'unanswered' when the window closed before the user answered. */
type Permission =
  | {
      readonly type: 'yes';
      /** The user's text with the approval. */
      readonly words: string;
      /** Text of the rules that allowed it without asking. */
      readonly allowedBy?: readonly string[];
      readonly inSandbox: boolean;
      /** The user's version of a proposed edit. */
      readonly revised?: string;
    }
  | { readonly type: 'no'; readonly answer: Denial }
  | 'unanswered';

/** Checks the user's rules and then asks the user, if a call needs approval. */
export async function* askApproval(
  deps: AgentDeps,
  use: ToolUse,
  request: ApprovalRequest | undefined,
  signal: AbortSignal,
  edits: EditsTogether,
): AsyncGenerator<AgentEvent, Permission> {
  if (request === undefined) return { type: 'yes', words: '', inSandbox: false };
  const byRules = await deps.answerByRules?.(use, request);
  if (byRules?.type === 'allow') {
    const { rules, inSandbox = false } = byRules;
    return { type: 'yes', words: '', allowedBy: rules, inSandbox };
  }
  if (byRules?.type === 'deny') {
    const message = `a rule of the user denies it (${byRules.rule}).`;
    return { type: 'no', answer: { approved: false, message } };
  }
  if (isAcceptedByMode(deps, request, byRules)) {
    return { type: 'yes', words: '', allowedBy: [BY_MODE], inSandbox: false };
  }
  const said = edits.answerTo(use, request);
  if (said !== undefined) logAnswer(deps, use, said.approved);
  const further = said === undefined ? await edits.behind(use, request) : [];
  const shown = { ...(byRules && { unruled: byRules }), ...(further.length > 0 && { further }) };
  const answer = said ?? (yield* askUser(deps, use, request, signal, shown));
  edits.keep(further, answer);
  if (!answer.approved) return isClosing(signal) ? 'unanswered' : { type: 'no', answer };
  // The answer may have created a rule that allows the call in the sandbox only.
  const ruled = await deps.answerByRules?.(use, request);
  const inSandbox = ruled?.type === 'allow' && ruled.inSandbox === true;
  const revised = answer.revised?.[use.id];
  const words = said === undefined ? (answer.feedback?.trim() ?? '') : '';
  return { type: 'yes', words, inSandbox, revised };
}

/** The current mode; a sub-agent has its parent's. */
export function modeNow({ session, mode }: Pick<AgentDeps, 'session' | 'mode'>): Mode {
  return mode === undefined ? modeOf(session.window) : mode();
}

/** Stands for the rule where the mode allowed an edit. */
export const BY_MODE = 'mode: accept edits';

/** Whether the mode accepts an edit: of an ordinary file of the workspace, saved as it is shown. */
function isAcceptedByMode(
  deps: AgentDeps,
  request: ApprovalRequest,
  byRules: Unruled | undefined,
): boolean {
  return (
    modeNow(deps) === 'acceptEdits' &&
    request.kind === 'edit' &&
    request.lasting === undefined &&
    request.profile === undefined &&
    request.unsaved !== true &&
    byRules?.why === undefined
  );
}

function logAnswer({ session }: AgentDeps, { id: toolUseId }: ToolUse, approved: boolean): void {
  session.append({ type: 'approvalAsked', toolUseId });
  session.append({ type: 'approvalAnswered', toolUseId, approved });
}

/** Asks the user and logs question and answer; a closing window answers nothing. */
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

/** Introduces the user's own text in a result. */
const SAYS = '\nThe user says: ';
const ALLOWED = '\n\nThe user allowed this and says: ';
const NOT_DONE = ' Not done: ';
const BY_RULE = 'Denied: ';

/**
 * Tells the model that a call was denied, or its question not answered; `action` names the call in
 * one line.
 */
export function deniedText(
  action: string,
  answer: Extract<ApprovalAnswer, { readonly approved: false }>,
  kind?: ApprovalRequest['kind'],
): string {
  const { message, feedback } = answer;
  if (kind === 'question') {
    const why = message === undefined ? 'The user gave no answer.' : `${BY_RULE}${message}`;
    return `${why}${NOT_DONE}the question has no answer. Go on as you think best, or end and say what you need to know.`;
  }
  const who = message === undefined ? 'Denied by the user.' : `${BY_RULE}${message}`;
  const said = feedback?.trim() ?? '';
  const words = said === '' ? '' : `${SAYS}${said}`;
  return `${who}${NOT_DONE}${action}. Nothing was changed.${words}`;
}

/** Adds the user's text to the result of an approved call. */
export function allowedText(text: string, words: string): string {
  return words === '' ? text : `${text}${ALLOWED}${words}`;
}

/** Why a call was denied: the user's text or the rule; undefined without a reason. */
export function whyDenied(text: string): string | undefined {
  const at = text.indexOf(SAYS);
  if (at >= 0) return text.slice(at + SAYS.length);
  return text.startsWith(BY_RULE) ? text.slice(BY_RULE.length).split(NOT_DONE)[0] : undefined;
}

/** A result without the user's text at its end. */
export function withoutWords(text: string): string {
  const at = text.lastIndexOf(ALLOWED);
  return at < 0 ? text : text.slice(0, at);
}
