import type { IncomingHttpHeaders } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AnthropicModel } from '../../src/model/anthropicModel';
import { makeClient } from '../../src/model/client';
import { ask, failureIn, oddServer, prompt } from './asking';

afterEach(() => vi.unstubAllEnvs());

/** Headers and path of the one request that a client sends to a server that refuses it. */
async function sentBy(apiKey: string | undefined, path = '') {
  const seen: { headers: IncomingHttpHeaders; path: string }[] = [];
  const url = await oddServer((request, response) => {
    seen.push({ headers: request.headers, path: request.url ?? '' });
    response.writeHead(403).end('{}');
  });
  const client = makeClient({ ...(apiKey !== undefined && { apiKey }), baseUrl: url + path });
  await ask(new AnthropicModel(client), prompt('Hi'));
  return seen[0]!;
}

describe('a client', () => {
  it('sends the key in both headers to a server that is not Anthropic', async () => {
    const { headers } = await sentBy(' key-1 ');
    expect(headers.authorization).toBe('Bearer key-1');
    expect(headers['x-api-key']).toBe('key-1');
  });

  it('sends no credentials to such a server if there is no key', async () => {
    const { headers } = await sentBy(undefined);
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('x-api-key');
  });

  it('reads nothing from the environment and does not change it', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'key-of-the-shell');
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'token-of-the-shell');
    vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:9');
    vi.stubEnv('ANTHROPIC_CUSTOM_HEADERS', 'x-of-the-shell: 1');
    const { headers } = await sentBy('');
    expect(JSON.stringify(headers)).not.toContain('of-the-shell');
    expect(makeClient({ apiKey: 'k' }).baseURL).toBe('https://api.anthropic.com');
    expect(process.env['ANTHROPIC_API_KEY']).toBe('key-of-the-shell');
  });

  it('sends nothing to Anthropic without a key, and says how to set one', async () => {
    const { result } = await ask(new AnthropicModel(makeClient({ apiKey: '' })), prompt('Hi'));
    expect(failureIn(result)).toMatchObject({ type: 'authentication' });
    expect(failureIn(result).message).toContain('Plimsoll: Set the Anthropic API Key');
  });

  it.each(['', '/', '/v1', '/v1/'])('finds the server of a base URL with %j', async (path) => {
    expect((await sentBy('key-1', path)).path).toBe('/v1/messages');
  });

  it('keeps the path in front of the API', async () => {
    expect((await sentBy('key-1', '/proxy/v1')).path).toBe('/proxy/v1/messages');
  });
});
