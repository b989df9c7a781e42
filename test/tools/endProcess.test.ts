import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { endAnyway, isRunning, pidsIn, untilWritten } from './support/processes';
import { tempFolder } from './support/tempFolder';
import { run, linux, posix } from './support/runOnce';

describe.runIf(posix)('the end of a command', () => {
  it('kills shell, child and grandchild after a stop', async () => {
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

  it('kills processes that ignore SIGTERM', async () => {
    const cwd = tempFolder();
    const stop = new AbortController();
    const running = run(
      `trap '' TERM; bash -c "trap '' TERM; echo \\$\\$ >> pids; while :; do sleep 0.1; done" & echo $$ >> pids; wait; while :; do sleep 0.1; done`,
      { cwd, signal: stop.signal },
    );
    await untilWritten(join(cwd, 'pids'), 2);
    stop.abort();
    expect(await running).toMatchObject({ ended: 'stopped' });
    expect(pidsIn(join(cwd, 'pids')).filter(isRunning)).toEqual([]);
  });

  it('follows a stop that was requested during the spawn', async () => {
    const stop = new AbortController();
    const running = run('sleep 300', { signal: stop.signal });
    stop.abort();
    expect(await running).toMatchObject({ ended: 'stopped' });
  });

  it.runIf(linux)('kills a grandchild that created its own session', async () => {
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

  it('kills the tree at the time limit', async () => {
    const cwd = tempFolder();
    // The test lets the time limit run out once the command has started.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const outcome = await run('sleep 300 & echo $! >> pids; echo started; wait', {
      cwd,
      timeoutMs: 300,
      onOutput: () => vi.advanceTimersByTime(300),
    });
    expect(outcome).toMatchObject({ ended: 'timedOut', exitCode: null, output: 'started\n' });
    expect(outcome.durationMs).toBe(300);
    expect(pidsIn(join(cwd, 'pids')).filter(isRunning)).toEqual([]);
  });

  it('kills background processes of the command, and says so', async () => {
    const cwd = tempFolder();
    const outcome = await run('sleep 300 & echo $! >> pids; echo done', { cwd });
    expect(outcome).toMatchObject({
      ended: 'exited',
      exitCode: 0,
      output: 'done\n\n[Ended 1 process that the command left running in the background]\n',
    });
    expect(pidsIn(join(cwd, 'pids')).filter(isRunning)).toEqual([]);
  });

  it('waits for background work that takes only a little longer', async () => {
    // A busy machine may take any time for it.
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const outcome = await run('(sleep 0.02; echo late) & echo early');
    expect(outcome.output).toBe('early\nlate\n');
  });

  describe.runIf(linux)('a daemon', () => {
    /** Waits until the daemon has written its id. */
    const UNTIL = 'while [ ! -s pids ]; do sleep 0.01; done; echo up';
    const SEEN = 'while [ ! -e seen ]; do sleep 0.01; done';
    const SLEEP = `bash -c 'echo $$ > pids; exec sleep 300'`;
    const ways = {
      setsid: `setsid --fork ${SLEEP}; ${UNTIL}`,
      nohup: `nohup ${SLEEP} >/dev/null 2>&1 & disown; ${UNTIL}`,
      'a double fork': `( ( setsid ${SLEEP} & ) & ); ${UNTIL}`,
      'closed pipes': `setsid --fork ${SLEEP} </dev/null >/dev/null 2>&1; ${UNTIL}`,
      // Plimsoll sees it before it loses its parent.
      'an empty environment': `env -i /usr/bin/setsid /bin/bash -c 'echo $$ > pids; exec /bin/sleep 300' & ${UNTIL}; ${SEEN}`,
    };

    /** Runs a command whose daemon loses its parent only after Plimsoll saw it. */
    const runSeen: typeof run = async (command, options) => {
      const running = run(command, options);
      await untilWritten(join(options!.cwd!, 'pids'), 1);
      // Plimsoll lists the processes at least once a second. A delay of this process delays both
      // timers.
      if (command.includes(SEEN)) await delay(1_000);
      writeFileSync(join(options!.cwd!, 'seen'), '');
      return running;
    };

    it.each(Object.entries(ways))(
      'started by %s is ended with its command, and the result says so',
      async (_, way) => {
        const cwd = tempFolder();
        const outcome = await runSeen(way, { cwd });
        const [daemon] = pidsIn(join(cwd, 'pids'));
        onTestFinished(() => endAnyway(daemon!));
        expect(outcome).toMatchObject({
          ended: 'exited',
          exitCode: 0,
          output: 'up\n\n[Ended 1 process that the command left running in the background]\n',
        });
        expect(isRunning(daemon!)).toBe(false);
      },
    );

    it.each(Object.entries(ways))(
      'started by %s is ended when its command is stopped',
      async (_, way) => {
        const cwd = tempFolder();
        const stop = new AbortController();
        const running = runSeen(`${way}; touch there; sleep 301`, { cwd, signal: stop.signal });
        while (!existsSync(join(cwd, 'there'))) await delay(10);
        const [daemon] = pidsIn(join(cwd, 'pids'));
        onTestFinished(() => endAnyway(daemon!));
        expect(isRunning(daemon!)).toBe(true);
        stop.abort();
        expect(await running).toMatchObject({ ended: 'stopped' });
        expect(isRunning(daemon!)).toBe(false);
      },
    );

    it('of another command continues', async () => {
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
});
