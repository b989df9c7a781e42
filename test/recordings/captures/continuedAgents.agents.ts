import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { promptTokens } from '../../../src/contextWindow/account/spending';
import type { MessagesRequest, ScriptedReply } from '../../../src/offline/messagesApi';
import { startStrictServer } from '../../../src/offline/strictServer';
import { INDEX } from '../../../src/recordings/captures/captureStore';
import type { FoundSession } from '../../../src/recordings/lens/foundSession';
import { windowOrigin } from '../../../src/recordings/windowOrigin';
import { recordedChargesOf, type Transcript } from '../../../src/sessions/transcript';
import { plimsoll } from '../../cli/support/plimsoll';
import { PATIENCE, place, recordedClaude, run, start } from './support/realAgent';
import {
  expectExact,
  followed,
  foundSessions,
  readSession,
  repliesOf,
} from './support/readSession';

/*
 * Agents whose users come back to a session, compact it and fork it. A fork begins with copies, which
 * are counted once.
 */

/** What `plimsoll inspect` says, as JSON. */
async function inspected(home: string, cwd: string, ...args: readonly string[]) {
  const { stdout, stderr } = await plimsoll(['inspect', ...args, '--json'], cwd, undefined, home);
  expect(stderr).not.toContain('left out');
  return JSON.parse(stdout);
}

const COMPACTION = /CRITICAL: Respond with TEXT ONLY|detailed summary of/;

/** Reads the file that the newest prompt names; delegates if it asks for that; else is done. */
function answer(cwd: string, { tools = [], messages }: MessagesRequest): ScriptedReply {
  const newest = messages.findLast(({ role }) => role === 'user');
  // The other parts are Claude Code's own notes.
  const asked = [newest?.content ?? '']
    .flat()
    .map((part) => JSON.stringify(part))
    .filter((part) => !/^(?:"|\{"type":"text","text":")<system-reminder>(?!This is a)/.test(part));
  const said = asked.at(-1) ?? '';
  const has = (name: string) => tools.some((tool) => 'name' in tool && tool.name === name);
  const says = (text: string): ScriptedReply => ({ content: [{ type: 'text', text }] });
  if (COMPACTION.test(said)) return says('<summary>Two files were read.</summary>');
  if (said.includes('"tool_result"')) return says('Done.');
  if (said.includes('Delegate') && has('Agent')) {
    const input = { description: 'Count', prompt: 'Count it.', subagent_type: 'general-purpose' };
    return { content: [{ type: 'tool_use', name: 'Agent', input }] };
  }
  const [name] = /f\d\.txt/.exec(said) ?? [];
  if (name === undefined || !has('Read')) return says('Done.');
  return { content: [{ type: 'tool_use', name: 'Read', input: { file_path: join(cwd, name) } }] };
}

it(
  'a real Claude Code that is resumed, compacted and forked',
  async () => {
    const { home: given, store } = place();
    const home = realpathSync(given);
    const cwd = join(home, 'app');
    let later = 0;
    const server = await startStrictServer({
      respond: (request) => answer(cwd, request),
      passesUnknownBetas: true,
      now: () => Date.now() + later,
    });
    onTestFinished(() => server.close());
    const hook = { matcher: 'resume', hooks: [{ type: 'command', command: 'echo again' }] };
    const hooks = { SessionStart: [hook] };
    const { captures, env } = await recordedClaude({ home, store }, server.url, { hooks });
    const ask = async (...args: readonly string[]): Promise<string> => {
      const model = ['--model', 'claude-sonnet-5-5', '--output-format', 'json'];
      const output = await run('claude', ['-p', ...args, ...model], { home, cwd, env });
      expect(output).toContain('session_id');
      return JSON.parse(output).session_id;
    };
    const list = () => foundSessions('claude-code', home, cwd, captures);

    const id = await ask('Read f1.txt');
    const [first] = await list();
    const growing = followed(first!.file);
    // The server has forgotten the cache when the session is continued, before its hour is over.
    later = 3_700_000;
    expect(await ask('Read f2.txt', '--resume', id)).toBe(id);
    later = 0;
    const grown = await growing((text) => text.split('"Done."').length > 2);
    const [, , again] = repliesOf((await readSession(first!, captures, grown)).transcript);
    expect(again).toMatchObject({ resumed: true, usage: { cacheReadTokens: 0 } });
    await ask('/compact', '--resume', id);
    await ask('Delegate', '--continue');
    const fork = await ask('Read f3.txt', '--resume', id, '--fork-session');
    expect(fork).not.toBe(id);

    const [forked, origin] = await list();
    expect([forked, origin].map((one) => one?.id)).toEqual([fork, id]);
    expect([origin, forked]).toMatchObject([
      { title: 'Read f1.txt', compactions: 1, isRunning: false },
      // The compaction that it begins with is not its own.
      { title: 'Read f3.txt', compactions: 0 },
    ]);
    const titles = origin!.inner.map(({ title }) => title);
    expect(titles).toEqual(['Count', 'Side request: compact']);
    const [subAgent] = origin!.inner;
    const [asked] = (await readSession(subAgent!, captures)).transcript.entries;
    expect(asked).toMatchObject({ type: 'prompt', text: 'Count it.', byAgent: true });

    const read = await readSession(origin!, captures);
    // Newer versions write an index with the purpose and the reply of each request.
    const isNamed = existsSync(join(captures, INDEX));
    const delegated = isNamed ? 'agent:builtin:general-purpose' : 'other windows';
    await expectExact(
      read,
      ` Also recorded, but not part of a step: compact (1), ${delegated} (1).`,
    );
    const kinds = read.transcript.entries.map((entry) =>
      entry.type === 'prompt' && entry.byAgent === true ? 'report' : entry.type,
    );
    // In newer versions the sub-agent works in the background, and reports later.
    expect(kinds.join(' ')).toMatch(
      /^prompt reply reply prompt reply reply compacted prompt reply reply(?: report reply)?$/,
    );
    const copy = await readSession(forked!, captures);
    // The requests of the copied replies have the name of the origin: the index finds them.
    const exact = isNamed ? 'Exact: ' : 'Exact for 2 of 5 steps';
    expect(windowOrigin(copy.transcript, copy.captured)).toContain(exact);

    const { report } = await inspected(home, cwd, origin!.file);
    const { before, after, rewrite, ...loss } = report.losses[0];
    const tokens = repliesOf(read.transcript).map(({ usage }) => promptTokens(usage!));
    expect([report.losses.length, before, after]).toEqual([1, tokens[3], tokens[4]]);
    expect(loss).toMatchObject({ kind: 'compacted', byUser: true, beforeStep: 5, filesAdded: 2 });
    expect(rewrite.tokens).toBeGreaterThan(10_000);
    expect(causesIn(report.cacheWrites)).toEqual(['compacted', 'first', 'resumed']);

    const { report: ofFork } = await inspected(home, cwd, forked!.file);
    expect([ofFork.losses, ofFork.rules]).toEqual([[], []]);
    // All requests but that for the summary, which is in no session, once.
    const sent = server.requests.filter(({ path }) => path === '/v1/messages');
    expect(sent.map(({ status }) => status)).toEqual(sent.map(() => 200));
    const all = await inspected(home, cwd, '--all');
    expect(all).toMatchObject({ sessions: 3, compactions: 1 });
    expect(all.cacheWrites.requests).toBe(sent.length - 1);
    expect(causesIn(all.cacheWrites)).toEqual(['compacted', 'first', 'resumed']);
  },
  6 * PATIENCE,
);

it(
  'a real Claude Code that compacts on its own, twice',
  async () => {
    const { home: given, store } = place();
    const home = realpathSync(given);
    const cwd = join(home, 'app');
    for (const n of [1, 2, 3]) {
      writeFileSync(join(cwd, `f${n}.txt`), `line of file ${n}\n`.repeat(2_000));
    }
    let read = 0;
    const server = await startStrictServer({
      respond: (request) => {
        const said = JSON.stringify(request.messages.findLast(({ role }) => role === 'user'));
        if (COMPACTION.test(said)) return answer(cwd, request);
        read += 1;
        return read > 3
          ? { content: [{ type: 'text', text: 'Done.' }] }
          : answer(cwd, { ...request, messages: [{ role: 'user', content: `Read f${read}.txt` }] });
      },
      passesUnknownBetas: true,
    });
    onTestFinished(() => server.close());
    const { captures, env } = await recordedClaude({ home, store }, server.url);
    const output = await run('claude', ['-p', 'Read them', '--model', 'claude-sonnet-5-5'], {
      home,
      cwd,
      // One file fits into a quarter of its window, two do not.
      env: {
        ...env,
        CLAUDE_CODE_AUTO_COMPACT_WINDOW: '200000',
        CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '25',
      },
    });
    const [session, ...more] = await foundSessions('claude-code', home, cwd, captures);
    expect([session, more], output).toMatchObject([{ title: 'Read them', compactions: 2 }, []]);
    const titles = session!.inner.map(({ title }) => title);
    expect(titles).toEqual(['Side request: compact', 'Side request: compact']);
    const found = await readSession(session!, captures);
    await expectExact(found, ' Also recorded, but not part of a step: compact (2).');
    const kinds = found.transcript.entries.map(({ type }) => type).join(' ');
    expect(kinds).toBe('prompt reply reply compacted reply compacted reply');
    const { report } = await inspected(home, cwd, session!.file);
    const tokens = repliesOf(found.transcript).map(({ usage }) => promptTokens(usage!));
    expect(report.losses).toMatchObject([
      { kind: 'compacted', beforeStep: 3, before: tokens[1], after: tokens[2] },
      { kind: 'compacted', beforeStep: 4, before: tokens[2], after: tokens[3] },
    ]);
    expect(report.losses.map(({ byUser }: { byUser?: boolean }) => byUser ?? false)).toEqual([
      false,
      false,
    ]);
  },
  2 * PATIENCE,
);

it(
  'a real Claude Code that is asked for a title, and a side question',
  async () => {
    const { home: given, store } = place();
    const home = realpathSync(given);
    const cwd = join(home, 'app');
    const server = await startStrictServer({
      respond: (request) => {
        const isForTitle = JSON.stringify(request.system ?? '').includes(' title');
        if (!isForTitle || (request.tools ?? []).length > 0) return answer(cwd, request);
        return { content: [{ type: 'text', text: '{"title": "The first file"}' }] };
      },
      passesUnknownBetas: true,
    });
    onTestFinished(() => server.close());
    const { captures, env } = await recordedClaude({ home, store }, server.url);
    const lines = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
    const model = ['--model', 'claude-sonnet-5-5'];
    const { child, output } = start('claude', ['-p', '--verbose', ...lines, ...model], {
      home,
      cwd,
      env,
    });
    onTestFinished(() => void child.kill());
    const ask = async (value: object, answered: RegExp) => {
      child.stdin.write(`${JSON.stringify(value)}\n`);
      await expect.poll(output, { timeout: PATIENCE }).toMatch(answered);
    };
    const request = (id: string, fields: object) =>
      ask({ type: 'control_request', request_id: id, request: fields }, RegExp(`"${id}"`));
    const prompt = 'Read f1.txt, please';
    await ask({ type: 'user', message: { role: 'user', content: prompt } }, /"type":"result"/);
    await request('one', { subtype: 'generate_session_title', description: prompt, persist: true });
    await request('two', { subtype: 'side_question', question: 'Is it long?' });
    child.stdin.end();
    await new Promise((resolve) => child.on('close', resolve));
    const [session, ...more] = await foundSessions('claude-code', home, cwd, captures);
    expect([session?.title, more], output()).toEqual(['The first file', []]);
    const [aside, title, ...others] = session!.inner;
    expect([aside?.title, title?.title, others]).toEqual([
      'Side request: side_question',
      'Side request: generate_session_title',
      [],
    ]);
    const notes =
      ' Also recorded, but not part of a step: generate_session_title (1), side_question (1).';
    await expectExact(await readSession(session!, captures), notes);
    for (const [one, said] of [
      [aside, 'Is it long?'],
      [title, 'The first file'],
    ] as const) {
      const { transcript, captured } = await readSession(one!, captures);
      expect(windowOrigin(transcript, captured)).toContain('Exact');
      expect(JSON.stringify(transcript.entries)).toContain(said);
    }
  },
  2 * PATIENCE,
);

const causesIn = ({ rewrites }: { readonly rewrites: readonly { readonly cause: string }[] }) =>
  rewrites.map(({ cause }) => cause).toSorted();

/** A scripted server; `answer` gets the path and the body of each request. */
async function scripted(
  answer: (path: string, body: string, send: (value: object, type?: string) => void) => void,
) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      const path = request.url ?? '';
      if (!/\/(?:responses|chat\/completions)$/.test(path)) {
        response.writeHead(404).end('{}');
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      answer(path, body, (value, type) => sendEvent(response, value, type));
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/v1`;
}

function sendEvent(response: ServerResponse, value: object, type?: string): void {
  const event = type === undefined ? '' : `event: ${type}\n`;
  const data = JSON.stringify(type === undefined ? value : { type, ...value });
  response.write(`${event}data: ${data}\n\n`);
}

it(
  'a real Codex that is resumed, compacted and forked',
  async () => {
    const { home: given, store } = place();
    const home = realpathSync(given);
    const cwd = join(home, 'app');
    let asked = 0;
    let isFull = false;
    const url = await scripted((_path, body, send) => {
      asked += 1;
      const id = `resp_${asked}`;
      const newest = JSON.parse(body).input.at(-1);
      const wanted = /Read (f\d)/.exec(JSON.stringify(newest))?.[1];
      const text = body.includes('CONTEXT CHECKPOINT') ? 'Two files were read.' : `Done ${asked}.`;
      const item =
        wanted === undefined
          ? {
              type: 'message',
              role: 'assistant',
              id: `m_${asked}`,
              content: [{ type: 'output_text', text }],
            }
          : {
              type: 'function_call',
              id: `fc_${asked}`,
              call_id: `call_${asked}`,
              name: 'shell',
              arguments: JSON.stringify({ command: ['bash', '-lc', `cat ${wanted}.txt`] }),
            };
      send({ response: { id } }, 'response.created');
      send({ output_index: 0, item }, 'response.output_item.done');
      const input = (isFull ? 90_000 : 9_000) + asked;
      isFull = false;
      const usage = {
        input_tokens: input,
        input_tokens_details: { cached_tokens: 500 },
        output_tokens: 20,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: input + 20,
      };
      send({ response: { id, usage } }, 'response.completed');
    });
    const captures = await store.prepare('codex');
    mkdirSync(join(home, '.codex'));
    const settings = [
      'model = "gpt-5.2"',
      'model_provider = "local"',
      'model_auto_compact_token_limit = 50000',
      '[model_providers.local]',
      'name = "local"',
      `base_url = "${url}"`,
      'wire_api = "responses"',
      'env_key = "LOCAL_KEY"',
      'supports_websockets = false',
    ];
    writeFileSync(join(home, '.codex', 'config.toml'), `${settings.join('\n')}\n`);
    const ask = (...args: readonly string[]) => {
      const all = ['exec', '--skip-git-repo-check', '--sandbox', 'read-only', ...args];
      const env = { LOCAL_KEY: 'x', CODEX_ROLLOUT_TRACE_ROOT: captures };
      return run('codex', all, { home, cwd, env });
    };
    const list = () => foundSessions('codex', home, cwd, captures);
    let output = await ask('Read f1');
    const [first] = await list();
    const growing = followed(first!.file);
    isFull = true;
    output += await ask('resume', first!.id, 'Read f2');
    output += await ask('resume', '--last', 'And now?');
    const own = asked;
    const grown = await growing((text) => text.includes(`Done ${own}.`));
    output += await ask('fork', first!.id, 'Read f3');

    const [forked, origin, ...more] = await list();
    expect([forked, origin, more], output).toMatchObject([
      { title: 'Read f3', compactions: 0, tokens: 9_020 + asked },
      { id: first!.id, title: 'Read f1', compactions: 1, isRunning: false },
      [],
    ]);
    const read = await readSession(origin!, captures);
    await expectExact(read);
    const kinds = 'prompt reply reply prompt reply compacted reply prompt reply';
    expect(read.transcript.entries.map(({ type }) => type).join(' ')).toBe(kinds);
    expect((await readSession(origin!, captures, grown)).transcript).toEqual(read.transcript);
    // Each response once, that of the summary next to the reply after it.
    expect(charged(read)).toEqual([1, 2, 3, 4, 5, 6]);
    const copy = await readSession(forked!, captures);
    expect(charged(copy)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(windowOrigin(copy.transcript, copy.captured)).toMatch(/^Exact for 2 of 7 steps/);
    const { report } = await inspected(home, cwd, origin!.file);
    expect(report.losses).toMatchObject([
      { kind: 'compacted', beforeStep: 4, before: 90_003, after: 9_005 },
    ]);
    const all = await inspected(home, cwd, '--all');
    expect(all).toMatchObject({ sessions: 2, compactions: 1, cacheWrites: { requests: asked } });
  },
  5 * PATIENCE,
);

it(
  'a real OpenCode that is resumed, compacted and forked, and whose user undoes a part',
  async () => {
    const { home: given } = place();
    const home = realpathSync(given);
    const cwd = join(home, 'app');
    let asked = 0;
    let isFull = false;
    const url = await scripted((_path, body, send) => {
      const { messages, tools = [] } = JSON.parse(body);
      asked += 1;
      const newest = messages.at(-1);
      const hasTools = tools.length > 0;
      const wanted =
        hasTools && newest.role === 'user'
          ? /Read (f\d)/.exec(JSON.stringify(newest.content))?.[1]
          : undefined;
      const input = JSON.stringify({ filePath: join(cwd, `${wanted}.txt`) });
      const call = { name: 'read', arguments: input };
      const delta =
        wanted === undefined
          ? { role: 'assistant', content: hasTools ? `Done ${asked}.` : 'Files were read.' }
          : {
              role: 'assistant',
              tool_calls: [{ index: 0, id: `call_${asked}`, type: 'function', function: call }],
            };
      const tokens = (isFull && hasTools ? 39_000 : 3_000) + asked;
      if (hasTools) isFull = false;
      const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'local' };
      const reason = wanted === undefined ? 'stop' : 'tool_calls';
      const usage = { prompt_tokens: tokens, completion_tokens: 20, total_tokens: tokens + 20 };
      send({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] });
      send({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }] });
      send({ ...chunk, choices: [], usage });
    });
    const models = { local: { name: 'local', limit: { context: 40_000, output: 4_000 } } };
    const options = { baseURL: url, apiKey: 'x' };
    const settings = {
      autoupdate: false,
      share: 'disabled',
      provider: { local: { npm: '@ai-sdk/openai-compatible', name: 'local', options, models } },
      model: 'local/local',
      small_model: 'local/local',
    };
    writeFileSync(join(cwd, 'opencode.json'), JSON.stringify(settings));
    const env = { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' };
    const ask = (...args: readonly string[]) =>
      run('opencode', ['run', ...args], { home, cwd, env });
    const list = () => foundSessions('opencode', home, cwd);
    let output = await ask('Read f1');
    const [first] = await list();
    const growing = followed(first!.file);
    output += await ask('--continue', 'Read f2');
    isFull = true;
    output += await ask('--continue', 'Read f3');
    const own = asked;
    const grown = await growing((text) => text.includes(`Done ${own}.`));
    output += await ask('--continue', '--fork', 'Read f1');
    const [forked, origin, ...more] = await list();
    expect([forked, origin, more], output).toMatchObject([
      { title: expect.stringContaining('(fork #1)'), compactions: 1, tokens: 3_020 + asked },
      { id: first!.id, compactions: 1, isRunning: false },
      [],
    ]);
    const kindsOf = async (session: FoundSession) =>
      (await readSession(session)).transcript.entries.map(({ type }) => type).join(' ');
    const kinds = 'prompt reply reply prompt reply reply prompt reply compacted reply';
    expect(await kindsOf(origin!)).toBe(kinds);
    expect(await kindsOf(forked!)).toBe(`${kinds} prompt reply reply`);
    const read = await readSession(origin!);
    expect((await readSession(first!, undefined, grown)).transcript).toEqual(read.transcript);
    // The first request is for the title, and in no session.
    expect(charged(read)).toEqual([2, 3, 4, 5, 6, 7, 8]);
    const { report } = await inspected(home, cwd, origin!.file);
    expect(report.losses).toMatchObject([
      { kind: 'compacted', beforeStep: 6, before: 39_006, after: 3_008 },
    ]);
    const all = () => inspected(home, cwd, '--all');
    const requests = asked - 1;
    expect(await all()).toMatchObject({ sessions: 2, compactions: 1, cacheWrites: { requests } });

    await undo(forked!.id, { home, cwd, env });
    const [undone] = await list();
    expect(undone).toMatchObject({ id: forked!.id, tokens: 3_020 + own });
    const rest = await readSession(undone!);
    expect(await kindsOf(undone!)).toBe(kinds);
    expect(charged(rest).toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(rest.transcript.notes).toContain('4 entries of abandoned branches skipped.');
  },
  6 * PATIENCE,
);

/** Undoes the newest prompt of a session through the server of OpenCode. */
async function undo(id: string, where: Parameters<typeof start>[2]): Promise<void> {
  const { child, output } = start('opencode', ['serve', '--port', '0'], where);
  child.stdin.end();
  try {
    await expect.poll(output, { timeout: PATIENCE }).toMatch(/http:\/\/[\d.]+:\d+/);
    const [base] = /http:\/\/[\d.]+:\d+/.exec(output()) ?? [];
    const messages = (await (await fetch(`${base}/session/${id}/message`)).json()) as readonly {
      readonly info: { readonly id: string; readonly role: string };
    }[];
    const messageID = messages.findLast(({ info }) => info.role === 'user')?.info.id;
    const { status } = await fetch(`${base}/session/${id}/revert`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messageID }),
    });
    expect(status).toBe(200);
  } finally {
    child.kill();
  }
}

/** The input of each response that was charged, without its thousands. */
function charged({ transcript }: { readonly transcript: Transcript }): readonly number[] {
  return repliesOf(transcript)
    .flatMap(recordedChargesOf)
    .map(({ usage }) => promptTokens(usage) % 1_000);
}
