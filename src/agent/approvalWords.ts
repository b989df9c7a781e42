import type { ApprovalAnswer, ApprovalRequest } from './tool';

/** What comes before the user's own words, in what the model is told of their answer. */
const SAYS = '\nThe user says: ';
const ALLOWED = '\n\nThe user allowed this and says: ';
const NOT_DONE = ' Not done: ';
const BY_RULE = 'Denied: ';

/**
 * Tells the model that a call was denied, or its question not answered; `action` is what was not
 * done, in one line.
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

/** Adds what the user said along with a yes to what the call answered. */
export function allowedText(text: string, words: string): string {
  return words === '' ? text : `${text}${ALLOWED}${words}`;
}

/** Why a call was denied: the user's words, or the rule; undefined where the user gave no words. */
export function whyDenied(text: string): string | undefined {
  const at = text.indexOf(SAYS);
  if (at >= 0) return text.slice(at + SAYS.length);
  return text.startsWith(BY_RULE) ? text.slice(BY_RULE.length).split(NOT_DONE)[0] : undefined;
}

/** What a call answered, without the user's words behind it. */
export function withoutWords(text: string): string {
  const at = text.lastIndexOf(ALLOWED);
  return at < 0 ? text : text.slice(0, at);
}
