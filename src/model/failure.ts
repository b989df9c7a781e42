import { SECRET_MARK } from '../agent/secrets/knownSecrets';
import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
} from '@anthropic-ai/sdk';
import type { ModelFailure, TooLong } from '../agent/model';
import { MissingKeyError, RedirectError } from './client';
import { isCount } from './apiUsage';
import { errorText } from '../contextWindow/result';
import { isObject } from '../contextWindow/json';

type FailureType = ModelFailure['type'];

/** The server that a failure message may name, and the key it must not. */
interface FailureContext {
  readonly baseUrl: string;
  /** The API key, redacted in every message. */
  readonly secret?: string | undefined;
}

/** Translates everything the SDK throws into the agent's failures; no other code does. */
export function failureOf(error: unknown, context: FailureContext): ModelFailure {
  const failure = translate(error, serverOf(context.baseUrl));
  return { ...failure, message: withoutSecrets(failure.message, context.secret) };
}

/** The failure of a stream that broke off; not temporary if it would break again. */
export function streamCut(why: string, isPassing = true): ModelFailure {
  const message = `The reply broke off: ${why} None of its tool calls ran.`;
  return { type: 'streamCut', message, ...(isPassing ? {} : { isPassing }) };
}

export const ABORTED: ModelFailure = { type: 'aborted', message: 'The request was stopped.' };

function translate(error: unknown, server: string): ModelFailure {
  if (error instanceof MissingKeyError) {
    const message =
      'There is no API key. Set it with “Plimsoll: Set the Anthropic API Key”, or in the environment variable ANTHROPIC_API_KEY.';
    return { type: 'authentication', message };
  }
  if (error instanceof APIUserAbortError) return ABORTED;
  if (error instanceof RedirectError) return redirected(error, server);
  if (error instanceof APIConnectionTimeoutError) {
    const message = `${server} did not answer in time. Check the connection, then try again.`;
    return { type: 'network', message };
  }
  if (error instanceof APIConnectionError) {
    const message = `Could not reach ${server}${causeOf(error)}. Check the connection and plimsoll.baseUrl.`;
    return { type: 'network', message };
  }
  if (error instanceof APIError) return translateAnswer(error);
  const words = errorText(error);
  const message = words.includes('Invalid URL')
    ? `plimsoll.baseUrl is not a valid address: ${server}`
    : `The request could not be sent: ${words}`;
  return { type: 'invalidRequest', message };
}

function redirected({ status, place }: RedirectError, server: string): ModelFailure {
  const where = place ?? 'an address that it does not name';
  const message =
    `${server} points to ${where}${status === undefined ? '' : ` (${status})`}. Plimsoll follows no redirect, ` +
    'so nothing was sent there. If that is the right server, set its address in plimsoll.baseUrl.';
  return { type: 'redirected', message, status };
}

function translateAnswer(error: APIError): ModelFailure {
  const words = wordsOf(error);
  const given = {
    status: error.status,
    ...(typeof error.requestID === 'string' && { requestId: error.requestID }),
  };
  const type = typeOf(error, words);
  const overflow = type === 'invalidRequest' ? overflowIn(words) : undefined;
  if (overflow?.type === 'replyTooLong') {
    return { ...given, ...overflow, message: `Input and reply together are too long: ${words}` };
  }
  if (overflow !== undefined) {
    return { ...given, ...overflow, message: `The request is too long for the model: ${words}` };
  }
  const message = sentence(type, words);
  const pauseMs = retryAfterMs(error.headers);
  const isPassing = mayTryAgain(error.headers);
  return {
    ...given,
    type,
    message,
    retryAfterMs: pauseMs,
    isPassing,
  };
}

/** The server's advice on retrying; undefined without any. */
function mayTryAgain(headers: Headers | undefined): boolean | undefined {
  const said = headers?.get('x-should-retry');
  return said === 'true' ? true : said === 'false' ? false : undefined;
}

type AnsweredType = Exclude<
  FailureType,
  'overflow' | 'replyTooLong' | 'network' | 'redirected' | 'unavailable' | 'streamCut' | 'aborted'
>;

/** Decides by the status. An error inside a stream has none, so the API's own type decides. */
function typeOf(error: APIError, words: string): AnsweredType {
  if (/credit balance is too low/i.test(words)) return 'billing';
  return (
    (error.status === undefined ? undefined : typeOfStatus(error.status)) ??
    TYPES.get(error.type ?? '') ??
    'server'
  );
}

const TYPES: ReadonlyMap<string, AnsweredType> = new Map(
  Object.entries<AnsweredType>({
    invalid_request_error: 'invalidRequest',
    authentication_error: 'authentication',
    billing_error: 'billing',
    permission_error: 'permission',
    not_found_error: 'notFound',
    request_too_large: 'requestTooLarge',
    rate_limit_error: 'rateLimited',
    overloaded_error: 'overloaded',
  }),
);

function typeOfStatus(status: number): AnsweredType {
  switch (status) {
    case 401:
      return 'authentication';
    case 402:
      return 'billing';
    case 403:
      return 'permission';
    case 404:
      return 'notFound';
    case 413:
      return 'requestTooLarge';
    case 429:
      return 'rateLimited';
    case 529:
      return 'overloaded';
    case 408:
    case 409:
      return 'server';
    default:
      return status >= 500 ? 'server' : 'invalidRequest';
  }
}

/** Says what happened and what to do, then quotes the API. */
function sentence(type: AnsweredType, words: string): string {
  const said = words === '' ? '' : ` (${words})`;
  switch (type) {
    case 'authentication':
      return `The API key was refused. Set another with “Plimsoll: Set the Anthropic API Key”, or in the environment variable ANTHROPIC_API_KEY.${said}`;
    case 'billing':
      return `The account cannot pay for this request. Check its credit and billing.${said}`;
    case 'permission':
      return `The API key is not allowed to do this. Use another key or model.${said}`;
    case 'notFound':
      return `The server does not know this model or address. Check plimsoll.model and plimsoll.baseUrl.${said}`;
    case 'requestTooLarge':
      return `The request is larger than the API's limit of 32 MB. Start a new session, or remove large content.${said}`;
    case 'rateLimited':
      return `The API limits the rate of requests. Wait a little, then try again.${said}`;
    case 'overloaded':
      return `The API is overloaded. Wait a little, then try again.${said}`;
    case 'server':
      return `The server had an error. Try again.${said}`;
    case 'invalidRequest':
      return `The API refused the request: ${words === '' ? 'it gave no reason.' : words}`;
  }
}

/** Names the server without the secrets a URL may hold: user, password, query. */
function serverOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
}

/** Names the first system error code in a chain of causes, such as ECONNREFUSED. */
function causeOf(error: Error): string {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return `: ${cause.code}`;
  }
  return '';
}

/** "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease ..." */
const REPLY_TOO_LONG =
  /input length and \W?max_tokens\W? exceed context limit:\s*(\d+)\s*\+\s*(\d+)\s*>\s*(\d+)/i;

/** "prompt is too long: 208310 tokens > 200000 maximum", also "prompt is too long: 208380 > 200000". */
const PROMPT_TOO_LONG = /prompt is too long:\s*(\d+)\s*(?:tokens)?\s*>\s*(\d+)/i;

/** The same without numbers, if the message has none. */
const PROMPT_TOO_LONG_ALONE = /^prompt is too long\W*$/i;

/** "This model's maximum context length is 8192 tokens ...", the wording of compatible servers. */
const MAXIMUM_CONTEXT_LENGTH = /maximum context length (?:is|of) (\d+)/i;

/**
 * Recognises an overflow by its words, since the API gives it no code of its own.
 *
 * Anything else gives undefined, above all a schema error: taken for an overflow, it would start a
 * pass in a window that has room (B6).
 */
function overflowIn(apiMessage: string): TooLong | undefined {
  const reply = REPLY_TOO_LONG.exec(apiMessage);
  if (reply !== null) {
    const [inputTokens, maxTokens, limitTokens] = reply.slice(1).map(amountIn);
    return inputTokens === undefined || maxTokens === undefined || limitTokens === undefined
      ? { type: 'overflow' }
      : { type: 'replyTooLong', inputTokens, maxTokens, limitTokens };
  }
  const prompt = PROMPT_TOO_LONG.exec(apiMessage);
  if (prompt !== null) {
    const [actualTokens, limitTokens] = prompt.slice(1).map(amountIn);
    return {
      type: 'overflow',
      actualTokens,
      limitTokens,
    };
  }
  if (PROMPT_TOO_LONG_ALONE.test(apiMessage)) return { type: 'overflow' };
  const maximum = MAXIMUM_CONTEXT_LENGTH.exec(apiMessage);
  if (maximum === null) return undefined;
  const limitTokens = amountIn(maximum[1] ?? '');
  return { type: 'overflow', limitTokens };
}

/** The token counts in a server's message; undefined if impossible. */
function amountIn(digits: string): number | undefined {
  const tokens = Number(digits);
  return isCount(tokens) && tokens > 0 ? tokens : undefined;
}

/** Longest quote of a server in a message for the user, in characters. */
const LONGEST = 500;

/**
 * A shorter key is a placeholder for a server that needs none; any word may contain its letters.
 */
const SHORTEST_SECRET = 8;

/**
 * Extracts the server's own words from an error: its message, or a short text; never a web page.
 */
function wordsOf(error: APIError): string {
  const words = error.apiMessage ?? plainWords(error);
  return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}

function plainWords(error: APIError): string {
  // Compatible servers answer {"message": ...}, {"detail": ...} or {"error": "..."}.
  if (isObject(error.error)) {
    const { message, detail, error: inner } = error.error;
    const said = [message, detail, inner].find((value) => typeof value === 'string');
    return typeof said === 'string' ? said : '';
  }
  const text = error.message.replace(/^\d{3} /, '').trim();
  return text.startsWith('<') || text === 'status code (no body)' ? '' : text;
}

/** Redacts the key, and anything that looks like one. */
function withoutSecrets(text: string, secret: string | undefined): string {
  const blotted = text.replaceAll(/\bsk-ant-[\w-]+/g, SECRET_MARK);
  return secret === undefined || secret.length < SHORTEST_SECRET
    ? blotted
    : blotted.replaceAll(secret, SECRET_MARK).replaceAll(encodeURIComponent(secret), SECRET_MARK);
}

/** Reads how long the server asks to wait, in ms; undefined if it does not say. `now` in ms. */
export function retryAfterMs(
  headers: Headers | undefined,
  now: number = Date.now(),
): number | undefined {
  const ms = Number(headers?.get('retry-after-ms') ?? '');
  if (ms > 0 && Number.isFinite(ms)) return ms;
  const after = headers?.get('retry-after') ?? '';
  const wait = Number.isNaN(Number(after)) ? Date.parse(after) - now : Number(after) * 1000;
  return wait > 0 && Number.isFinite(wait) ? wait : undefined;
}
