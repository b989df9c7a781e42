import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../src/agent/tool';
import type { ToolUse } from '../../src/contextWindow/block';
import { terminalApproval } from '../../src/cli/terminal';

const USE = {} as ToolUse;
const COMMAND = { kind: 'command', command: 'npm test', cwd: '/' } as const;

/** Somebody at a terminal: what is asked, and a way to type. */
function somebody() {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const stop = new AbortController();
  const approve = terminalApproval(false, '/work', { input, output });
  return {
    input,
    output,
    stop,
    ask: (request: ApprovalRequest = COMMAND) => approve(USE, request, stop.signal),
  };
}

describe('--yes', () => {
  const NOBODY = { input: new PassThrough(), output: new PassThrough() };
  const answerTo = (request: ApprovalRequest) =>
    terminalApproval(true, '/work', NOBODY)(USE, request, new AbortController().signal);
  const edit = { kind: 'edit', before: undefined, after: '- One.\n' } as const;

  it('approves edits, and never a line for later sessions, here or in all projects', async () => {
    expect(await answerTo({ ...edit, path: 'a.md' })).toEqual({ approved: true });
    const denied = { approved: false, message: expect.stringContaining('every later session') };
    expect(await answerTo({ ...edit, path: '.plimsoll/memory.md' })).toEqual(denied);
    const profile = '/home/me/profile.md';
    expect(await answerTo({ ...edit, path: '~/profile.md', profile })).toEqual(denied);
  });
});

describe('what outlasts the session', () => {
  const lasting = 'Git acts on this file.';
  const edit = { kind: 'edit', path: '.gitmodules', before: 'a\n', after: 'b\n', lasting } as const;

  it('is denied under --yes, as an edit and as a word of a command', async () => {
    const nobody = { input: new PassThrough(), output: new PassThrough() };
    const approve = terminalApproval(true, '/work', nobody);
    const answerTo = (request: ApprovalRequest) =>
      approve(USE, request, new AbortController().signal);
    expect(await answerTo(edit)).toEqual({
      approved: false,
      message: `--yes does not approve this. ${lasting}`,
    });
    expect(await answerTo({ ...COMMAND, command: 'echo x >> sub/AGENTS.md' })).toEqual({
      approved: false,
      message:
        '--yes does not approve this command: it names sub/AGENTS.md, which outlasts the session.',
    });
  });

  it('and came since it began is shown whole, and not told under --yes', async () => {
    const memory = { kind: 'memory', path: 'AGENTS.md', text: 'One.\n\u001b[2JTwo.' } as const;
    const { input, output, ask } = somebody();
    const answer = ask(memory);
    input.write('y\n');
    expect(await answer).toEqual({ approved: true });
    const shown = String(output.read());
    expect(shown).toContain('One.\n⟨ESC⟩[2JTwo.\nThis is AGENTS.md, which came or changed');
    const approve = terminalApproval(true, '/work', {
      input: new PassThrough(),
      output: new PassThrough(),
    });
    expect(await approve(USE, memory, new AbortController().signal)).toMatchObject({
      approved: false,
    });
  });

  it('is asked about with what it does', async () => {
    const { input, output, ask } = somebody();
    const answer = ask(edit);
    input.write('y\n');
    expect(await answer).toEqual({ approved: true });
    expect(String(output.read())).toContain(`${lasting}\n`);
  });
});

describe('the question at the terminal', () => {
  it.each([
    ['y\n', true],
    ['Yes\n', true],
    ['\n', false],
    ['maybe\n', false],
  ])('takes %j as %j', async (typed, approved) => {
    const { input, ask } = somebody();
    const answer = ask();
    input.write(typed);
    expect(await answer).toEqual({ approved });
  });

  it('names the line, and that it is for all projects', async () => {
    const { input, output, ask } = somebody();
    const answer = ask({
      kind: 'edit',
      path: '~/.plimsoll/memory.md',
      profile: '/home/me/.plimsoll/memory.md',
      before: '- One.\n',
      after: '- One.\n- Two.\n',
    });
    input.write('y\n');
    await answer;
    expect(String(output.read())).toContain('Remember for all projects: - Two. [y/N]');
  });

  it('leaves Ctrl-C to the process: it is a stop, not a no', async () => {
    const { input, stop, ask } = somebody();
    const answer = ask();
    input.write('\u0003');
    const first = await Promise.race([
      answer,
      new Promise((resolve) => setTimeout(() => resolve('still asking'), 50)),
    ]);
    expect(first).toBe('still asking');
    stop.abort();
    expect(await answer).toEqual({ approved: false });
  });

  it('is a no when the terminal is closed, now and from then on', async () => {
    const { input, ask } = somebody();
    const answer = ask();
    input.end();
    expect(await answer).toEqual({ approved: false });
    expect(await ask()).toMatchObject({ approved: false });
  });
});
