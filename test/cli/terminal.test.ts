import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { firstPlace, oneFolder } from '../../src/agent/workspaceFolders';
import type { ApprovalRequest } from '../../src/agent/tool';
import type { ToolUse } from '../../src/contextWindow/block';
import { commandReader } from '../../src/agent/approvals/shellCommand';
import { terminalApproval } from '../../src/cli/terminal';
import { GRAMMAR } from '../support/grammar';

const USE = {} as ToolUse;
const NOBODY = { input: new PassThrough(), output: new PassThrough() };
const place = firstPlace(oneFolder('/work'));
const YES = { place, inSandbox: false, readCommand: commandReader(GRAMMAR, true) };
const COMMAND = { kind: 'command', command: 'npm test', cwd: '/' } as const;

/** A person at a terminal: the output, and a way to type. */
function somebody() {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  const stop = new AbortController();
  const approve = terminalApproval({ input, output }, undefined);
  return {
    input,
    output,
    stop,
    ask: (request: ApprovalRequest = COMMAND) => approve(USE, request, stop.signal),
  };
}

describe('--yes', () => {
  const answerTo = (request: ApprovalRequest, inSandbox = false) => {
    const readCommand = commandReader(GRAMMAR, true);
    const yes = { place, inSandbox, readCommand };
    return terminalApproval(NOBODY, yes)(USE, request, new AbortController().signal);
  };
  const edit = { kind: 'edit', before: undefined, after: '- One.\n' } as const;

  it('approves edits, and never a line for later sessions, here or in all projects', async () => {
    expect(await answerTo({ ...edit, path: 'a.md' })).toEqual({ approved: true });
    const denied = {
      approved: false,
      message: expect.stringContaining('what later sessions read'),
    };
    expect(await answerTo({ ...edit, path: '.plimsoll/memory.md' })).toEqual(denied);
    const profile = '/home/me/profile.md';
    expect(await answerTo({ ...edit, path: '~/profile.md', profile })).toEqual(denied);
  });
});

describe('--yes and commands', () => {
  const answerTo = (command: string, more: { inSandbox?: boolean; isBash?: boolean } = {}) => {
    const { inSandbox = false, isBash = true } = more;
    const yes = { place, inSandbox, readCommand: commandReader(GRAMMAR, isBash) };
    const request = { kind: 'command', command, cwd: '/work' } as const;
    return terminalApproval(NOBODY, yes)(USE, request, new AbortController().signal);
  };

  it('approves commands that name nothing outside, and gives the reason for a denial', async () => {
    expect(await answerTo('npm test')).toEqual({ approved: true });
    expect(await answerTo('cat ../x')).toEqual({
      approved: false,
      message:
        '--yes approves only commands that name nothing outside /work. It names ../x, which is outside the ' +
        'workspace. Use plain words, and paths relative to the folder.',
    });
  });

  it('approves every command in a sandbox', async () => {
    expect(await answerTo('cat $HOME/x', { inSandbox: true })).toEqual({ approved: true });
  });

  it('denies every command if another shell than bash runs it', async () => {
    const message = expect.stringContaining('another shell than bash runs it');
    expect(await answerTo('ls', { isBash: false })).toEqual({ approved: false, message });
  });
});

describe('a file that outlasts the session', () => {
  const lasting = 'Git acts on this file.';
  const edit = { kind: 'edit', path: '.gitmodules', before: 'a\n', after: 'b\n', lasting } as const;

  it('is denied under --yes, as an edit and as a word of a command', async () => {
    const approve = terminalApproval(NOBODY, YES);
    const answerTo = (request: ApprovalRequest) =>
      approve(USE, request, new AbortController().signal);
    expect(await answerTo(edit)).toEqual({
      approved: false,
      message: `--yes does not approve this. ${lasting}`,
    });
    expect(await answerTo({ ...COMMAND, command: 'echo x >> sub/AGENTS.md' })).toEqual({
      approved: false,
      message:
        '--yes does not approve this command: it may change sub/AGENTS.md, which outlasts the session.',
    });
  });

  it('is shown whole if it appeared during the session, and is not sent under --yes', async () => {
    const memory = { kind: 'memory', path: 'AGENTS.md', text: 'One.\n\u001b[2JTwo.' } as const;
    const { input, output, ask } = somebody();
    const answer = ask(memory);
    input.write('y\n');
    expect(await answer).toEqual({ approved: true });
    const shown = String(output.read());
    expect(shown).toContain(
      '  | One.\n  | ⟨ESC⟩[2JTwo.\nFollow AGENTS.md as instructions? It was created or changed',
    );
    const approve = terminalApproval(NOBODY, YES);
    expect(await approve(USE, memory, new AbortController().signal)).toMatchObject({
      approved: false,
    });
  });

  it('needs an answer to a question that says what it does', async () => {
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
  ])('reads %j as %j', async (typed, approved) => {
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

  it('shows an edit as its diff with every character', async () => {
    const { input, output, ask } = somebody();
    const before = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n');
    const after = before.replace('line 10', 'line \u001b[2K\u202eten');
    const answer = ask({ kind: 'edit', path: 'a.js', before, after });
    input.write('y\n');
    expect(await answer).toEqual({ approved: true });
    expect(String(output.read())).toBe(
      [
        '  | @@ -7,7 +7,7 @@',
        '  |  line 7',
        '  |  line 8',
        '  |  line 9',
        '  | -line 10',
        '  | +line ⟨ESC⟩[2K⟨U+202E⟩ten',
        '  |  line 11',
        '  |  line 12',
        '  |  line 13',
        'Edit a.js (+1 -1)? [y/N] ',
      ].join('\n'),
    );
  });

  it('shows a new file whole, a page at a time, and accepts no yes before the last', async () => {
    const after = Array.from({ length: 1_200 }, (_, index) => `line ${index + 1}\n`).join('');
    const request = { kind: 'edit', path: 'a.js', before: undefined, after } as const;
    const whole = somebody();
    const answer = whole.ask(request);
    for (const typed of ['\n', 'y\n', 'y\n']) {
      await expect.poll(() => whole.input.readableLength).toBe(0);
      whole.input.write(typed);
    }
    expect(await answer).toEqual({ approved: true });
    const shown = String(whole.output.read());
    expect(shown.match(/ {2}\| \+line \d+\n/g)).toHaveLength(1_200);
    expect(shown).toContain('701 more lines. Show them? [Y/n]');
    expect(shown).toContain('Create a.js (+1200 -0)? [y/N]');

    const enough = somebody();
    const denied = enough.ask(request);
    enough.input.write('n\n');
    expect(await denied).toEqual({ approved: false });
  });

  it('leaves Ctrl-C to the process: it stops and does not deny', async () => {
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

  it('is denied when the terminal is closed, and all later ones, too', async () => {
    const { input, ask } = somebody();
    const answer = ask();
    input.end();
    expect(await answer).toEqual({ approved: false });
    expect(await ask()).toMatchObject({ approved: false });
  });
});

describe("the agent's question", () => {
  const question = { kind: 'question', question: 'Which?', choices: ['npm', 'pnpm'] } as const;

  it.each([
    ['2\n', { approved: true, feedback: 'pnpm' }],
    ['yarn, please\n', { approved: true, feedback: 'yarn, please' }],
    ['7\n', { approved: true, feedback: '7' }],
    ['\n', { approved: false }],
  ])('reads %j as %j', async (typed, expected) => {
    const { input, output, ask } = somebody();
    const answer = ask(question);
    input.write(typed);
    expect(await answer).toEqual(expected);
    expect(String(output.read())).toContain('  | Which?\n  | 1. npm\n  | 2. pnpm\n');
  });

  it('is denied with a reason when no one can answer', async () => {
    const { signal } = new AbortController();
    const nobody = await terminalApproval(NOBODY, undefined)(USE, question, signal);
    expect(nobody).toMatchObject({
      approved: false,
      message: expect.stringContaining('No one is at the terminal'),
    });
    const yes = await terminalApproval(NOBODY, YES)(USE, question, signal);
    expect(yes).toMatchObject({
      approved: false,
      message: expect.stringContaining('answers no questions'),
    });
  });
});

describe('files and pages', () => {
  it('are moved and deleted under --yes unless they outlast the session, and never fetched', async () => {
    const { signal } = new AbortController();
    const answerTo = (request: ApprovalRequest) =>
      terminalApproval(NOBODY, YES)(USE, request, signal);
    expect(await answerTo({ kind: 'move', path: 'a', to: 'b' })).toEqual({ approved: true });
    expect(await answerTo({ kind: 'delete', path: 'a' })).toEqual({ approved: true });
    const lasting = 'Git acts on this file.';
    expect(await answerTo({ kind: 'delete', path: '.gitmodules', lasting })).toMatchObject({
      approved: false,
    });
    const page = { kind: 'fetch', url: 'https://a.example/', host: 'a.example' } as const;
    expect(await answerTo(page)).toMatchObject({ approved: false });
    const call = { kind: 'tool', tool: 'echo', provider: 'MCP server a', input: '{}' } as const;
    expect(await answerTo(call)).toMatchObject({ approved: false });
  });

  it('are named in the question', async () => {
    const shown = async (request: ApprovalRequest) => {
      const { input, output, ask } = somebody();
      const answer = ask(request);
      input.write('y\n');
      await answer;
      return String(output.read());
    };
    expect(await shown({ kind: 'move', path: 'a', to: 'b' })).toContain('Move a to b? [y/N]');
    const call = { kind: 'tool', tool: 'echo', provider: 'MCP server a', input: '{}' } as const;
    expect(await shown(call)).toContain('Call echo of MCP server a with this input? [y/N]');
    expect(await shown({ kind: 'delete', path: 'a', before: 'x\ny\n' })).toContain(
      'Delete a (2 lines) permanently? [y/N]',
    );
    const page = { kind: 'fetch', url: 'https://a.example/x', host: 'a.example' } as const;
    expect(await shown(page)).toContain('  | https://a.example/x\nFetch this page?');
  });
});
