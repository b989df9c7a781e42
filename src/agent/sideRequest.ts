import type { AskPurpose } from '../contextWindow/event';
import type { AgentSettings } from './agentDeps';
import type { Model, ModelRequest, ModelResult, Reply } from './model';
import type { Session } from './session';
import type { SummaryJob } from '../contextWindow/plan';

/** Who is asked, and where the answer is logged; a replay has a window and keeps no log. */
export interface Asking {
  readonly model: Model;
  readonly session: Partial<Pick<Session, 'append'>>;
}

/**
 * Asks a model for something that is not a step, and waits for the whole answer. What the answer
 * took is logged before anybody looks at it, since it may be refused or not be used.
 */
export async function askSideRequest(
  { model, session }: Asking,
  purpose: AskPurpose,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelResult> {
  const asking = model.ask(request, signal);
  let next = await asking.next();
  while (next.done !== true) next = await asking.next();
  const result = next.value;
  if (result.ok) {
    const { model: by, usage } = result.reply;
    session.append?.({ type: 'modelAsked', purpose, model: by, usage });
  }
  return result;
}

/** A side request may go to another model, which may write less than the one at work; tokens. */
const MOST_SIDE_REPLY_TOKENS = 8_192;

/** Most tokens of the answer to a side request, its thinking included. */
export function sideReplyTokens({ budget }: Pick<AgentSettings, 'budget'>): number {
  return Math.min(budget.maxReplyTokens, MOST_SIDE_REPLY_TOKENS);
}

/** Beginnings of a text that is an error and not a summary. */
const ERROR = [
  /^(?:the )?(?:api |http |internal |server )*error\b\s*(?:[:(\d]|generating|while|occurred|calling|from|in the)/i,
  /^(?:request|call|connection) (?:failed|timed out)\b/i,
  /^\W*\{\s*"(?:error"|type"\s*:\s*"error")/,
  /^\W*[a-z_]+_error\b/,
  /^prompt is too long\b/i,
];

/** The beginning of a text in which the model refuses. */
const REFUSAL =
  /^(?:sorry\b|unfortunately,? i\b|as an ai\b|i(?:['’]m| am) (?:sorry|unable|not able|afraid)\b|i (?:cannot|can['’]t|can not|could not|couldn['’]t|won['’]t|am not able|do not have|don['’]t have)\b)/i;

/** The text of a reply, without its thinking. */
export function wordsOf({ parts }: Reply): string {
  return parts
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
    .trim();
}

/**
 * Why a reply cannot stand in the window as a summary, whatever its size; undefined when it can.
 */
export function whyNoSummary(reply: Reply): string | undefined {
  if (reply.stopReason !== 'end_turn') return `the model stopped: ${reply.stopReason}`;
  const text = wordsOf(reply);
  if (text === '') return 'the model wrote nothing';
  if (ERROR.some((begins) => begins.test(text))) return 'the model’s answer is an error text';
  return REFUSAL.test(text) ? 'the model said it could not' : undefined;
}

/** Why a summary of this size is no progress; undefined when it is, or when nothing is to make room. */
export function whyTooLarge(
  tokens: number,
  { tokensBefore }: Partial<Pick<SummaryJob, 'tokensBefore'>>,
): string | undefined {
  return tokensBefore === undefined || tokens < tokensBefore / 2
    ? undefined
    : `the model wrote ${tokens} tokens for ${tokensBefore}`;
}

/** Cuts a summary at its cap, visibly; `size` gives the tokens a text takes as a summary. */
export function withinCap(text: string, maxTokens: number, size: (text: string) => number): string {
  if (size(text) <= maxTokens) return text;
  const cut = (chars: number) => {
    const head = text.slice(0, chars);
    const line = head.lastIndexOf('\n');
    return `${(line > chars / 2 ? head.slice(0, line) : head).trimEnd()}\n[Cut here: a summary may have ${maxTokens} tokens.]`;
  };
  let chars = text.length;
  while (chars > 1 && size(cut(chars)) > maxTokens) chars = Math.floor(chars * 0.9);
  return cut(chars).toWellFormed();
}
