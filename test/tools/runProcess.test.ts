import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OUTPUT_CHARS } from '../../src/tools/processes/startedProcess';
import { tempFolder } from './support/tempFolder';
import { run, posix } from './support/runOnce';

describe.runIf(posix)('runProcess', () => {
  it('returns standard output and error in their order, and the exit code', async () => {
    const outcome = await run('echo one; echo two >&2; echo three; exit 3');
    expect(outcome).toMatchObject({ ended: 'exited', exitCode: 3 });
    expect(outcome.output.split('\n').toSorted()).toEqual(['', 'one', 'three', 'two']);
    expect(outcome.durationMs).toBeGreaterThan(0);
  });

  it('runs in the given folder, with standard input closed', async () => {
    const cwd = tempFolder();
    expect(await run('pwd; cat', { cwd })).toMatchObject({ exitCode: 0, output: `${cwd}\n` });
  });

  it('streams output while the command runs', async () => {
    const folder = tempFolder();
    const heard: string[] = [];
    const stop = new AbortController();
    // The command reaches its second line only after the first was read.
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

  it('joins characters that arrive in pieces', async () => {
    const outcome = await run(`printf '\\303'; sleep 0.05; printf '\\274'`);
    expect(outcome.output).toBe('ü');
  });

  it('keeps head and tail of a large output, marks the cut, and stops live output', async () => {
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

  it('returns 128 plus the signal for a killed command', async () => {
    expect(await run('kill -SEGV $$')).toMatchObject({ ended: 'exited', exitCode: 139 });
  });

  it('starts nothing if it was stopped before', async () => {
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

  it('hides the API key from the command', async () => {
    process.env['ANTHROPIC_API_KEY'] = 'sk-ant-test';
    try {
      expect((await run('env')).output).not.toContain('sk-ant-test');
    } finally {
      delete process.env['ANTHROPIC_API_KEY'];
    }
  });
});
