import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ScriptedPart } from '../../src/offline/messagesApi';
import { startStrictServer } from '../../src/offline/strictServer';
import { endAnyway, isRunning, pidsIn, untilWritten } from '../tools/support/processes';
import { builtBundles } from '../support/builtBundles';

const KEY = 'sk-ant-secret-of-the-test';

const built = builtBundles();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-cli-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function serve(...replies: readonly ScriptedPart[]) {
  let next = 0;
  const server = await startStrictServer({
    respond: () => ({ content: [replies[next++] ?? { type: 'text', text: 'Nothing more.' }] }),
  });
  onTestFinished(() => server.close());
  return server;
}

/** Runs the bundled command line in its own process, with no one at the keyboard. */
function plimsoll(url: string, ...more: readonly string[]) {
  const work = mkdtempSync(join(folder, 'work-'));
  const child = spawn(
    process.execPath,
    [built('cli.js'), 'run', '--task', 'Do it', '--cwd', work, '--base-url', url, ...more],
    {
      env: {
        ...process.env,
        HOME: folder,
        ANTHROPIC_API_KEY: KEY,
        COPY_OF_THE_KEY: `Bearer ${KEY}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (said.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (said.stderr += data.toString()));
  const ended = new Promise<{ code: number | null; signal: string | null }>((done) =>
    child.once('close', (code, signal) => done({ code, signal })),
  );
  return { child, said, ended, work };
}

function runs(command: string): ScriptedPart {
  return { type: 'tool_use', name: 'run_command', input: { command } };
}

async function untilSaid(said: { readonly stderr: string }, words: string): Promise<void> {
  while (!said.stderr.includes(words)) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('plimsoll as a process', () => {
  it('writes only the answer to standard output, the rest to standard error, and the key nowhere', async () => {
    const server = await serve(runs('node environment.js'), {
      type: 'text',
      text: 'It is done.',
    });
    const [log, requests] = [join(folder, 'log.jsonl'), join(folder, 'requests.jsonl')];
    const run = plimsoll(server.url, '--yes', '--log', log, '--requests', requests);
    writeFileSync(join(run.work, 'environment.js'), 'console.log(JSON.stringify(process.env))');
    expect(await run.ended).toEqual({ code: 0, signal: null });
    expect(run.said.stdout).toBe('It is done.\n');
    expect(run.said.stderr).toContain('run_command');
    const written = [log, requests].map((file) => readFileSync(file, 'utf8'));
    expect(written[0]).toContain('PATH');
    expect([...written, run.said.stderr].join('')).not.toContain(KEY);
  });

  it.each([
    ['SIGINT', ['SIGINT']],
    ['a second SIGINT while the first still ends them', ['SIGINT', 'SIGINT']],
    ['SIGHUP, when the terminal is closed', ['SIGHUP']],
  ] as const)('ends with 130 on %s and ends the processes it started', async (_, signals) => {
    const server = await serve(runs('node wait.js'));
    const run = plimsoll(server.url, '--yes');
    // The second signal must arrive before the run ends: the command takes a while.
    const lasts = `process.on('SIGTERM', () => require('node:fs').writeFileSync('ending', '\\n'));`;
    writeFileSync(
      join(run.work, 'wait.js'),
      `${signals.length > 1 ? lasts : ''}
       const { spawn } = require('node:child_process');
       const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
       require('node:fs').writeFileSync('pids', process.pid + '\\n' + child.pid + '\\n');
       setInterval(() => {}, 1000);`,
    );
    const file = join(run.work, 'pids');
    await untilWritten(file, 2);
    const pids = pidsIn(file);
    for (const [at, signal] of signals.entries()) {
      if (at > 0) await untilWritten(join(run.work, 'ending'), 1);
      run.child.kill(signal);
    }
    expect(await run.ended).toEqual({ code: 130, signal: null });
    expect(pids.filter(isRunning)).toEqual([]);
    expect(run.said.stdout).toBe('');
  });

  it.skipIf(process.platform === 'win32')(
    'leaves no command running after kill -9, not even one that left its group',
    async () => {
      const server = await serve(runs('node wait.js'));
      const run = plimsoll(server.url, '--yes');
      writeFileSync(
        join(run.work, 'wait.js'),
        `const { spawn } = require('node:child_process');
         const options = { stdio: 'ignore', detached: process.platform === 'linux' };
         const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], options);
         process.on('SIGTERM', () => {});
         require('node:fs').writeFileSync('pids', process.pid + '\\n' + child.pid + '\\n');
         setInterval(() => {}, 1000);`,
      );
      const file = join(run.work, 'pids');
      await untilWritten(file, 2);
      const pids = pidsIn(file);
      onTestFinished(() => pids.forEach(endAnyway));
      run.child.kill('SIGKILL');
      expect(await run.ended).toEqual({ code: null, signal: 'SIGKILL' });
      await expect.poll(() => pids.filter(isRunning), { timeout: 10_000 }).toEqual([]);
    },
  );

  it.skipIf(!existsSync('/usr/bin/bwrap'))(
    'leaves no placeholder of the sandbox after kill -9',
    async () => {
      // Its watcher has started by then.
      const server = await serve(runs('sleep 1; echo x > started; sleep 1000'));
      const run = plimsoll(server.url, '--yes', '--sandbox');
      await untilWritten(join(run.work, 'started'), 1);
      expect(readdirSync(run.work)).toContain('.vscode');
      run.child.kill('SIGKILL');
      const left = () => readdirSync(run.work);
      await expect.poll(left, { timeout: 40_000 }).toEqual(['started']);
      const lists = () =>
        readdirSync(tmpdir()).filter(
          (name) => name.startsWith(`plimsoll-held-`) && name.includes(`-${run.child.pid}-`),
        );
      await expect.poll(lists, { timeout: 10_000 }).toEqual([]);
    },
  );

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'runs the command of --on-close after %s, and a second one ends it with all it started',
    async (signal) => {
      const server = await serve(runs('sleep 300'));
      const command = 'echo "$PLIMSOLL_SESSION_REASON" > why; sleep 300 & echo $! > pids; wait';
      const run = plimsoll(
        server.url,
        '--yes',
        '--on-close',
        'command',
        '--on-close-command',
        command,
      );
      await untilSaid(run.said, 'run_command');
      run.child.kill(signal);
      const file = join(run.work, 'pids');
      await untilWritten(file, 1);
      expect(readFileSync(join(run.work, 'why'), 'utf8')).toBe('stopped\n');
      run.child.kill(signal);
      expect(await run.ended).toEqual({ code: 130, signal: null });
      expect(pidsIn(file).filter(isRunning)).toEqual([]);
      expect(run.said.stderr).toContain('was stopped before it finished');
    },
  );

  it.runIf(process.platform === 'linux')(
    'puts the key into no environment of a command, and a mark in its place where it is echoed',
    async () => {
      // The key is printed reversed, so that no mark replaces it on the way.
      const look = `const fs = require('fs');
        const seen = [JSON.stringify(process.env)];
        for (let pid = process.pid; pid > 1; ) {
          try { seen.push(fs.readFileSync('/proc/' + pid + '/environ', 'latin1')); } catch { break; }
          const stat = fs.readFileSync('/proc/' + pid + '/stat', 'latin1');
          pid = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        }
        console.log(seen.length + ' ' + [...seen.join(' ')].reverse().join(''));`;
      const echoed = `The key is ${KEY}.`;
      const server = await serve(
        { type: 'tool_use', name: 'create_file', input: { path: 'look.js', content: look } },
        runs('node look.js'),
        { type: 'tool_use', name: 'create_file', input: { path: 'told.txt', content: echoed } },
        { type: 'text', text: echoed },
      );
      const [log, requests] = [join(folder, 'echo.jsonl'), join(folder, 'echoed.jsonl')];
      const run = plimsoll(server.url, '--yes', '--log', log, '--requests', requests);
      expect(await run.ended).toEqual({ code: 0, signal: null });
      expect(run.said.stdout).toBe('The key is [API key].\n');
      const written = [readFileSync(log, 'utf8'), readFileSync(requests, 'utf8'), run.said.stderr];
      const all = [...written, run.said.stdout].join('\n');
      expect(all).not.toContain(KEY);
      expect(all).toContain('HTAP');
      expect(all).not.toContain([...KEY].toReversed().join(''));
      expect(Number(/"(\d+) /.exec(all)?.[1])).toBeGreaterThan(3);
      expect(run.said.stderr).not.toContain('could not be taken out');
    },
  );

  it('shows a mark when the server repeats the key in an error', async () => {
    const server = await serve();
    const effect = { kind: 'status', status: 400, message: `Bad key ${KEY}` } as const;
    server.addFault({ path: '/v1/messages', effect });
    const log = join(folder, 'error.jsonl');
    const run = plimsoll(server.url, '--log', log);
    expect(await run.ended).toEqual({ code: 1, signal: null });
    expect(run.said.stderr).toContain('Bad key [API key]');
    expect(run.said.stderr + readFileSync(log, 'utf8')).not.toContain(KEY);
  });

  it('ends with 2 for a reply longer than the model writes', async () => {
    const server = await serve();
    const run = plimsoll(server.url, '--max-reply', '130000', '--window', '500000');
    expect(await run.ended).toEqual({ code: 2, signal: null });
    expect(run.said.stderr).toContain('--max-reply must be at most 128000');
    expect(server.requests.filter(({ path }) => path === '/v1/messages')).toEqual([]);
  });
});
