import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readHere } from '../../../src/editor/recordings/recordingFile';
import { promptTokens } from '../../../src/contextWindow/account/spending';
import type { Respond } from '../../../src/offline/messagesApi';
import { startStrictServer } from '../../../src/offline/strictServer';
import { PATIENCE, place, recordedClaude, run } from './support/realAgent';
import { expectExact, foundSession } from './support/readSession';

describe('a real Claude Code', () => {
  const reading =
    (cwd: string): Respond =>
    ({ tools = [], messages }) => {
      const results = messages.flatMap(({ content }) =>
        typeof content === 'string' ? [] : content.filter(({ type }) => type === 'tool_result'),
      );
      const n = results.length + 1;
      const hasRead = tools.some((tool) => 'name' in tool && tool.name === 'Read');
      if (!hasRead || n > 3) return { content: [{ type: 'text', text: 'Done.' }] };
      return {
        content: [
          { type: 'text', text: `Reading ${n}.` },
          {
            type: 'tool_use',
            id: `toolu_${String(n).padStart(20, '0')}`,
            name: 'Read',
            input: { file_path: join(cwd, `f${n}.txt`) },
          },
        ],
      };
    };

  it.each(['claude-haiku-4-5', 'claude-sonnet-5-5', 'claude-opus-5-5'])(
    'is found, and its requests are exact, with the server that checks them: %s',
    async (model) => {
      const { home, cwd, store } = place();
      const server = await startStrictServer({ respond: reading(cwd), passesUnknownBetas: true });
      onTestFinished(() => server.close());
      const { captures, env } = await recordedClaude({ home, store }, server.url);
      const output = await run(
        'claude',
        ['-p', 'Read f1.txt, f2.txt and f3.txt and say done', '--model', model],
        {
          home,
          cwd,
          env,
        },
      );
      const sent = server.requests.filter(({ path }) => path === '/v1/messages');
      expect(
        sent.map(({ status }) => status),
        output,
      ).toEqual(sent.map(() => 200));
      const found = await foundSession('claude-code', home, cwd, captures);
      expect(found.captured.steps.size).toBe(4);
      await expectExact(found);
      console.log(
        `Betas that the strict server does not know: ${[...new Set(sent.flatMap(({ unknownBetas = [] }) => unknownBetas))].join(', ')}`,
      );
    },
    PATIENCE + 30_000,
  );
});

describe('a real Codex', () => {
  /** Runs it in a folder of its own; its server compacts if its provider has the name of OpenAI. */
  const ran = async (provider: string) => {
    const { home, cwd, store } = place();
    const { url, close } = await responsesServer();
    onTestFinished(close);
    const captures = await store.prepare('codex');
    mkdirSync(join(home, '.codex'));
    const settings = [
      'model = "gpt-5.2"',
      'model_provider = "local"',
      'model_auto_compact_token_limit = 50000',
      '[model_providers.local]',
      `name = "${provider}"`,
      `base_url = "${url}/v1"`,
      'wire_api = "responses"',
      'env_key = "LOCAL_KEY"',
      'supports_websockets = false',
    ];
    writeFileSync(join(home, '.codex', 'config.toml'), `${settings.join('\n')}\n`);
    const args = ['exec', '--skip-git-repo-check', '--sandbox', 'read-only', 'cat the files'];
    const env = { LOCAL_KEY: 'x', CODEX_ROLLOUT_TRACE_ROOT: captures };
    const output = await run('codex', args, { home, cwd, env });
    expect(readdirSync(captures).length, output).toBe(1);
    return foundSession('codex', home, cwd, captures);
  };

  it(
    'is found, and its requests are exact, also after it has compacted',
    async () => {
      const found = await ran('local');
      expect(found.captured.steps.size).toBe(3);
      await expectExact(found);
      expect(found.session).toMatchObject({
        title: 'cat the files',
        compactions: 1,
        inner: [],
      });
    },
    PATIENCE + 30_000,
  );

  it(
    'has the compaction that it asks OpenAI for as a window of its own',
    async () => {
      const found = await ran('OpenAI');
      await expectExact(found, ' Also recorded, but not part of a step: compaction (1).');
      const [compaction, ...more] = found.session.inner;
      expect([compaction?.title, more]).toEqual(['Side request: compaction', []]);
      const read = await readHere({ file: compaction!.file });
      if (!read.ok) throw new Error(read.message);
      const { entries, system } = read.transcript;
      expect(system.length).toBeGreaterThan(1_000);
      // Its answer was the third one.
      const charges = found.transcript.entries.flatMap((one) =>
        one.type === 'reply' ? (one.otherCharges ?? []) : [],
      );
      expect(charges.map(({ usage }) => promptTokens(usage))).toEqual([9_300]);
      expect(entries.filter(({ type }) => type === 'reply')).toHaveLength(3);
      expect(JSON.stringify(entries.at(-1))).toContain('a summary that OpenAI has encrypted');
    },
    PATIENCE + 30_000,
  );
});

/** A scripted Responses API: two calls, after which the agent compacts, then a reply. */
async function responsesServer() {
  let asked = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      if (request.url?.endsWith('/responses') !== true) {
        response.writeHead(404).end('{}');
        return;
      }
      asked += 1;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (type: string, data: object) =>
        response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
      const id = `resp_${asked}`;
      send('response.created', { response: { id } });
      send('response.output_item.done', { output_index: 0, item: itemOf(asked, body) });
      const tokens = (asked === 2 ? 90_000 : 9_000) + 100 * asked;
      const usage = {
        input_tokens: tokens,
        input_tokens_details: { cached_tokens: 500 },
        output_tokens: 20,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: tokens + 20,
      };
      send('response.completed', { response: { id, usage } });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

function itemOf(n: number, body: string): object {
  if (body.includes('"compaction_trigger"')) return { type: 'compaction', encrypted_content: 'gA' };
  if (n > 2) {
    const content = [{ type: 'output_text', text: 'Done.' }];
    return { type: 'message', role: 'assistant', id: `m_${n}`, content };
  }
  const command = ['bash', '-lc', `cat f${n}.txt`];
  return {
    type: 'function_call',
    id: `fc_${n}`,
    call_id: `call_${n}`,
    name: 'shell',
    arguments: JSON.stringify({ command }),
  };
}
