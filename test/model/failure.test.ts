import { describe, expect, it } from 'vitest';
import type { ModelFailure } from '../../src/agent/model';
import { AnthropicModel } from '../../src/model/anthropicModel';
import { makeClient } from '../../src/model/client';
import { failureOf } from '../../src/model/failure';
import type { FaultEffect } from '../../src/offline/fault';
import { ask, double, failureIn, KEY, oddServer, prompt, says } from './asking';

type StatusFault = Extract<FaultEffect, { kind: 'status' }>;

/** The adapter's failure for one error answer; `shouldRetry: false` limits it to one request. */
async function failureFor(fault: Omit<StatusFault, 'kind'>): Promise<ModelFailure> {
  const { model } = await double(says('Hello.'), [
    { kind: 'status', shouldRetry: false, ...fault },
  ]);
  return failureIn((await ask(model, prompt('Hi'))).result);
}

describe('an error of the API', () => {
  it.each([
    [400, 'invalidRequest'],
    [401, 'authentication'],
    [402, 'billing'],
    [403, 'permission'],
    [404, 'notFound'],
    [409, 'server'],
    [413, 'requestTooLarge'],
    [422, 'invalidRequest'],
    [429, 'rateLimited'],
    [500, 'server'],
    [504, 'server'],
    [529, 'overloaded'],
  ] as const)('%i is %s, with the message of the API', async (status, type) => {
    const failure = await failureFor({ status, message: 'No, for a reason' });
    expect(failure).toMatchObject({ type, status });
    expect(failure.message).toContain('No, for a reason');
    expect(failure.requestId).toMatch(/^req_/);
  });

  it('says what to do about the key', async () => {
    expect((await failureFor({ status: 401 })).message).toMatch(
      /^The API key was refused\. Set another with “Plimsoll: Set the Anthropic API Key”, or in the environment variable ANTHROPIC_API_KEY\./,
    );
  });

  it('is about money if the credit is used up', async () => {
    const message = 'Your credit balance is too low to access the Anthropic API.';
    expect((await failureFor({ status: 400, message })).type).toBe('billing');
  });

  it('says how long to wait', async () => {
    expect(await failureFor({ status: 429, retryAfterSeconds: 7 })).toMatchObject({
      retryAfterMs: 7_000,
    });
    expect((await failureFor({ status: 429 })).retryAfterMs).toBeUndefined();
  });

  it('never shows the key or a web page', async () => {
    const failure = await failureFor({ status: 401, message: `bad ${KEY}, sk-ant-api03-abc_d-e` });
    expect(failure.message).toContain('bad [API key], [API key]');
    expect(failure.message).not.toContain(KEY);
    const page = await failureFor({ status: 502, body: '<html><body>Bad gateway</body></html>' });
    expect(page).toMatchObject({ type: 'server', message: 'The server had an error. Try again.' });
  });
});

describe('an overflow (B6)', () => {
  it('is recognised by its message and keeps the numbers', async () => {
    const overflow = { type: 'overflow', limitTokens: 200_000 };
    const long = await failureFor({
      status: 400,
      message: 'prompt is too long: 208310 tokens > 200000 maximum',
    });
    expect(long).toMatchObject({ ...overflow, actualTokens: 208_310 });
    const short = await failureFor({
      status: 400,
      message: 'prompt is too long: 208380 > 200000',
    });
    expect(short).toMatchObject({ ...overflow, actualTokens: 208_380 });
  });

  it.each([
    `prompt is too long: ${'9'.repeat(400)} tokens > ${'9'.repeat(400)} maximum`,
    `This model's maximum context length is ${'9'.repeat(400)} tokens`,
    `input length and \`max_tokens\` exceed context limit: ${'9'.repeat(400)} + 1 > 2`,
  ])('ignores numbers that cannot be tokens', async (message) => {
    const failure = await failureFor({ status: 400, message });
    expect(failure.type).toBe('overflow');
    expect(Object.values(failure).filter((value) => typeof value === 'number')).toEqual([400]);
  });

  it('is a different failure if input and reply together are too long', async () => {
    const message =
      'input length and `max_tokens` exceed context limit: 196973 + 8192 > 204648, decrease ' +
      'input length or `max_tokens` and try again';
    expect(await failureFor({ status: 400, message })).toMatchObject({
      type: 'replyTooLong',
      inputTokens: 196_973,
      maxTokens: 8_192,
      limitTokens: 204_648,
    });
  });

  it('occurs if the window really is too small', async () => {
    const { model } = await double(says('Hello.'));
    const failure = failureIn((await ask(model, prompt('word '.repeat(300_000)))).result);
    expect(failure).toMatchObject({ type: 'overflow', limitTokens: 200_000 });
    expect(failure.type === 'overflow' && failure.actualTokens! > 200_000).toBe(true);
  });

  it('is not a schema error, whatever else that quotes', async () => {
    const { model } = await double(says('Hello.'));
    const request = prompt('Hi', { messages: [{ role: 'user', content: [] }] });
    expect(failureIn((await ask(model, request)).result).type).toBe('invalidRequest');
    const quoting = await failureFor({
      status: 400,
      message: 'messages.3.content.0.text: "prompt is too long" is not a valid value',
    });
    expect(quoting.type).toBe('invalidRequest');
  });

  it('is never taken from a rate-limit error', async () => {
    const message = 'prompt is too long: 208310 tokens > 200000 tokens per minute';
    expect((await failureFor({ status: 429, message })).type).toBe('rateLimited');
  });
});

describe('a request that reaches no server', () => {
  it('names the server and the cause', async () => {
    const baseUrl = 'http://127.0.0.1:9';
    const model = new AnthropicModel(makeClient({ apiKey: KEY, baseUrl }));
    const failure = failureIn((await ask(model, prompt('Hi'))).result);
    expect(failure.type).toBe('network');
    expect(failure.message).toContain('http://127.0.0.1:9');
    expect(failure.message).toContain('plimsoll.baseUrl');
  });

  it('names the setting if the address is invalid', async () => {
    const model = new AnthropicModel(makeClient({ apiKey: KEY, baseUrl: 'not an address' }));
    const failure = failureIn((await ask(model, prompt('Hi'))).result);
    expect(failure).toMatchObject({
      type: 'invalidRequest',
      message: 'plimsoll.baseUrl is not a valid address: not an address',
    });
  });

  it('does not show a password in the address', () => {
    const error = new TypeError('Invalid URL');
    const context = { baseUrl: 'https://me:hidden-word@example.org/x?token=abc' };
    expect(failureOf(error, context).message).toBe(
      'plimsoll.baseUrl is not a valid address: https://example.org',
    );
  });
});

describe('an error of a compatible server', () => {
  it.each([
    ['{"message":"no such model"}', 'no such model'],
    ['{"detail":"no such model"}', 'no such model'],
    ['{"error":"no such model"}', 'no such model'],
    ['no such model', 'no such model'],
  ])('is quoted from %s', async (body, words) => {
    const baseUrl = await oddServer((_, response) => {
      response.writeHead(404, { 'content-type': 'application/json' }).end(body);
    });
    const model = new AnthropicModel(makeClient({ apiKey: KEY, baseUrl }));
    const failure = failureIn((await ask(model, prompt('Hi'))).result);
    expect(failure.type).toBe('notFound');
    expect(failure.message).toContain(words);
  });

  it('may describe an overflow in other words', async () => {
    const message =
      "This model's maximum context length is 8192 tokens. However, you asked for more";
    expect(await failureFor({ status: 400, message })).toMatchObject({
      type: 'overflow',
      limitTokens: 8_192,
    });
  });
});
