import { describe, expect, it } from 'vitest';
import { AnthropicModel } from '../../src/model/anthropicModel';
import { makeClient } from '../../src/model/client';
import { AnthropicModelCatalog } from '../../src/model/modelCatalog';
import { AnthropicTokenCounter } from '../../src/model/tokenCounter';
import { ask, failureIn, KEY, oddServer, prompt } from './asking';

const free = new AbortController().signal;
const CODES = [300, 301, 302, 303, 304, 305, 306, 307, 308];

/** A server that redirects to another one, which notes every request that reaches it. */
async function pointing(status: number, path = '/v1/elsewhere?token=hidden#part') {
  const reached: string[] = [];
  const other = await oddServer((request, response) => {
    reached.push(`${request.method} ${request.url}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":5}');
  });
  const asked: string[] = [];
  const baseUrl = await oddServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(status, { location: `${other}${path}` }).end();
  });
  return { client: makeClient({ apiKey: KEY, baseUrl }), other, asked, reached };
}

describe.each(CODES)('an answer with the status %i', (status) => {
  it('ends a request, and the error names the target', async () => {
    const { client, other, asked, reached } = await pointing(status);
    const { events, result } = await ask(new AnthropicModel(client), prompt('My secrets'));
    const { type, message } = failureIn(result);
    expect(type).toBe('redirected');
    expect(message).toContain(` points to ${other}/v1/elsewhere (${status}).`);
    expect(message).not.toContain('hidden');
    expect(events).toEqual([]);
    expect(asked).toEqual(['/v1/messages']);
    expect(reached).toEqual([]);
  });

  it('ends a count, and reports the redirect', async () => {
    const { client, other, asked, reached } = await pointing(status);
    const counted = await new AnthropicTokenCounter(client).count(prompt('My secrets'), free);
    expect(counted).toMatchObject({ ok: false });
    expect(!counted.ok && counted.message).toContain(`points to ${other}/v1/elsewhere`);
    expect(asked).toEqual(['/v1/messages/count_tokens']);
    expect(reached).toEqual([]);
  });

  it('gives no limits of a model, and reports the redirect', async () => {
    const { client, other, asked, reached } = await pointing(status);
    const limits = await new AnthropicModelCatalog(client).limitsOf('m', free);
    expect(limits).toEqual({
      problem: expect.stringContaining(`points to ${other}/v1/elsewhere`),
    });
    expect(asked).toEqual(['/v1/models/m']);
    expect(reached).toEqual([]);
  });
});

describe('the target of a redirect', () => {
  const messageFor = async (path: string) => {
    const { client } = await pointing(307, path);
    return failureIn((await ask(new AnthropicModel(client), prompt('Hi'))).result).message;
  };

  it('is named without the key, wherever the address contains it', async () => {
    expect(await messageFor(`/at/${KEY}/x`)).toContain('/at/[API key]/x');
  });

  it('is shortened to a readable length', async () => {
    expect((await messageFor(`/${'long'.repeat(500)}`)).length).toBeLessThan(500);
  });

  it.each([undefined, 'javascript:alert(1)', 'http://[broken'])(
    'is not named if it is not a valid address: %s',
    async (location) => {
      const baseUrl = await oddServer((_, response) => {
        response.writeHead(302, location === undefined ? {} : { location }).end();
      });
      const model = new AnthropicModel(makeClient({ apiKey: KEY, baseUrl }));
      const { type, message } = failureIn((await ask(model, prompt('Hi'))).result);
      expect(type).toBe('redirected');
      expect(message).toContain('an address that it does not name');
    },
  );

  it('is named without user and password', async () => {
    const baseUrl = await oddServer((_, response) => {
      response.writeHead(302, { location: 'http://user:pass-word@host.test/x' }).end();
    });
    const model = new AnthropicModel(makeClient({ apiKey: KEY, baseUrl }));
    const { message } = failureIn((await ask(model, prompt('Hi'))).result);
    expect(message).toContain('http://host.test/x');
    expect(message).not.toContain('pass-word');
  });
});
