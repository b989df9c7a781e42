import type { TooLong } from '../agent/model';

/** "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease ..." */
const REPLY_TOO_LONG =
  /input length and \W?max_tokens\W? exceed context limit:\s*(\d+)\s*\+\s*(\d+)\s*>\s*(\d+)/i;

/** "prompt is too long: 208310 tokens > 200000 maximum", also "prompt is too long: 208380 > 200000". */
const PROMPT_TOO_LONG = /prompt is too long:\s*(\d+)\s*(?:tokens)?\s*>\s*(\d+)/i;

/** The same without numbers, where it is all that is said. */
const PROMPT_TOO_LONG_ALONE = /^prompt is too long\W*$/i;

/** "This model's maximum context length is 8192 tokens ...", as compatible servers put it. */
const MAXIMUM_CONTEXT_LENGTH = /maximum context length (?:is|of) (\d+)/i;

/**
 * Recognises an overflow by its words: the API gives it no code of its own.
 *
 * Anything else is undefined, a schema error above all: taken for an overflow it would compact a
 * window that has room (B6).
 */
export function overflowIn(apiMessage: string): TooLong | undefined {
  const reply = REPLY_TOO_LONG.exec(apiMessage);
  if (reply !== null) {
    const [inputTokens = 0, maxTokens = 0, limitTokens = 0] = reply.slice(1).map(Number);
    return { type: 'replyTooLong', inputTokens, maxTokens, limitTokens };
  }
  const prompt = PROMPT_TOO_LONG.exec(apiMessage);
  if (prompt !== null) {
    const [actualTokens = 0, limitTokens = 0] = prompt.slice(1).map(Number);
    return { type: 'overflow', actualTokens, limitTokens };
  }
  if (PROMPT_TOO_LONG_ALONE.test(apiMessage)) return { type: 'overflow' };
  const maximum = MAXIMUM_CONTEXT_LENGTH.exec(apiMessage);
  return maximum === null ? undefined : { type: 'overflow', limitTokens: Number(maximum[1]) };
}
