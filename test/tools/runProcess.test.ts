import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { childEnvironment } from '../../src/tools/childEnvironment';
import { BoundedOutput } from '../../src/tools/boundedOutput';
import { OUTPUT_CHARS, runProcess } from '../../src/tools/runProcess';
import { treeOf } from '../../src/tools/processTree';
import { endAnyway, isRunning, pidsIn, untilWritten } from './support/processes';
import { tempFolder } from './support/tempFolder';

const posix = process.platform !== 'win32';
const linux = process.platform === 'linux';

interface Run {
  readonly cwd?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string) => void;
}

const run = (command: string, options: Run = {}) =>
  runProcess(command, {
    cwd: options.cwd ?? tempFolder(),
    timeoutMs: options.timeoutMs ?? 60_000,
    signal: options.signal ?? new AbortController().signal,
    onOutput: options.onOutput ?? (() => {}),
  });

describe.runIf(posix)('runProcess', () => {
  it('answers output and error as they came, and the exit code', async () => {
    const outcome = await run('echo one; echo two >&2; echo three; exit 3');
    expect(outcome).toMatchObject({ ended: 'exited', exitCode: 3 });
    expect(outcome.output.split('\n').toSorted()).toEqual(['', 'one', 'three', 'two']);
    expect(outcome.durationMs).toBeGreaterThan(0);
  });

  it('runs in the folder given, with standard input closed', async () => {
    const cwd = tempFolder();
    expect(await run('pwd; cat', { cwd })).toMatchObject({ exitCode: 0, output: `${cwd}\n` });
  });

  it('passes output on while the command still runs', async () => {
    const folder = tempFolder();
    const heard: string[] = [];
    const stop = new AbortController();
    // The command comes to its second line only once the first was read.
    const outcome = await run(
      'echo first; while [ ! -e heard ]; do sleep 0.01; done; echo second',
      {
        cwd: folder,
        signal: stop.signal,
        onOutput: (text) => {
          heard.push(text);
          if (heard.length === 1) void run('touch heard', { cwd: folder });
        },
      },
    );
    expect(heard.join('')).toBe('first\nsecond\n');
    expect(outcome.output).toBe('first\nsecond\n');
  });

  it('puts characters together that arrive in pieces', async () => {
    const outcome = await run(`printf '\\303'; sleep 0.05; printf '\\274'`);
    expect(outcome.output).toBe('ü');
  });

  it('keeps head and tail of a big output, marks what is missing, and ends the live part', async () => {
    let live = '';
    const outcome = await run('echo HEAD; head -c 3000000 /dev/zero | tr "\\0" x; echo TAIL', {
      onOutput: (text) => (live += text),
    });
    expect(outcome.output.startsWith('HEAD\nxxx')).toBe(true);
    expect(outcome.output.endsWith('xxxTAIL\n')).toBe(true);
    expect(outcome.output).toContain('[2800010 characters of output left out here]');
    expect(outcome.output.length).toBeLessThan(OUTPUT_CHARS + 100);
    expect(live.length).toBeLessThan(OUTPUT_CHARS + 70_000);
    expect(live.endsWith('[more output is not shown live]\n')).toBe(true);
  });

  it('kills shell, child and grandchild when stopped', async () => {
    const cwd = tempFolder();
    const stop = new AbortController();
    const running = run(
      `bash -c 'sleep 300 & echo $! >> pids; sleep 301 & echo $! >> pids; wait' & echo $! >> pids; echo $$ >> pids; wait`,
      {
        cwd,
        signal: stop.signal,
      },
    );
    await untilWritten(join(cwd, 'pids'), 4);
    const pids = pidsIn(join(cwd, 'pids'));
    expect(pids.filter(isRunning)).toHaveLength(4);
    stop.abort();
    expect(await running).toMatchObject({ ended: 'stopped', exitCode: null });
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it('kills what ignores SIGTERM, within 2 s', async () => {
    const cwd = tempFolder();
    const stop = new AbortController();
    const running = run(
      `trap '' TERM; bash -c "trap '' TERM; echo \\$\\$ >> pids; while :; do sleep 0.1; done" & echo $$ >> pids; wait; while :; do sleep 0.1; done`,
      { cwd, signal: stop.signal },
    );
    await untilWritten(join(cwd, 'pids'), 2);
    const began = performance.now();
    stop.abort();
    expect(await running).toMatchObject({ ended: 'stopped' });
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(pidsIn(join(cwd, 'pids')).filter(isRunning)).toEqual([]);
  });

  it('is stopped also where that was asked for while the system was starting it', async () => {
    const stop = new AbortController();
    const running = run('sleep 300', { signal: stop.signal });
    stop.abort();
    expect(await running).toMatchObject({ ended: 'stopped' });
  });

  it.runIf(linux)('kills a grandchild that made a session of its own', async () => {
    const cwd = tempFolder();
    const stop = new AbortController();
    const running = run(
      `setsid --fork bash -c 'echo $$ >> pids; exec sleep 300'; setsid bash -c 'echo $$ >> pids; exec sleep 301' & wait; sleep 302`,
      { cwd, signal: stop.signal },
    );
    await untilWritten(join(cwd, 'pids'), 2);
    const pids = pidsIn(join(cwd, 'pids'));
    expect(pids.filter(isRunning)).toHaveLength(2);
    stop.abort();
    await running;
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it('kills the tree at the timeout', async () => {
    const cwd = tempFolder();
    const outcome = await run('sleep 300 & echo $! >> pids; echo started; wait', {
      cwd,
      timeoutMs: 300,
    });
    expect(outcome).toMatchObject({ ended: 'timedOut', exitCode: null, output: 'started\n' });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(295);
    expect(pidsIn(join(cwd, 'pids')).filter(isRunning)).toEqual([]);
  });

  it('ends what the command left in the background, and says so', async () => {
    const cwd = tempFolder();
    const outcome = await run('sleep 300 & echo $! >> pids; echo done', { cwd });
    expect(outcome).toMatchObject({
      ended: 'exited',
      exitCode: 0,
      output: 'done\n\n[Ended 1 process the command left running in the background]\n',
    });
    expect(pidsIn(join(cwd, 'pids')).filter(isRunning)).toEqual([]);
  });

  it('lets background work finish that only lags a little', async () => {
    const outcome = await run('(sleep 0.02; echo late) & echo early');
    expect(outcome.output).toBe('early\nlate\n');
  });

  describe.runIf(linux)('a daemon', () => {
    /** A script that becomes a daemon that says its id, and waits until it has. */
    const UNTIL = 'while [ ! -s pids ]; do sleep 0.01; done; echo up';
    const SLEEP = `bash -c 'echo $$ > pids; exec sleep 300'`;
    const ways = {
      setsid: `setsid --fork ${SLEEP}; ${UNTIL}`,
      nohup: `nohup ${SLEEP} >/dev/null 2>&1 & disown; ${UNTIL}`,
      'a double fork': `( ( setsid ${SLEEP} & ) & ); ${UNTIL}`,
      'closed pipes': `setsid --fork ${SLEEP} </dev/null >/dev/null 2>&1; ${UNTIL}`,
      // Long enough for it to be seen before it is alone.
      'an empty environment': `env -i /usr/bin/setsid /bin/bash -c 'echo $$ > pids; exec /bin/sleep 300' & ${UNTIL}; sleep 1`,
    };

    it.each(Object.entries(ways))(
      'by %s is ended with its command, which says so',
      async (_, way) => {
        const cwd = tempFolder();
        const outcome = await run(way, { cwd });
        const [daemon] = pidsIn(join(cwd, 'pids'));
        onTestFinished(() => endAnyway(daemon!));
        expect(outcome).toMatchObject({
          ended: 'exited',
          exitCode: 0,
          output: 'up\n\n[Ended 1 process the command left running in the background]\n',
        });
        expect(isRunning(daemon!)).toBe(false);
      },
    );

    it.each(Object.entries(ways))('by %s is ended when its command is stopped', async (_, way) => {
      const cwd = tempFolder();
      const stop = new AbortController();
      const running = run(`${way}; touch there; sleep 301`, { cwd, signal: stop.signal });
      while (!existsSync(join(cwd, 'there'))) await delay(10);
      const [daemon] = pidsIn(join(cwd, 'pids'));
      onTestFinished(() => endAnyway(daemon!));
      expect(isRunning(daemon!)).toBe(true);
      stop.abort();
      expect(await running).toMatchObject({ ended: 'stopped' });
      expect(isRunning(daemon!)).toBe(false);
    });

    it('of another command goes on', async () => {
      const [cwd, other] = [tempFolder(), tempFolder()];
      const stop = new AbortController();
      const running = run(`${ways.setsid}; sleep 301`, { cwd, signal: stop.signal });
      await untilWritten(join(cwd, 'pids'), 1);
      const [daemon] = pidsIn(join(cwd, 'pids'));
      onTestFinished(() => endAnyway(daemon!));
      await run(ways.setsid, { cwd: other });
      expect(isRunning(daemon!)).toBe(true);
      stop.abort();
      await running;
      expect(isRunning(daemon!)).toBe(false);
    });
  });

  it('answers 128 and the signal for a command that was killed', async () => {
    expect(await run('kill -SEGV $$')).toMatchObject({ ended: 'exited', exitCode: 139 });
  });

  it('starts nothing when it is stopped already', async () => {
    const cwd = tempFolder();
    const outcome = await run('touch made', { cwd, signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ ended: 'stopped', exitCode: null });
    expect(() => readFileSync(join(cwd, 'made'))).toThrow('ENOENT');
  });

  it('says why a command could not be started', async () => {
    const gone = join(tempFolder(), 'gone');
    expect(await run('true', { cwd: gone })).toMatchObject({
      ended: 'failedToStart',
      exitCode: null,
      output: `The folder ${gone} does not exist.`,
    });
    expect(await run('echo \0')).toMatchObject({ ended: 'failedToStart' });
  });

  it('keeps the API key from the command', async () => {
    process.env['ANTHROPIC_API_KEY'] = 'sk-ant-test';
    try {
      expect((await run('env')).output).not.toContain('sk-ant-test');
    } finally {
      delete process.env['ANTHROPIC_API_KEY'];
    }
  });
});

describe('childEnvironment', () => {
  it('leaves out secrets of ours and internals of the editor, and keeps the rest', () => {
    const env = childEnvironment({
      PATH: '/bin',
      ANTHROPIC_API_KEY: 'sk',
      ANTHROPIC_BASE_URL: 'x',
      GITHUB_TOKEN: 'the user wants git to work',
      ELECTRON_RUN_AS_NODE: '1',
      VSCODE_IPC_HOOK: 'x',
      VSCODE_GIT_ASKPASS_MAIN: 'x',
      GIT_ASKPASS: 'x',
      FORCE_COLOR: '1',
      NODE_OPTIONS: '--require /x/ms-vscode.js-debug/bootloader.js',
      EMPTY: undefined,
    });
    expect(env).toEqual({
      PATH: '/bin',
      GITHUB_TOKEN: 'the user wants git to work',
      NO_COLOR: '1',
      TERM: 'dumb',
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      GIT_TERMINAL_PROMPT: '0',
    });
  });

  it('keeps node options and askpass of the user', () => {
    expect(
      childEnvironment({ NODE_OPTIONS: '--max-old-space-size=4096', GIT_ASKPASS: '/bin/x' }),
    ).toMatchObject({ NODE_OPTIONS: '--max-old-space-size=4096', GIT_ASKPASS: '/bin/x' });
  });
});

describe('BoundedOutput', () => {
  it('keeps everything up to the limit, and head and tail beyond', () => {
    const output = new BoundedOutput(10);
    for (const char of '0123456789') output.add(char);
    expect(output.text()).toBe('0123456789');
    output.add('a');
    expect(output.text()).toBe('01234\n[1 characters of output left out here]\n6789a');
    output.add('b'.repeat(100));
    expect(output.text()).toBe('01234\n[101 characters of output left out here]\nbbbbb');
    expect(output.total).toBe(111);
  });
});

describe('treeOf', () => {
  const process = (pid: number, parent: number, group: number, session = 1, marked = false) => ({
    pid,
    parent,
    group,
    session,
    started: 'now',
    marked,
  });

  it('takes group, session, marked ones, and all their descendants, but no stranger', () => {
    const tree = treeOf(10, [
      process(10, 1, 10, 10),
      process(11, 10, 10, 10),
      process(12, 1, 10, 10), // orphaned, same group
      process(13, 1, 13, 10), // orphaned, own group, same session
      process(20, 12, 20, 20), // own session, parent known
      process(21, 20, 20, 20),
      process(30, 1, 30, 30, true), // orphaned, own session, marked
      process(31, 30, 31, 31),
      process(40, 1, 40, 40),
    ]);
    expect(tree.toSorted()).toEqual([10, 11, 12, 13, 20, 21, 30, 31]);
  });

  it('takes what is known from before, but not another process with its id', () => {
    const known = new Map([
      [50, 'now'],
      [60, 'before'],
    ]);
    expect(treeOf(10, [process(50, 1, 50, 50), process(60, 1, 60, 60)], known)).toEqual([50]);
  });
});
