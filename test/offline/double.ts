import Anthropic from '@anthropic-ai/sdk';
import { onTestFinished } from 'vitest';
import type { Respond, ScriptedPart, ScriptedReply } from '../../src/offline/messagesApi';
import {
  startStrictServer,
  type StrictServer,
  type StrictServerOptions,
} from '../../src/offline/strictServer';

export const opus = 'claude-opus-5-5';
export const sonnet = 'claude-sonnet-5-5';
export const haiku45 = 'claude-haiku-4-5';
export const oldSonnet = 'claude-sonnet-4-20250514';

/** Scripts a model that gives the same answer to every request. */
export function says(...content: readonly (ScriptedPart | string)[]): Respond {
  const reply: ScriptedReply = {
    content: content.map((part) =>
      typeof part === 'string' ? { type: 'text', text: part } : part,
    ),
  };
  return () => reply;
}

/** Scripts a model that gives one reply after the other. */
export function saysInTurn(...replies: readonly (readonly ScriptedPart[])[]): Respond {
  let next = 0;
  return () => ({ content: replies[next++] ?? [{ type: 'text', text: 'no more words' }] });
}

/** Points the real SDK at a strict server, without retries. */
export function clientOf(server: StrictServer): Anthropic {
  return new Anthropic({
    apiKey: 'test-key',
    baseURL: server.url,
    maxRetries: 0,
    logLevel: 'off',
  });
}

/** Starts a strict server that is closed when the test ends. */
export async function startDouble(
  respond: Respond = says('Hello.'),
  options: Omit<StrictServerOptions, 'respond'> = {},
) {
  const server = await startStrictServer({ respond, ...options });
  onTestFinished(() => server.close());
  return { server, client: clientOf(server) };
}

/** Waits for a failure of the SDK and returns it. */
export async function failure(promise: PromiseLike<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('the request was answered');
}

/**
 * Sends a body through the SDK and returns `status type: message` of the rejection, or 'accepted'.
 */
export async function answerTo(
  client: Anthropic,
  body: object,
  path = '/v1/messages',
  headers: Record<string, string> = {},
): Promise<string> {
  try {
    await client.post(path, { body, headers });
    return 'accepted';
  } catch (error) {
    if (!(error instanceof Anthropic.APIError)) throw error;
    return `${error.status} ${error.type}: ${error.apiMessage}`;
  }
}
