import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
} from '@anthropic-ai/sdk';
import type { ModelFailure } from '../agent/model';
import { MissingKeyError } from './missingKeyError';
import { overflowIn } from './overflow';
import { retryAfterMs } from './retryAfter';
import { wordsOf, withoutSecrets } from './words';

type FailureType = ModelFailure['type'];

/** What a failure message may name, and what it must not. */
export interface FailureContext {
  readonly baseUrl: string;
  /** The API key; it is blotted out of every message. */
  readonly secret?: string | undefined;
}

/** Translates whatever the SDK throws into the failures the agent knows; the one place that does. */
export function failureOf(error: unknown, context: FailureContext): ModelFailure {
  const failure = translate(error, serverOf(context.baseUrl));
  return { ...failure, message: withoutSecrets(failure.message, context.secret) };
}

/** The failure of a stream that ended or broke before its end. */
export function streamCut(why: string): ModelFailure {
  return {
    type: 'streamCut',
    message: `The reply broke off before its end: ${why} Nothing of it was kept; send the prompt again.`,
  };
}

/** The failure of a request the user stopped. */
export const ABORTED: ModelFailure = { type: 'aborted', message: 'The request was stopped.' };

function translate(error: unknown, server: string): ModelFailure {
  if (error instanceof MissingKeyError) {
    const message =
      'There is no API key. Set it with “Plimsoll: Set the Anthropic API Key”, or in the environment variable ANTHROPIC_API_KEY.';
    return { type: 'authentication', message };
  }
  if (error instanceof APIUserAbortError) return ABORTED;
  if (error instanceof APIConnectionTimeoutError) {
    const message = `${server} did not answer in time. Check the connection, then try again.`;
    return { type: 'network', message };
  }
  if (error instanceof APIConnectionError) {
    const message = `Could not reach ${server}${causeOf(error)}. Check the connection and plimsoll.baseUrl.`;
    return { type: 'network', message };
  }
  if (error instanceof APIError) return translateAnswer(error);
  const words = error instanceof Error ? error.message : String(error);
  const message = words.includes('Invalid URL')
    ? `plimsoll.baseUrl is no valid address: ${server}`
    : `The request could not be sent: ${words}`;
  return { type: 'invalidRequest', message };
}

function translateAnswer(error: APIError): ModelFailure {
  const words = wordsOf(error);
  const given = {
    ...(error.status !== undefined && { status: error.status }),
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
  if (type !== 'rateLimited' && type !== 'overloaded') return { ...given, type, message };
  const pauseMs = retryAfterMs(error.headers);
  return { ...given, type, message, ...(pauseMs !== undefined && { retryAfterMs: pauseMs }) };
}

type AnsweredType = Exclude<
  FailureType,
  'overflow' | 'replyTooLong' | 'network' | 'streamCut' | 'aborted'
>;

/** Goes by the status; an error inside a stream has none, then by the API's own type. */
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

/** Says what happened and what to do, with the API's own words at the end. */
function sentence(type: AnsweredType, words: string): string {
  const said = words === '' ? '' : ` (${words})`;
  switch (type) {
    case 'authentication':
      return `The API key was refused. Set another with “Plimsoll: Set the Anthropic API Key”, or in the environment variable ANTHROPIC_API_KEY.${said}`;
    case 'billing':
      return `The account cannot pay for this request. Check its credit and billing.${said}`;
    case 'permission':
      return `The API key may not do this. Use another key or model.${said}`;
    case 'notFound':
      return `The server does not know this model or address. Check plimsoll.model and plimsoll.baseUrl.${said}`;
    case 'requestTooLarge':
      return `The request is larger than the 32 MB the API takes. Start a new session or take large content out.${said}`;
    case 'rateLimited':
      return `The API limits the rate of requests. Wait a little, then try again.${said}`;
    case 'overloaded':
      return `The API is overloaded. Wait a little, then try again.${said}`;
    case 'server':
      return `The server had a fault. Try again.${said}`;
    case 'invalidRequest':
      return `The API refused the request: ${words === '' ? 'it did not say why.' : words}`;
  }
}

/** Names the server without what a URL may hide: user, password, query. */
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
