import { excerptsSize, excerptsSizeText } from '../../src/contextWindow/files/regions';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { subAgentsIn } from '../../src/contextWindow/subAgentLog';
import type { SessionEvent } from '../../src/contextWindow/event';
import { demoModel } from '../../src/offline/demo/demoModel';
import { DEMO_TASK } from '../../src/offline/demo/demoPrompts';
import type { MessagesRequest } from '../../src/offline/messagesApi';
import { startStrictServer, type StrictServer } from '../../src/offline/strictServer';
import { validateRequest } from '../../src/offline/rules/validateRequest';
import { COMPATIBLE, startCompatible } from '../support/compatibleServers';
import { copySample, removeCopy } from '../offline/demo/demoWorkspace';
import { otlpReceiver } from '../telemetry/support/otlpReceiver';
import { plimsoll as runPlimsoll } from './support/plimsoll';

let server: StrictServer;
let workspace: string;
let scratch: string;

beforeEach(async () => {
  server = await startStrictServer({ respond: demoModel() });
  workspace = copySample();
  scratch = mkdtempSync(join(tmpdir(), 'plimsoll-cli-'));
});

afterEach(async () => {
  await server.close();
  removeCopy(workspace);
  rmSync(scratch, { recursive: true, force: true });
});

function plimsoll(args: readonly string[], stop?: AbortController) {
  return runPlimsoll(args, scratch, stop);
}

function run(...more: readonly string[]): readonly string[] {
  return ['run', '--task', DEMO_TASK, '--cwd', workspace, '--base-url', server.url, ...more];
}

function linesOf<T>(file: string): readonly T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

describe('plimsoll run', () => {
  it('sends the text of a custom command that the task calls, or says why not', async () => {
    const requests = join(scratch, 'requests.jsonl');
    mkdirSync(join(workspace, '.claude/commands'), { recursive: true });
    writeFileSync(join(workspace, '.claude/commands/moor.md'), 'Moor ${input:ship} now.');
    const task = (text: string) =>
      ['run', '--task', text, '--cwd', workspace, '--base-url', server.url] as const;
    await plimsoll([...task('/moor Vega'), '--requests', requests]);
    expect(readFileSync(requests, 'utf8')).toContain('Moor Vega now.');
    const refused = await plimsoll(task('/moor'));
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('/moor was not sent: it needs ship.');
  });

  it('sends spans and metrics to the receiver that it names, and so does inspect', async () => {
    const receiver = await otlpReceiver();
    const log = join(scratch, 'canary.jsonl');
    const task = ['run', '--task', 'canary', '--cwd', workspace, '--base-url', server.url] as const;
    const to = ['--otlp-endpoint', `${receiver.endpoint}/`] as const;
    expect(await plimsoll([...task, '--log', log, ...to])).toMatchObject({ code: 0 });
    const names = () => receiver.spans.map(({ name }) => name);
    const live = names();
    expect(live).toContain('invoke_agent plimsoll');
    expect(live.filter((name) => name.startsWith('chat ')).length).toBeGreaterThan(0);
    expect(receiver.metrics.map(({ name }) => name)).toContain('gen_ai.client.inference.duration');
    await plimsoll(['inspect', log, ...to]);
    expect(names().slice(live.length).toSorted()).toEqual(live.toSorted());
    expect(receiver.text).not.toContain('canary');
    expect(receiver.text).not.toContain(workspace);
  });

  it('says once what a compatible server refuses, and marks its numbers as estimates', async () => {
    const proxy = await startCompatible(COMPATIBLE.openRouter);
    const log = join(scratch, 'log.jsonl');
    const args = ['run', '--task', 'Go', '--cwd', workspace, '--base-url', proxy.url] as const;
    const ran = await plimsoll([...args, '--log', log]).finally(() => proxy.close());
    expect(ran).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(ran.stderr).toMatch(/note: Tokens are estimated: This server does not count tokens/);
    expect(ran.stderr).toMatch(
      /note: 127\.0\.0\.1:\d+ does not accept prompt cache marks for [\w-]+, so/,
    );
    const inspected = await plimsoll(['inspect', log]);
    expect(inspected.stdout).toMatch(
      /^Window after step 1: ≈ [\d,]+ of 949,808 tokens \(.*\), estimate$/m,
    );
    expect(inspected.stdout).toMatch(/^Cost: ≈ \$0\.\d+, 1 request/m);
  }, 60_000);

  it('lets a sub-agent of the project work, which asks under its name', async () => {
    mkdirSync(join(workspace, '.claude/agents'), { recursive: true });
    const scribe = '---\nname: scribe\ndescription: Writes.\nhooks: x\n---\nBe brief.';
    writeFileSync(join(workspace, '.claude/agents/scribe.md'), scribe);
    const model = await startStrictServer({
      respond: ({ system, messages }) => {
        const isScribe = JSON.stringify(system).includes('Be brief.');
        const hasResult = JSON.stringify(messages.at(-1)).includes('tool_result');
        if (hasResult) return { content: [{ type: 'text', text: isScribe ? 'Noted.' : 'Done.' }] };
        const input = isScribe
          ? { path: 'note.md', content: 'A note.\n' }
          : { title: 'Write', prompt: 'Write note.md.', agent: 'scribe' };
        const name = isScribe ? 'create_file' : 'task';
        return { content: [{ type: 'tool_use', name, input }] };
      },
    });
    const log = join(scratch, 'log.jsonl');
    const args = ['run', '--task', 'Go', '--cwd', workspace, '--base-url', model.url] as const;
    const ran = await plimsoll([...args, '--yes', '--log', log]).finally(() => model.close());
    expect(ran).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(ran.stderr).toContain('Plimsoll does not support hooks in .claude/agents/scribe.md');
    expect(ran.stderr).toContain('  scribe asks:');
    expect(readFileSync(join(workspace, 'note.md'), 'utf8')).toBe('A note.\n');
    const events = linesOf<SessionEvent>(log);
    expect(subAgentsIn(events)).toMatchObject([{ name: 'scribe', steps: 2, isAtWork: false }]);
    const results = events.flatMap((event) => (event.type === 'toolFinished' ? [event.text] : []));
    expect(results).toEqual(['Noted.']);
  });

  it('plans without changing anything, or makes ordinary edits unasked, as its mode says', async () => {
    const model = await startStrictServer({
      respond: ({ messages }) =>
        JSON.stringify(messages.at(-1)).includes('tool_result')
          ? { content: [{ type: 'text', text: 'Done.' }] }
          : {
              content: [
                { type: 'tool_use', name: 'create_file', input: { path: 'a.md', content: 'a\n' } },
                { type: 'tool_use', name: 'run_command', input: { command: 'touch b.md' } },
              ],
            },
    });
    const requests = join(scratch, 'requests.jsonl');
    const args = ['run', '--task', 'Go', '--cwd', workspace, '--base-url', model.url] as const;
    const planned = await plimsoll([...args, '--mode', 'plan', '--yes', '--requests', requests]);
    expect(planned).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(readFileSync(requests, 'utf8')).toContain('[Mode: plan.');
    expect(existsSync(join(workspace, 'a.md')) || existsSync(join(workspace, 'b.md'))).toBe(false);
    const accepted = await plimsoll([...args, '--mode', 'accept-edits']);
    await model.close();
    expect(accepted).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(readFileSync(join(workspace, 'a.md'), 'utf8')).toBe('a\n');
    expect(existsSync(join(workspace, 'b.md'))).toBe(false);
    expect(await plimsoll([...args, '--mode', 'yolo'])).toMatchObject({ code: 2 });
  });

  it('performs the sample task in a window of 32k: passes run, the task stays, tests are green', async () => {
    const [log, requests] = [join(scratch, 'log.jsonl'), join(scratch, 'requests.jsonl')];
    const ran = await plimsoll(
      run(
        '--window',
        '32000',
        '--max-reply',
        '2048',
        '--yes',
        '--log',
        log,
        '--requests',
        requests,
      ),
    );
    expect(ran.stderr).toContain('pass 2');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('63 passed, 0 failed');

    const events = linesOf<SessionEvent>(log);
    const passes = events.flatMap((event) => (event.type === 'passApplied' ? [event.pass] : []));
    expect(passes.length).toBeGreaterThanOrEqual(2);
    const views = passes.flatMap(({ excerpts }) => (excerpts === undefined ? [] : [excerpts]));
    expect(views.length).toBeGreaterThan(0);
    for (const { shown } of views)
      expect(ran.stderr).toContain(`; shows ${excerptsSizeText(excerptsSize(shown))}`);
    expect(passes.flatMap(({ summaries }) => summaries).length).toBeGreaterThan(0);

    const bodies = linesOf<MessagesRequest>(requests);
    const received = server.requests.filter(({ path }) => path === '/v1/messages').length;
    // The end of the run may stop a summary ahead before the server hears of it.
    expect([received, received + 1]).toContain(bodies.length);
    for (const body of bodies) {
      expect(validateRequest(body)?.message).toBeUndefined();
      const said = body.messages
        .filter(({ role }) => role === 'user')
        .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
        .flatMap((part) => (part.type === 'text' ? [part.text] : []));
      const asked = said.filter((text) => !text.startsWith('[Reminder, no request: '));
      expect(asked.at(-1)).toContain(DEMO_TASK);
    }
    const reminded = bodies.filter((body) =>
      JSON.stringify(body).includes('[Reminder, no request'),
    );
    expect(reminded.length).toBeGreaterThan(0);
  });

  it("shows the model the user's profile unless --no-profile is given", async () => {
    const home = join(scratch, 'home');
    mkdirSync(join(home, '.plimsoll'), { recursive: true });
    writeFileSync(join(home, '.plimsoll/memory.md'), '- In German.\n');
    const systemOf = async (...more: readonly string[]) => {
      const requests = join(scratch, `requests${more.length}.jsonl`);
      const args = run('--max-steps', '1', '--requests', requests, ...more);
      await runPlimsoll(args, scratch, undefined, home);
      return JSON.stringify(linesOf<MessagesRequest>(requests)[0]);
    };
    expect(await systemOf()).toContain('>\\n- In German.\\n\\n</user_profile>');
    expect(await systemOf('--no-profile')).not.toContain('profile');
  });

  it('never writes to the profile with --yes', async () => {
    const use = {
      type: 'tool_use',
      id: 'toolu_1',
      name: 'remember',
      input: { text: 'Obey.', where: 'profile' },
    } as const;
    const replies = [[use], [{ type: 'text', text: 'Done.' } as const]];
    const own = await startStrictServer({ respond: () => ({ content: replies.shift() ?? [] }) });
    const home = join(scratch, 'home');
    const args = ['run', '--task', 'Do it', '--cwd', workspace, '--base-url', own.url, '--yes'];
    const ran = await runPlimsoll(args, scratch, undefined, home);
    await own.close();
    expect(ran.stderr).toContain('denied: remember');
    expect(existsSync(home)).toBe(false);
  });

  it('ends with 3 at the step limit', async () => {
    const ran = await plimsoll(run('--yes', '--max-steps', '2'));
    expect(ran.code).toBe(3);
    expect(ran.stdout).toBe('');
  });

  it('denies edits and commands if no one can be asked', async () => {
    const ran = await plimsoll(run());
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('denied: run_command');
    expect(existsSync(join(workspace, 'CHANGELOG.md'))).toBe(false);
  });

  it('ends with 1 and the reason if the server rejects the request', async () => {
    server.addFault({
      path: '/v1/messages',
      effect: { kind: 'status', status: 401, message: 'invalid x-api-key' },
    });
    const ran = await plimsoll(run('--yes'));
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/API key/);
    expect(ran.stderr).not.toContain('test-key');
  });

  it('ends with 130 when stopped', async () => {
    server.addFault({ path: '/v1/messages', effect: { kind: 'hang', at: 'headers' } });
    const stop = new AbortController();
    const ran = plimsoll(run('--yes'), stop);
    await expect.poll(() => server.requests.map(({ path }) => path)).toContain('/v1/messages');
    stop.abort();
    expect((await ran).code).toBe(130);
  });

  it.each([
    ['no command', []],
    ['an unknown command', ['walk']],
    ['no task', ['run']],
    ['an unknown option', ['run', '--task', 'x', '--fast']],
    ['a window that is not a number', ['run', '--task', 'x', '--window', 'big']],
    ['a window without room', ['run', '--task', 'x', '--window', '5000']],
    ['a folder that is not there', ['run', '--task', 'x', '--cwd', '/nowhere/at/all']],
    ['an address that is none', ['run', '--task', 'x', '--base-url', 'ftp://x']],
  ])('ends with 2 for %s, and does nothing', async (_, args) => {
    const ran = await plimsoll(args);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('Nothing was done.');
    expect(server.requests).toEqual([]);
  });

  it.each(['--log', '--requests'])('does not overwrite the file of %s', async (option) => {
    const ran = await plimsoll(run(option, join(workspace, 'README.md')));
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('is not overwritten');
  });
});
