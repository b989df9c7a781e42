import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { promptTokens } from '../../../src/contextWindow/account/spending';
import { readHere } from '../../../src/editor/recordings/recordingFile';
import { followFile } from '../../../src/recordings/followFile';
import { SessionFinder } from '../../../src/recordings/lens/findSessions';
import type { LensAgent } from '../../../src/recordings/lens/foundSession';
import { PATIENCE, place, run } from './support/realAgent';

/*
 * Agents that record no requests: their session files have what the server counted, and the calls
 * and results of the run.
 */

/** A real agent, and how it is pointed at a server on this machine without an account. */
interface RealAgent {
  readonly agent: LensAgent;
  readonly binary: string;
  readonly args: readonly string[];
  readonly env: (url: string) => Record<string, string>;
  /** Its settings: a path below the home folder, and the content. */
  readonly settings?: (url: string) => readonly [string, object];
}

const ASKED = 'Read f1.txt and say done';
const AGENTS: readonly RealAgent[] = [
  {
    agent: 'opencode',
    binary: 'opencode',
    args: ['run', ASKED],
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    settings: (url) => [
      'app/opencode.json',
      {
        autoupdate: false,
        share: 'disabled',
        provider: {
          local: {
            npm: '@ai-sdk/openai-compatible',
            name: 'local',
            options: { baseURL: `${url}/v1`, apiKey: 'x' },
            models: { local: { name: 'local', limit: { context: 100_000, output: 4_000 } } },
          },
        },
        model: 'local/local',
        small_model: 'local/local',
      },
    ],
  },
  {
    agent: 'gemini-cli',
    binary: 'gemini',
    args: ['-m', 'gemini-2.5-pro', '-p', ASKED],
    env: (url) => ({
      GEMINI_API_KEY: 'x',
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    settings: () => [
      '.gemini/settings.json',
      {
        security: { auth: { selectedType: 'gemini-api-key' } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      },
    ],
  },
  {
    agent: 'copilot-cli',
    binary: 'copilot',
    args: ['-p', ASKED, '--allow-all-tools'],
    env: (url) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'x',
      COPILOT_MODEL: 'local',
    }),
  },
  {
    agent: 'pi',
    binary: 'pi',
    args: ['-p', ASKED, '--provider', 'local', '--model', 'local'],
    env: () => ({ PI_OFFLINE: '1' }),
    settings: (url) => [
      '.pi/agent/models.json',
      {
        providers: {
          local: {
            baseUrl: `${url}/v1`,
            api: 'openai-completions',
            apiKey: 'x',
            models: [{ id: 'local', name: 'local', contextWindow: 100_000, maxTokens: 4_000 }],
          },
        },
      },
    ],
  },
];

describe.each(AGENTS)('a real $agent', ({ agent, binary, args, env, settings }) => {
  it(
    'is found and read, also as a followed file, with the tokens that its server counted',
    async () => {
      const { home: given, cwd: _cwd } = place();
      const home = realpathSync(given);
      const cwd = join(home, 'app');
      const { url, close } = await scriptedServer(join(cwd, 'f1.txt'));
      onTestFinished(close);
      if (settings !== undefined) {
        const [path, content] = settings(url);
        mkdirSync(join(home, path, '..'), { recursive: true });
        writeFileSync(join(home, path), JSON.stringify(content));
      }
      const output = await run(binary, args, { home, cwd, env: env(url) });
      const finder = new SessionFinder({ home, environment: {}, now: () => Date.now() });
      const { sessions, problems } = await finder.find(cwd);
      expect(problems, output).toEqual([]);
      expect(
        sessions.map((session) => session.agent),
        output,
      ).toEqual([agent]);
      const [session] = sessions;
      expect(session).toMatchObject({ tokens: INPUT + OUTPUT, compactions: 0, isRunning: false });
      expect(session!.title).not.toMatch(/^<|^$/);
      const text = await new Promise<string>((resolve, reject) => {
        const following = followFile(session!.file, {
          changed: resolve,
          problem: (message) => reject(new Error(message)),
        });
        onTestFinished(() => following.dispose());
      });
      for (const grown of [undefined, text]) {
        const read = await readHere({ file: session!.file, ...(grown && { grown }) });
        if (!read.ok) throw new Error(read.message);
        const { entries } = read.transcript;
        const prompts = entries.flatMap((entry) => (entry.type === 'prompt' ? [entry.text] : []));
        expect(prompts.map((prompt) => prompt.replaceAll('"', '').trim())).toEqual([ASKED]);
        const replies = entries.flatMap((entry) => (entry.type === 'reply' ? [entry] : []));
        expect(replies.map(({ usage }) => usage && promptTokens(usage))).toEqual([INPUT, INPUT]);
        expect(replies.map(({ usage }) => usage?.cacheReadTokens)).toEqual([CACHED, CACHED]);
        expect(replies[0]?.results.map((result) => result.text).join()).toContain('line two');
        expect(JSON.stringify(replies[1]?.parts)).toContain('Done.');
      }
    },
    PATIENCE + 30_000,
  );
});

it(
  'a real gemini-cli that is resumed and compacts keeps its tokens, and has its compaction',
  async () => {
    const { home: given } = place();
    const home = realpathSync(given);
    const cwd = join(home, 'app');
    const { url, close } = await scriptedServer(join(cwd, 'f1.txt'));
    onTestFinished(close);
    const gemini = AGENTS.find(({ agent }) => agent === 'gemini-cli')!;
    const [path, settings] = gemini.settings!(url);
    mkdirSync(join(home, path, '..'), { recursive: true });
    let output = '';
    const ask = async (compressionThreshold: number, ...args: readonly string[]) => {
      const model = { compressionThreshold };
      writeFileSync(join(home, path), JSON.stringify({ ...settings, model }));
      const all = ['-m', 'gemini-2.5-pro', ...args];
      output += await run(gemini.binary, all, { home, cwd, env: gemini.env(url) });
    };
    await ask(0.9, '-p', ASKED);
    await ask(0.000_001, '--resume', 'latest', '-p', 'And now?');
    await ask(0.9, '--resume', 'latest', '-p', 'And then?');
    const finder = new SessionFinder({ home, environment: {}, now: () => Date.now() });
    const { sessions } = await finder.find(cwd);
    const read = await readHere({ file: sessions[0]!.file });
    if (!read.ok) throw new Error(read.message);
    const { entries } = read.transcript;
    // It may compact again before a later request of the turn.
    expect(entries.map((entry) => entry.type).join(' '), output).toMatch(
      /^prompt reply reply compacted prompt(?: reply| compacted)+ prompt(?: reply)+$/,
    );
    const compactions = entries.filter(({ type }) => type === 'compacted').length;
    expect(sessions).toMatchObject([{ compactions }]);
    const replies = entries.flatMap((entry) => (entry.type === 'reply' ? [entry] : []));
    for (const { usage } of replies) expect(promptTokens(usage!)).toBe(INPUT);
    expect(replies[0]?.results.map((result) => result.text).join()).toContain('line two');
  },
  3 * PATIENCE + 30_000,
);

const [INPUT, OUTPUT, CACHED] = [9_000, 20, 500];

/**
 * A server for chat completions and for Gemini's API: it has the agent read a file once, and says
 * that it is done.
 */
async function scriptedServer(file: string) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      const [, tool] = /"name":"(read_file|read|view)"/.exec(body) ?? [];
      const call = tool === undefined || body.includes('line two') ? undefined : tool;
      const url = request.url ?? '';
      if (url.includes(':streamGenerateContent')) answerGemini(response, call, file);
      else if (url.includes(':generateContent')) summarise(response);
      else if (url.endsWith('/chat/completions')) answerCompletion(response, call, file);
      else response.writeHead(404).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

function stream(response: ServerResponse, values: readonly object[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const value of values) response.write(`data: ${JSON.stringify(value)}\n\n`);
}

function answerGemini(response: ServerResponse, call: string | undefined, file: string): void {
  const part =
    call === undefined
      ? { text: 'Done.' }
      : { functionCall: { name: call, args: { file_path: file } } };
  const content = { role: 'model', parts: [part] };
  stream(response, [
    {
      candidates: [{ content, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: INPUT,
        candidatesTokenCount: OUTPUT,
        totalTokenCount: INPUT + OUTPUT,
        cachedContentTokenCount: CACHED,
      },
      modelVersion: 'gemini-2.5-pro',
    },
  ]);
  response.end();
}

/** What Gemini CLI asks for when it compacts. */
function summarise(response: ServerResponse): void {
  const parts = [{ text: '<state_snapshot>It was read.</state_snapshot>' }];
  const content = { role: 'model', parts };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ candidates: [{ content, finishReason: 'STOP', index: 0 }] }));
}

function answerCompletion(response: ServerResponse, call: string | undefined, file: string): void {
  // Each agent has a name of its own for it.
  const input = JSON.stringify({ path: file, filePath: file });
  const named = { name: call, arguments: input };
  const delta =
    call === undefined
      ? { role: 'assistant', content: 'Done.' }
      : {
          role: 'assistant',
          tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: named }],
        };
  const chunk = { id: 'chat_1', object: 'chat.completion.chunk', created: 1, model: 'local' };
  const reason = call === undefined ? 'stop' : 'tool_calls';
  stream(response, [
    { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }] },
    {
      ...chunk,
      choices: [],
      usage: {
        prompt_tokens: INPUT,
        completion_tokens: OUTPUT,
        total_tokens: INPUT + OUTPUT,
        prompt_tokens_details: { cached_tokens: CACHED },
      },
    },
  ]);
  response.end('data: [DONE]\n\n');
}
