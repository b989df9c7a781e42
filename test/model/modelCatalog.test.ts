import { describe, expect, it } from 'vitest';
import { makeClient } from '../../src/model/client';
import { AnthropicModelCatalog } from '../../src/model/modelCatalog';
import { double, KEY, oddServer, says } from './asking';

const free = new AbortController().signal;

const OLD = { thinking: ['enabled', 'disabled'], efforts: [], images: true };

describe('the limits of a model', () => {
  it('come from the server, which is asked once', async () => {
    const { client, server } = await double(says('-'));
    const catalog = new AnthropicModelCatalog(client);
    const limits = { contextWindowTokens: 200_000, maxReplyTokens: 64_000, abilities: OLD };
    expect(await catalog.limitsOf('claude-sonnet-4-20250514', free)).toEqual(limits);
    expect(await catalog.limitsOf('claude-sonnet-4-20250514', free)).toEqual(limits);
    expect(server.requests).toHaveLength(1);
  });

  it('are unknown for an unknown model', async () => {
    const { client } = await double(says('-'));
    expect(await new AnthropicModelCatalog(client).limitsOf('llama', free)).toEqual({});
  });

  it('are not guessed if the server fails, and are requested again', async () => {
    const faults = [{ kind: 'status', status: 500 }] as const;
    const { client, server } = await double(says('-'), faults, '/v1/models');
    const catalog = new AnthropicModelCatalog(client);
    expect(await catalog.limitsOf('claude-sonnet-4-20250514', free)).toEqual({});
    expect(server.requests).toHaveLength(1);
    expect(await catalog.limitsOf('claude-sonnet-4-20250514', free)).toEqual({
      contextWindowTokens: 200_000,
      maxReplyTokens: 64_000,
      abilities: OLD,
    });
    expect(server.requests).toHaveLength(2);
  });

  it('omit fields that the server answers with null', async () => {
    const baseUrl = await oddServer((_, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end('{"id":"m","max_input_tokens":32768,"max_tokens":null}');
    });
    const catalog = new AnthropicModelCatalog(makeClient({ apiKey: KEY, baseUrl }));
    expect(await catalog.limitsOf('m', free)).toEqual({ contextWindowTokens: 32_768 });
  });

  it.each(['-5', '0.5', '1000000001', '1e400', '"many"'])(
    'are ignored if they are impossible, and the problem is reported: %s',
    async (tokens) => {
      const baseUrl = await oddServer((_, response) => {
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(`{"id":"m","max_input_tokens":32768,"max_tokens":${tokens}}`);
      });
      const catalog = new AnthropicModelCatalog(makeClient({ apiKey: KEY, baseUrl }));
      expect(await catalog.limitsOf('m', free)).toEqual({
        contextWindowTokens: 32_768,
        problem: expect.stringMatching(/for max_tokens of m, which is impossible/),
      });
    },
  );

  it('do not block the caller', async () => {
    const { client } = await double(says('-'), [{ kind: 'hang', at: 'headers' }], '/v1/models');
    const catalog = new AnthropicModelCatalog(client, 50);
    expect(await catalog.limitsOf('claude-opus-5-5', free)).toEqual({});
  });
});

describe('the list of models', () => {
  it('has each model with its name, its limits and its capabilities', async () => {
    const { client } = await double(says('-'));
    const models = await new AnthropicModelCatalog(client).list(free);
    expect(models.map(({ id }) => id)).toContain('claude-haiku-5-5');
    expect(models.find(({ id }) => id === 'claude-opus-5-5')).toEqual({
      id: 'claude-opus-5-5',
      name: 'Claude Opus 5.5',
      contextWindowTokens: 1_000_000,
      maxReplyTokens: 128_000,
      abilities: {
        thinking: ['adaptive'],
        efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
        images: true,
      },
    });
  });

  it('omits retired models, marks deprecated ones, and adds nothing to what the server says', async () => {
    const data = [
      { id: 'old', lifecycle: 'retired' },
      { id: 'going', display_name: 'Going', lifecycle: 'deprecated', max_input_tokens: 9 },
      { id: 'bare', capabilities: null },
      'odd',
    ];
    const baseUrl = await oddServer((_, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ data, has_more: false }));
    });
    const catalog = new AnthropicModelCatalog(makeClient({ apiKey: KEY, baseUrl }));
    expect(await catalog.list(free)).toEqual([
      { id: 'going', name: 'Going', contextWindowTokens: 9, isDeprecated: true },
      { id: 'bare', name: 'bare' },
    ]);
  });

  it('is empty if the server has none', async () => {
    const faults = [{ kind: 'status', status: 404 }] as const;
    const { client } = await double(says('-'), faults, '/v1/models');
    expect(await new AnthropicModelCatalog(client).list(free)).toEqual([]);
  });
});
