import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { promptTokens } from '../../../src/contextWindow/account/spending';
import type { MessagesRequest, ScriptedReply } from '../../../src/offline/messagesApi';
import { startStrictServer } from '../../../src/offline/strictServer';
import { withRecording } from '../../../src/recordings/captures/claudeCodeSwitch';
import { windowOrigin } from '../../../src/recordings/windowOrigin';
import { plimsoll } from '../../cli/support/plimsoll';
import { PATIENCE, place, run } from './support/realAgent';
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
  // The parts before it are Claude Code's own.
  const newest = messages.findLast(({ role }) => role === 'user');
  const said = JSON.stringify([newest?.content ?? ''].flat().at(-1));
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
    const captures = await store.prepare('claude-code');
    const settings = withRecording(undefined, captures);
    if (!settings.ok) throw new Error(settings.message);
    mkdirSync(join(home, '.claude'));
    const hook = { matcher: 'resume', hooks: [{ type: 'command', command: 'echo again' }] };
    writeFileSync(
      join(home, '.claude', 'settings.json'),
      JSON.stringify({ ...JSON.parse(settings.text), hooks: { SessionStart: [hook] } }),
    );
    const ask = async (...args: readonly string[]): Promise<string> => {
      const model = ['--model', 'claude-sonnet-5-5', '--output-format', 'json'];
      const env = {
        ANTHROPIC_API_KEY: 'sk-ant-test-000',
        ANTHROPIC_BASE_URL: server.url,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
      };
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
      { title: 'Delegate', compactions: 0 },
    ]);
    const titles = origin!.inner.map(({ title }) => title);
    expect(titles).toEqual(['Count', 'Side request: compact']);
    const [subAgent] = origin!.inner;
    const [asked] = (await readSession(subAgent!, captures)).transcript.entries;
    expect(asked).toMatchObject({ type: 'prompt', text: 'Count it.', byAgent: true });

    const read = await readSession(origin!, captures);
    await expectExact(read, ' Also recorded, but not part of a step: other windows (2).');
    const kinds = read.transcript.entries.map(({ type }) => type).join(' ');
    expect(kinds).toBe('prompt reply reply prompt reply reply compacted prompt reply reply');
    const copy = await readSession(forked!, captures);
    // The requests of the copied replies are those of the origin.
    expect(windowOrigin(copy.transcript, copy.captured)).toMatch(/^Exact for 2 of 5 steps/);

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

const causesIn = ({ rewrites }: { readonly rewrites: readonly { readonly cause: string }[] }) =>
  rewrites.map(({ cause }) => cause).toSorted();
