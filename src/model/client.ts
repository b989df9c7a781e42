import Anthropic from '@anthropic-ai/sdk';
import { FOLLOW_NO_REDIRECT, refuseRedirects } from './redirect';

/** Where requests go and who pays for them. */
export interface ClientOptions {
  /** The API key; blank counts as none. */
  readonly apiKey?: string;
  /** Base URL of a server with a Messages API; blank means Anthropic's own. */
  readonly baseUrl?: string;
  /** Told the exact body of every request to /v1/messages before it is sent, retries included. */
  readonly onMessagesBody?: (body: string) => void;
}

const OFFICIAL_URL = 'https://api.anthropic.com';

/** Given where the SDK insists on a key; the header made from it is removed again. */
const NO_KEY = 'none';

/**
 * Makes the SDK's client from these options alone, whatever the environment's variables say.
 *
 * Without a key, a request to Anthropic fails before it is sent; a request to another server is
 * sent without credentials, because local ones need none. Another server also gets the key in
 * `x-api-key`, the header of earlier API versions.
 */
export function makeClient({ apiKey, baseUrl, onMessagesBody }: ClientOptions): Anthropic {
  const key = apiKey?.trim() ?? '';
  const url = baseUrlOf(baseUrl ?? '');
  const isOfficial = url === OFFICIAL_URL;
  const headers: Record<string, string | null> =
    key === '' ? { Authorization: null } : isOfficial ? {} : { 'x-api-key': key };
  return withoutEnvironment(
    () =>
      new Anthropic({
        apiKey: key === '' ? NO_KEY : key,
        baseURL: url,
        defaultHeaders: headers,
        // Failures are translated and shown; nothing goes to the console where the user would not
        // see it.
        logLevel: 'off',
        openTelemetry: false,
        fetchOptions: FOLLOW_NO_REDIRECT,
        middleware: [refuseRedirects, ...(key === '' && isOfficial ? [refuseWithoutKey] : [])],
        ...(onMessagesBody === undefined ? {} : { fetch: tellingFetch(onMessagesBody) }),
      }),
  );
}

/** Says which key requests are made with; undefined when there is none. */
export function keyOf(client: Anthropic): string | undefined {
  return client.apiKey === null || client.apiKey === NO_KEY ? undefined : client.apiKey;
}

/** Drops what people paste after the host: slashes, and the `/v1` that the SDK adds itself. */
function baseUrlOf(text: string): string {
  const url = text.trim().replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '');
  return url === '' ? OFFICIAL_URL : url;
}

/** Sends as usual, and hands over the bodies of inference requests; counts are not among them. */
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

/** Hides the `ANTHROPIC_` variables while `make` runs: the SDK reads headers, tokens and URLs from them. */
function withoutEnvironment<T>(make: () => T): T {
  const hidden = Object.entries(process.env).filter(([name]) => name.startsWith('ANTHROPIC_'));
  for (const [name] of hidden) delete process.env[name];
  try {
    return make();
  } finally {
    for (const [name, value] of hidden) process.env[name] = value;
  }
}

/** Thrown in place of a request to Anthropic that has no API key. */
export class MissingKeyError extends Error {
  override readonly name = 'MissingKeyError';

  constructor() {
    super('There is no API key.');
  }
}
