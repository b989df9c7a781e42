import { APIError } from '@anthropic-ai/sdk';
import { type ClientOptions, makeClient, timeLimit } from './client';
import { failureOf } from './failure';

/** What a server says about a key; `unknown`: it could not be asked, or has no list of models. */
export type KeyCheck =
  | { readonly type: 'accepted' }
  | { readonly type: 'refused' | 'unknown'; readonly message: string };

/** Longest wait for the server, ms. */
const WAIT_MS = 5_000;

/** Asks a server for its models with a key; costs nothing. */
export async function checkKey(options: ClientOptions): Promise<KeyCheck> {
  const client = makeClient(options);
  const limit = timeLimit(new AbortController().signal, WAIT_MS);
  try {
    await limit.race(client.models.list({ limit: 1 }, { signal: limit.signal, maxRetries: 0 }));
    return { type: 'accepted' };
  } catch (error) {
    const isRefused = error instanceof APIError && error.status === 401;
    const context = { baseUrl: client.baseURL, secret: options.apiKey };
    const message = limit.isOver()
      ? `${new URL(client.baseURL).host} did not answer within ${WAIT_MS / 1000} seconds.`
      : failureOf(error, context).message;
    return { type: isRefused ? 'refused' : 'unknown', message };
  } finally {
    limit.clear();
  }
}
