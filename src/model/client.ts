import type { Middleware } from '@anthropic-ai/sdk';
import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { Messages as BetaMessages } from '@anthropic-ai/sdk/resources/beta/messages';
import { Messages } from '@anthropic-ai/sdk/resources/messages';
import { Models } from '@anthropic-ai/sdk/resources/models';

/** Where requests go, and the key that pays for them. */
export interface ClientOptions {
  /** The API key; blank counts as none. */
  readonly apiKey?: string;
  /** Base URL of a server with a Messages API; blank means Anthropic's own. */
  readonly baseUrl?: string;
  /**
   * Called with the exact body of every request to /v1/messages before it is sent, retries
   * included.
   */
  readonly onMessagesBody?: (body: string) => void;
}

/** The SDK's client with the resources in use: all of them would take 47 kB more of the package. */
export class Client extends BaseAnthropic {
  readonly messages = new Messages(this);
  readonly models = new Models(this);
  readonly beta = { messages: new BetaMessages(this) };
}

const OFFICIAL_URL = 'https://api.anthropic.com';

/** Placeholder where the SDK insists on a key; its header is removed again. */
const NO_KEY = 'none';

/**
 * Makes the SDK's client from these options only, regardless of environment variables.
 *
 * Without a key, a request to Anthropic fails before it is sent; other servers get the request
 * without credentials, because local ones need none. Other servers also get the key in `x-api-key`,
 * the header of earlier API versions.
 */
export function makeClient({ apiKey, baseUrl, onMessagesBody }: ClientOptions): Client {
  const key = apiKey?.trim() ?? '';
  const url = baseUrlOf(baseUrl ?? '');
  const isAnthropic = url === OFFICIAL_URL;
  const headers: Record<string, string | null> =
    key === '' ? { Authorization: null } : isAnthropic ? {} : { 'x-api-key': key };
  return withoutEnvironment(
    () =>
      new Client({
        apiKey: key === '' ? NO_KEY : key,
        baseURL: url,
        defaultHeaders: headers,
        // Failures are translated and shown to the user; the console would hide them.
        logLevel: 'off',
        openTelemetry: false,
        fetchOptions: FOLLOW_NO_REDIRECT,
        middleware: [refuseRedirects, ...(key === '' && isAnthropic ? [refuseWithoutKey] : [])],
        fetch: onMessagesBody && tellingFetch(onMessagesBody),
      }),
  );
}

/** Whether a client asks Anthropic itself. */
export function isOfficial(client: Client): boolean {
  return client.baseURL === OFFICIAL_URL;
}

/** The key for requests; undefined if there is none. */
export function keyOf(client: Client): string | undefined {
  return client.apiKey === null || client.apiKey === NO_KEY ? undefined : client.apiKey;
}

/** Drops what people paste after the host: slashes, and the `/v1` that the SDK adds. */
function baseUrlOf(text: string): string {
  const url = text.trim().replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '');
  return url === '' ? OFFICIAL_URL : url;
}

/** Sends as usual, and reports the bodies of inference requests, but not of counts. */
function tellingFetch(tell: (body: string) => void): typeof fetch {
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.pathname.endsWith('/v1/messages') && typeof init?.body === 'string') tell(init.body);
    return fetch(input, init);
  };
}

function refuseWithoutKey(): Promise<never> {
  return Promise.reject(new MissingKeyError());
}

/**
 * Hides the `ANTHROPIC_` variables while `make` runs, since the SDK reads headers, tokens and URLs
 * from them.
 */
function withoutEnvironment<T>(make: () => T): T {
  const hidden = Object.entries(process.env).filter(([name]) => name.startsWith('ANTHROPIC_'));
  for (const [name] of hidden) delete process.env[name];
  try {
    return make();
  } finally {
    for (const [name, value] of hidden) process.env[name] = value;
  }
}

/** Thrown instead of a request to Anthropic without an API key. */
export class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError';

  constructor() {
    super('There is no API key.');
  }
}

/**
 * Follows no redirect: the key in `x-api-key` and the body, which is the whole window, would go to
 * a server that the user never named.
 */
const FOLLOW_NO_REDIRECT = { redirect: 'manual' } as const;

/** Makes every 3xx answer a failure, including those that no client would follow. */
const refuseRedirects: Middleware = async (request, next) => {
  const response = await next(request);
  // Where fetch hides a redirect, the answer has the status 0.
  const isHidden = response.type === 'opaqueredirect';
  if (!isHidden && (response.status < 300 || response.status > 399)) return response;
  await response.body?.cancel();
  throw new RedirectError(
    isHidden ? undefined : response.status,
    placeOf(response.headers.get('location'), request.url),
  );
};

/** Thrown instead of an answer that redirects. */
export class RedirectError extends Error {
  override readonly name = 'RedirectError';

  /** `place` is origin and path, without the rest of the address. */
  constructor(
    readonly status: number | undefined,
    readonly place: string | undefined,
  ) {
    super(`The server points ${place === undefined ? 'somewhere else' : `to ${place}`}.`);
  }
}

/** Longest address in a message for the user, in characters. */
const LONGEST = 200;

/** Origin and path of a redirect's target; undefined if missing or unreadable. */
function placeOf(location: string | null, from: string): string | undefined {
  if (location === null || !URL.canParse(location, from)) return undefined;
  const { protocol, origin, pathname } = new URL(location, from);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  const place = `${origin}${pathname}`;
  return place.length > LONGEST ? `${place.slice(0, LONGEST)}…` : place;
}

/** A signal that aborts with another signal or when the time is over, whichever comes first. */
interface TimeLimit {
  readonly signal: AbortSignal;
  /** Rejects as soon as the signal aborts, however long `work` goes on. */
  race<T>(work: PromiseLike<T>): Promise<T>;
  /** Whether the time ran out. */
  isOver(): boolean;
  /** Frees timer and listener. */
  clear(): void;
}

/** Starts a time limit of `ms` milliseconds. */
export function timeLimit(outer: AbortSignal, ms: number): TimeLimit {
  const controller = new AbortController();
  let over = false;
  const abort = () => controller.abort();
  const timer = setTimeout(() => {
    over = true;
    abort();
  }, ms);
  if (outer.aborted) abort();
  outer.addEventListener('abort', abort, { once: true });
  const { signal } = controller;
  return {
    signal,
    race: (work) =>
      new Promise((resolve, reject) => {
        const stop = () => reject(new Error('stopped'));
        if (signal.aborted) stop();
        signal.addEventListener('abort', stop, { once: true });
        work.then(resolve, reject);
      }),
    isOver: () => over,
    clear: () => {
      clearTimeout(timer);
      outer.removeEventListener('abort', abort);
    },
  };
}
