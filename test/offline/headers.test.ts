import { describe, expect, it } from 'vitest';
import { startStrictServer } from '../../src/offline/strictServer';
import { haiku45, says, sonnet } from './double';
import { answerToBody, answerToMessages, base, theClient, theServer, useDouble } from './rules';

useDouble();

describe('headers', () => {
  const send = async (headers: Record<string, string>, body: string = JSON.stringify(base)) => {
    const response = await fetch(`${theServer().url}/v1/messages`, {
      method: 'POST',
      headers,
      body,
    });
    const answered = (await response.json()) as { error?: { message: string } };
    return `${response.status} ${answered.error?.message ?? 'accepted'}`;
  };
  const version = { 'anthropic-version': '2026-10-21' };
  const key = { 'x-api-key': 'test-key' };

  it('need a credential of either kind', async () => {
    expect(await send(version)).toBe('401 x-api-key header is required');
    expect(await send({ ...version, authorization: 'Bearer ' })).toContain('401');
    expect(await send({ ...version, ...key })).toBe('200 accepted');
    expect(await send({ ...version, authorization: 'Bearer test-key' })).toBe('200 accepted');
  });

  it('need a known version', async () => {
    expect(await send(key)).toBe('400 anthropic-version: header is required');
    expect(await send({ ...key, 'anthropic-version': '2020-01-01' })).toContain(
      'is not a valid version',
    );
  });

  it('may name only known betas', async () => {
    expect(await send({ ...version, ...key, 'anthropic-beta': 'made-up-2026-01-01' })).toContain(
      'Unexpected value(s) `made-up-2026-01-01`',
    );
  });

  it('may name any beta if the client is not ours, and the unknown ones are noted', async () => {
    const server = await startStrictServer({ respond: says('Hi.'), passesUnknownBetas: true });
    const betas = 'made-up-2026-01-01,context-management-2025-06-27';
    const headers = { ...version, ...key, 'anthropic-beta': betas };
    const post = async (fields: object, betaNames = betas) => {
      const body = JSON.stringify({ ...base, ...fields });
      const all = { ...headers, 'anthropic-beta': betaNames };
      const url = `${server.url}/v1/messages`;
      return (await fetch(url, { method: 'POST', headers: all, body })).status;
    };
    const extra = { keel: 1, tools: [{ name: 'a', input_schema: { type: 'object' }, mast: true }] };
    // A field of an unknown beta is not known, either; one that is known must be right.
    expect([await post({}), await post(extra), await post({ ...extra, max_tokens: 'x' })]).toEqual([
      200, 200, 400,
    ]);
    expect(await post(extra, 'context-management-2025-06-27')).toBe(400);
    // A message may have such a field and nothing else.
    const asked = (...more: object[]) =>
      post({ messages: [{ role: 'user', content: 'Hi' }, ...more] });
    expect([
      await asked({ role: 'system', content: [], keel: 1 }),
      await asked({ role: 'system', content: [] }),
    ]).toEqual([200, 400]);
    await server.close();
    expect(server.requests[0]).toMatchObject({ unknownBetas: ['made-up-2026-01-01'] });
    expect(theServer().requests[0]).not.toHaveProperty('unknownBetas');
  });

  it('of the SDK are a bearer token and the newest version, and no credential is recorded', async () => {
    await theClient().messages.create({ ...base, messages: [{ role: 'user', content: 'Hi' }] });
    const { headers } = theServer().requests.at(-1)!;
    expect(headers['anthropic-version']).toBe('2026-10-21');
    expect(JSON.stringify(theServer().requests)).not.toContain('test-key');
  });

  it('of an older version leave sampling to older models', async () => {
    const old = { ...key, 'anthropic-version': '2023-06-01' };
    const warm = (model: string, temperature = 0.5) =>
      send(old, JSON.stringify({ ...base, model, temperature }));
    expect(await warm(haiku45)).toBe('200 accepted');
    expect(await warm(haiku45, 2)).toBe('400 temperature: range: 0..1');
    expect(await warm(sonnet)).toBe('400 `temperature` is deprecated for this model.');
  });

  it('are not enough for a body that is not JSON', async () => {
    expect(await send({ ...version, ...key }, '{"model":')).toBe(
      '400 The request body is not valid JSON.',
    );
  });
});

describe('the server', () => {
  it('rejects a body over 32 MB', async () => {
    const content = 'a'.repeat(32 * 1024 * 1024);
    expect(await answerToMessages({ role: 'user', content })).toBe(
      '413 request_too_large: Request exceeds the maximum size',
    );
    const headers = { 'x-api-key': 'k', 'anthropic-version': '2026-10-21' };
    const body = 'x'.repeat(32 * 1024 * 1024);
    const exact = await fetch(`${theServer().url}/v1/messages`, { method: 'POST', headers, body });
    expect(exact.status).toBe(400);
  });

  it('has no other paths and methods', async () => {
    expect(await answerToBody(base, '/v1/complete')).toBe('404 not_found_error: Not found');
    const headers = { 'x-api-key': 'k', 'anthropic-version': '2026-10-21' };
    expect((await fetch(`${theServer().url}/v1/messages`, { headers })).status).toBe(405);
  });

  it('adds a request id to rejections', async () => {
    const error = await theClient()
      .post('/v1/messages', { body: {} })
      .catch((e: unknown) => e);
    expect(error).toMatchObject({ requestID: expect.stringMatching(/^req_offline_\d+$/) });
  });
});
