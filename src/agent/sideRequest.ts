import type { AskPurpose } from '../contextWindow/event';
import type { AgentSettings } from './agentDeps';
import type { Model, ModelRequest, ModelResult, Reply } from './model';
import type { Session } from './session';
import type { SummaryJob } from '../contextWindow/plan';

/** A model, and a log for the usage; a replay has no log. */
interface Asking {
  readonly model: Model;
  readonly session: Partial<Pick<Session, 'append'>>;
}

/**
 * Asks a model for something other than a step, and waits for the whole answer. Logs the usage
 * before anything checks the answer, because it may be rejected.
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

/** A side request may go to another model with a lower reply limit; tokens. */
const MOST_SIDE_REPLY_TOKENS = 8_192;

/** Reply limit of a side request, thinking included. */
export function sideReplyTokens({ budget }: Pick<AgentSettings, 'budget'>): number {
  return Math.min(budget.maxReplyTokens, MOST_SIDE_REPLY_TOKENS);
}

/** How error texts begin. */
const ERROR = [
  /^(?:the )?(?:api |http |internal |server )*error\b\s*(?:[:(\d]|generating|while|occurred|calling|from|in the)/i,
  /^(?:request|call|connection) (?:failed|timed out)\b/i,
  /^\W*\{\s*"(?:error"|type"\s*:\s*"error")/,
  /^\W*[a-z_]+_error\b/,
  /^prompt is too long\b/i,
];

/** How refusals begin. */
const REFUSAL =
  /^(?:sorry\b|unfortunately,? i\b|as an ai\b|i(?:['’]m| am) (?:sorry|unable|not able|afraid)\b|i (?:cannot|can['’]t|can not|could not|couldn['’]t|won['’]t|am not able|do not have|don['’]t have)\b)/i;

/** The text of a reply, without its thinking. */
export function wordsOf({ parts }: Pick<Reply, 'parts'>): string {
  return parts
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
    .trim();
}

/** Why a reply cannot serve as a summary, whatever its size; undefined when it can. */
export function whyNoSummary(reply: Reply): string | undefined {
  if (reply.stopReason !== 'end_turn') return `the model stopped: ${reply.stopReason}`;
  const text = wordsOf(reply);
  if (text === '') return 'the model wrote nothing';
  if (ERROR.some((begins) => begins.test(text))) return 'the model answered with an error text';
  return REFUSAL.test(text) ? 'the model refused' : undefined;
}

/** Why a summary is too large; undefined when it is not, or when it need not make room. */
export function whyTooLarge(
  tokens: number,
  { tokensBefore }: Partial<Pick<SummaryJob, 'tokensBefore'>>,
): string | undefined {
  return tokensBefore === undefined || tokens < tokensBefore / 2
    ? undefined
    : `the model wrote ${tokens} tokens for ${tokensBefore}`;
}

/** Cuts a summary at its cap, visibly; `size` gives its tokens. */
export function withinCap(text: string, maxTokens: number, size: (text: string) => number): string {
  if (size(text) <= maxTokens) return text;
  const cut = (chars: number) => {
    const head = text.slice(0, chars);
    const line = head.lastIndexOf('\n');
    return `${(line > chars / 2 ? head.slice(0, line) : head).trimEnd()}\n[Cut here: at most ${maxTokens} tokens.]`;
  };
  let chars = text.length;
  while (chars > 1 && size(cut(chars)) > maxTokens) chars = Math.floor(chars * 0.9);
  return cut(chars).toWellFormed();
}
