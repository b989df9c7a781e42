import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MOST_RUNNING } from '../../src/agent/backgroundCommands';
import { READ_CHARS, shortOutput } from '../../src/tools/processes/commandTools';
import { backgroundAgent } from './support/backgroundAgent';
import { tempFolder } from './support/tempFolder';
import { isRunning, pidsIn, untilWritten } from './support/processes';

type Agent = ReturnType<typeof backgroundAgent>;

/** A busy machine may take this long without a failure; ms. */
const LONG = 60_000;

const agents: Agent[] = [];

function agentIn(root?: string): Agent {
  const agent = backgroundAgent(root);
  agents.push(agent);
  return agent;
}

afterEach(async () => {
  for (const { background } of agents.splice(0)) await background.stopAll('sessionEnded');
});

/** Starts a server that writes its process id and that of a child. */
async function server(agent: Agent) {
  const command = 'echo $$ >> pids; sleep 300 & echo $! >> pids; echo listening; wait';
  agent.look.most = LONG;
  const started = await agent.call('run', { command, background: true });
  await untilWritten(join(agent.root, 'pids'), 2);
  return { started, pids: pidsIn(join(agent.root, 'pids')) };
}

describe.skipIf(process.platform === 'win32')('a command in the background', () => {
  it('returns soon, with its first output and a handle, and continues', async () => {
    const agent = agentIn();
    const { started, pids } = await server(agent);
    expect(started).toEqual({
      text: 'listening\nstarted in the background; it runs as cmd1: read_output returns its next output, stop_command ends it',
      isError: false,
    });
    expect(pids.filter(isRunning)).toHaveLength(2);
    expect(agent.logged).toMatchObject([{ type: 'commandStarted', handle: 'cmd1' }]);
    expect(agent.session.window.commands).toMatchObject([{ handle: 'cmd1' }]);
  });

  it("runs nothing from the user's own shell configuration", async () => {
    const home = tempFolder();
    writeFileSync(join(home, '.bashrc'), 'echo from the login; sleep 300\n');
    vi.stubEnv('HOME', home);
    // As under an editor that was not started from a shell.
    vi.stubEnv('SHLVL', '0');
    const agent = agentIn();
    agent.look.most = LONG;
    const ran = await agent.call('run', { command: 'echo moored', background: true });
    expect(ran.text).toMatch(/^moored\n/);
  });

  it('does not start after the turn was stopped', async () => {
    const agent = agentIn();
    const stop = new AbortController();
    const prepared = await agent.prepare('run', { command: 'touch began', background: true });
    if (!prepared.ok) throw new Error(prepared.message);
    // Stops the turn while the folder is checked.
    const ran = prepared.call.run(stop.signal, () => undefined);
    stop.abort();
    expect(await ran).toMatchObject({
      text: '(no output)\nstopped by the user before it began',
      isError: true,
    });
    expect(agent.logged).toEqual([]);
    expect(existsSync(join(agent.root, 'began'))).toBe(false);
  });

  it('needs approval like any command, and the question says that it continues', async () => {
    const agent = agentIn();
    const prepared = await agent.prepare('run', { command: 'npm run dev', background: true });
    expect(prepared.ok && prepared.call.approval).toEqual({
      kind: 'command',
      command: 'npm run dev',
      cwd: agent.root,
      background: true,
    });
  });

  it('is not waited for if it writes nothing or the turn is stopped, and continues', async () => {
    const agent = agentIn();
    const silent = await agent.call('run', { command: 'sleep 300', background: true });
    expect(silent.text).toMatch(/^\(no output\)\nstarted in the background; it runs as cmd1/);
    const stop = new AbortController();
    const ran = agent.call('run', { command: 'sleep 301', background: true }, stop.signal);
    await expect.poll(() => agent.background.running).toHaveLength(2);
    stop.abort();
    await ran;
    expect(agent.background.running.map(({ handle }) => handle)).toEqual(['cmd1', 'cmd2']);
  });

  it('returns its output since the last read, and whether it runs', async () => {
    const agent = agentIn();
    const command = 'echo one; until [ -e go ]; do sleep 0.02; done; echo two; sleep 300';
    agent.look.most = LONG;
    await agent.call('run', { command, background: true });
    expect(await agent.call('read', { handle: 'cmd1' })).toEqual({
      text: '(nothing new)\nrunning',
      isError: false,
    });
    writeFileSync(join(agent.root, 'go'), '');
    await expect
      .poll(async () => (await agent.call('read', { handle: 'cmd1' })).text)
      .toBe('two\nrunning');
  });

  it('gets typed text after a question that shows it', async () => {
    const agent = agentIn();
    const command = 'while read line; do echo "got $line"; done';
    await agent.call('run', { command, background: true });
    const prepared = await agent.prepare('send', { handle: 'cmd1', text: 'rm -rf x' });
    expect(prepared.ok && prepared.call.approval).toEqual({
      kind: 'input',
      handle: 'cmd1',
      command,
      text: 'rm -rf x',
      enter: true,
    });
    const without = { handle: 'cmd1', text: 'y', press_enter: false };
    const typed = await agent.prepare('send', without);
    expect(typed.ok && typed.call.approval).toMatchObject({ text: 'y', enter: false });
    agent.look.most = LONG;
    const answer = await agent.call('send', { handle: 'cmd1', text: 'hello' });
    expect(answer).toEqual({ text: 'got hello\nrunning', isError: false });
    agent.look.most = 100;
    await agent.call('send', { handle: 'cmd1', text: 'a', press_enter: false });
    agent.look.most = LONG;
    const { text } = await agent.call('send', { handle: 'cmd1', text: 'b' });
    expect(text).toBe('got ab\nrunning');
  });

  it('is stopped with all its child processes', async () => {
    const agent = agentIn();
    const { pids } = await server(agent);
    expect(await agent.call('stop', { handle: 'cmd1' })).toEqual({
      text: '(nothing new)\nstopped by the agent',
      isError: false,
      reportedEnds: ['cmd1'],
    });
    expect(pids.filter(isRunning)).toEqual([]);
    expect(agent.logged.at(-1)).toMatchObject({
      type: 'commandEnded',
      handle: 'cmd1',
      because: 'agent',
      exitCode: null,
    });
    const again = await agent.call('stop', { handle: 'cmd1' });
    expect(again).toEqual({ text: 'cmd1 has already ended.', isError: true });
  });

  it('logs its exit code or signal when it ends, and its output is kept', async () => {
    const agent = agentIn();
    Object.assign(agent.look, { most: LONG, quiet: LONG });
    const quick = await agent.call('run', { command: 'echo bad; exit 3', background: true });
    expect(quick).toEqual({ text: 'bad\nexit code 3', isError: true, reportedEnds: ['cmd1'] });
    const later = 'until [ -e go ]; do sleep 0.02; done; echo bye; kill -TERM $$';
    agent.look.most = 100;
    await agent.call('run', { command: later, background: true });
    writeFileSync(join(agent.root, 'go'), '');
    await expect.poll(() => agent.logged.length).toBe(4);
    expect(agent.logged.at(-1)).toMatchObject({
      handle: 'cmd2',
      because: 'exited',
      exitCode: null,
      signal: 'SIGTERM',
    });
    const { text } = await agent.call('read', { handle: 'cmd2' });
    expect(text).toBe('bye\nended by SIGTERM');
    expect(agent.background.output('cmd1')?.text).toBe('bad\n');
    expect(agent.problems).toEqual([]);
  });

  it('logs its changes to files that outlast the session', async () => {
    const agent = agentIn();
    const command = 'until [ -e go ]; do sleep 0.02; done; echo x > AGENTS.md';
    await agent.call('run', { command, background: true });
    writeFileSync(join(agent.root, 'go'), '');
    await expect.poll(() => agent.logged.length).toBe(2);
    expect(agent.logged.at(-1)).toMatchObject({ lasting: [{ path: 'AGENTS.md', how: 'made' }] });
  });

  it('is refused above the limit of running commands, and with a time limit', async () => {
    const agent = agentIn();
    const sleeping = () => agent.call('run', { command: 'sleep 300', background: true });
    await Promise.all(Array.from({ length: MOST_RUNNING }, sleeping));
    const { text } = await agent.call('run', { command: 'sleep 300', background: true });
    expect(text).toBe(
      'run_command was not run: 8 commands already run in the background, which is the most. Stop one with stop_command first.',
    );
    await agent.call('stop', { handle: 'cmd3' });
    const limited = { command: 'x', background: true, timeout_seconds: 5 };
    expect((await agent.call('run', limited)).text).toContain(
      'timeout_seconds cannot be combined with',
    );
    const unknown = await agent.call('read', { handle: 'cmd99' });
    expect(unknown.text).toContain('There is no background command "cmd99". There are: cmd1,');
  });

  it('ends with its session: no process remains', async () => {
    const agent = agentIn();
    const { pids } = await server(agent);
    await agent.background.stopAll('sessionEnded');
    expect(pids.filter(isRunning)).toEqual([]);
    expect(agent.logged.at(-1)).toMatchObject({ because: 'sessionEnded' });
    expect(agent.background.running).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a command in the foreground', () => {
  it('continues in the background when the user moves it there', async () => {
    const agent = agentIn();
    expect(agent.background.move()).toBe('No running command can be moved.');
    const command =
      'echo $$ > pids; echo first; until [ -e go ]; do sleep 0.02; done; echo second; sleep 300';
    const running = agent.call('run', { command });
    await expect.poll(() => agent.live).toEqual(['first\n']);
    expect(agent.background.move()).toBeUndefined();
    const { text, isError } = await running;
    expect(isError).toBe(false);
    expect(text).toMatch(
      /^first\nmoved to the background by the user after \d+\.\d s; it runs as cmd1: /,
    );
    expect(agent.logged).toMatchObject([{ type: 'commandStarted', moved: true, command }]);
    expect(pidsIn(join(agent.root, 'pids')).filter(isRunning)).toHaveLength(1);
    writeFileSync(join(agent.root, 'go'), '');
    await expect
      .poll(async () => (await agent.call('read', { handle: 'cmd1' })).text)
      .toBe('second\nrunning');
    expect(agent.background.output('cmd1')?.text).toBe('first\nsecond\n');
    expect((await agent.call('send', { handle: 'cmd1', text: 'x' })).text).toBe(
      'Nothing was typed into cmd1: its standard input is closed, since it was not started in the background.',
    );
    await agent.background.stop('cmd1', 'user');
    expect(pidsIn(join(agent.root, 'pids')).filter(isRunning)).toEqual([]);
    expect(agent.background.move()).toBe('No running command can be moved.');
  });
});

describe('output returned by a read', () => {
  it('is cut in the middle, with a note of the missing and dropped characters', () => {
    const text = shortOutput({ text: `${'a'.repeat(READ_CHARS)}end`, missed: 12 });
    expect(text).toContain('[12 characters before this were dropped]\naaa');
    expect(text).toContain('\n[3 characters of output left out here]\n');
    expect(text.endsWith('aend')).toBe(true);
  });
});
