import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import type { CommandOutcome, Workspace } from '../../src/agent/workspace';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { leftRunning, runCommand } from '../../src/tools/processes/runCommand';
import type { Sandbox } from '../../src/tools/processes/sandbox';
import { call, prepare } from './support/callTool';
import { tempFolder } from './support/tempFolder';

/** A workspace whose commands end as scripted; records the time limits it was given. */
function ending(outcome: Partial<CommandOutcome>) {
  const timeouts: number[] = [];
  const workspace: Workspace = {
    ...makeNodeWorkspace({ folders: oneFolder(tempFolder()) }),
    runCommand: async (_command, { timeoutMs }) => {
      timeouts.push(timeoutMs);
      return { ended: 'exited', exitCode: 0, output: '', durationMs: 3_210, ...outcome };
    },
  };
  return { workspace, timeouts };
}

const ran = async (outcome: Partial<CommandOutcome>, seconds?: number) => {
  const input = { command: 'x', ...(seconds === undefined ? {} : { timeout_seconds: seconds }) };
  return call(runCommand, input, ending(outcome).workspace);
};

describe('run_command', () => {
  it('asks with the command and the folder it runs in', async () => {
    const root = tempFolder();
    const prepared = await prepare(runCommand, { command: 'npm test' }, root);
    expect(prepared.approval).toEqual({ kind: 'command', command: 'npm test', cwd: root });
    expect(prepared.action).toBe('The command `npm test`');
    const long = await prepare(runCommand, { command: 'x'.repeat(300) }, root);
    expect(long.action).toBe(`The command \`${'x'.repeat(200)}…\``);
  });

  it('returns the output, with the exit code in the last line', async () => {
    expect(await ran({ output: 'ok\n' })).toEqual({ text: 'ok\nexit code 0', isError: false });
    expect(await ran({ output: 'bad\n', exitCode: 2 })).toEqual({
      text: 'bad\nexit code 2',
      isError: true,
    });
    expect(await ran({})).toEqual({ text: '(no output)\nexit code 0', isError: false });
  });

  it('promises to end daemons only as far as the system allows', () => {
    expect(leftRunning('linux')).toContain(
      'daemons too, except those that immediately run as another user',
    );
    expect(leftRunning('darwin')).toContain(
      'except daemons that leave its process group immediately',
    );
    expect(leftRunning('win32')).toContain('keep running when it ends normally');
    expect(runCommand.definition.description).toContain(leftRunning(process.platform));
  });

  it('says how the command ended in other cases', async () => {
    const killed = { exitCode: null, output: 'so far\n' };
    expect(await ran({ ...killed, ended: 'timedOut' }, 7)).toEqual({
      text: 'so far\ntimed out after 7 s; the command and everything it started were ended',
      isError: true,
    });
    expect((await ran({ ...killed, ended: 'stopped' })).text).toBe(
      'so far\nstopped by the user after 3.2 s; the command and everything it started were ended',
    );
    const failed = { exitCode: null, output: 'spawn EAGAIN', ended: 'failedToStart' as const };
    expect((await ran(failed)).text).toBe('spawn EAGAIN\nthe command could not start');
  });

  it('gives a command 120 s unless the call sets another limit', async () => {
    const { workspace, timeouts } = ending({});
    await call(runCommand, { command: 'x' }, workspace);
    await call(runCommand, { command: 'x', timeout_seconds: 600 }, workspace);
    expect(timeouts).toEqual([120_000, 600_000]);
  });

  it('omits colours from the text', async () => {
    expect((await ran({ output: '\u001b[31mred\u001b[0m\n' })).text).toBe('red\nexit code 0');
  });

  it.runIf(process.platform !== 'win32')('runs real commands and streams output', async () => {
    const prepared = await prepare(runCommand, { command: 'echo hello; exit 1' }, tempFolder());
    let live = '';
    const output = await prepared.run(new AbortController().signal, (text) => (live += text));
    expect(output).toEqual({ text: 'hello\nexit code 1', isError: true });
    expect(live).toBe('hello\n');
  });
});

describe('run_command on a system with a sandbox', () => {
  /** A fake sandbox for every system: it blocks nothing, and sets a variable that shows its use. */
  const sandbox: Sandbox = {
    name: 'sandbox-exec',
    guards: 'they have no network.',
    program: '/usr/bin/env',
    prepare: () =>
      Promise.resolve({ args: ['INSIDE=yes'], leftovers: [], release: () => Promise.resolve([]) }),
  };
  const inside = async (command: string) => {
    const workspace = makeNodeWorkspace({
      folders: oneFolder(tempFolder()),
      findSandbox: () => Promise.resolve({ ok: true, sandbox }),
    });
    const { runInSandbox, ...prepared } = await prepare(runCommand, { command }, workspace);
    return { prepared, output: await runInSandbox!(new AbortController().signal, () => undefined) };
  };

  it('says what the sandbox blocks, and runs commands in it or outside', async () => {
    const { prepared, output } = await inside('echo "${INSIDE:-no}"');
    expect(prepared.approval).toMatchObject({ sandbox: 'they have no network.' });
    expect(output).toEqual({ text: 'yes\nexit code 0', isError: false });
    const outside = await prepared.run(new AbortController().signal, () => undefined);
    expect(outside.text).toBe('no\nexit code 0');
  });

  it("asks to run a command outside if its failure looks like the sandbox's", async () => {
    const { output } = await inside('echo "touch: /etc/x: Read-only file system" >&2; exit 1');
    expect(output.text).toMatch(/\[It ran in a sandbox\. Commands there: they have no network/);
    expect(output.text).toMatch(/\nexit code 1$/);
    expect(output.outside).toMatchObject({
      kind: 'command',
      outside: expect.stringMatching(/^It failed in the sandbox \(exit code 1\)/) as string,
    });
  });

  it('does not ask if a command failed for another reason, or succeeded', async () => {
    expect((await inside('echo "1 test failed"; exit 1')).output).not.toHaveProperty('outside');
    expect((await inside('echo "Permission denied"')).output).not.toHaveProperty('outside');
  });
});
