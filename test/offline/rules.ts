import { afterAll, beforeAll } from 'vitest';
import type Anthropic from '@anthropic-ai/sdk';
import { startStrictServer, type StrictServer } from '../../src/offline/strictServer';
import { answerTo, clientOf, says, sonnet } from './double';

export const ask = { role: 'user', content: 'Hi' };
export const base = { model: sonnet, max_tokens: 100, messages: [ask] };
export const readTool = { name: 'read_file', input_schema: { type: 'object' } };

export const call = (id: string) => ({ type: 'tool_use', id, name: 'read_file', input: {} });

export const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'text' });

export const text = (words: string) => ({ type: 'text', text: words });

export const cached = (words: string, ttl?: string) => ({
  ...text(words),
  cache_control: { type: 'ephemeral', ...(ttl === undefined ? {} : { ttl }) },
});

/** Words the rejection of an invalid body as answerTo returns it. */
export const refused = (message: string) => `400 invalid_request_error: ${message}`;

let server: StrictServer;
let client: Anthropic;

/** Keeps one strict server running for all tests of a file. */
export function useDouble(): void {
  beforeAll(async () => {
    server = await startStrictServer({ respond: says('Hello.') });
    client = clientOf(server);
  });
  afterAll(() => server.close());
}

export const theServer = () => server;

export const theClient = () => client;

/** Sends any body and returns the answer as text. */
export const answerToBody = (body: object, path?: string, headers?: Record<string, string>) =>
  answerTo(client, body, path, headers);

/** Sends the smallest valid body with some fields changed. */
export const answer = (changes: object) => answerToBody({ ...base, ...changes });

/** Sends these messages. */
export const answerToMessages = (...messages: readonly object[]) => answer({ messages });
