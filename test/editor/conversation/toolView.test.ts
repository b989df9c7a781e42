import { describe, expect, it } from 'vitest';
import { allowedText, deniedText } from '../../../src/agent/approvals/askApproval';
import type { ToolUse, ToolUseId } from '../../../src/contextWindow/block';
import type { EventOf } from '../../../src/contextWindow/event';
import { labelOfCall } from '../../../src/contextWindow/label';
import { toolView } from '../../../src/editor/conversation/toolView';

const use = (name: string, input: ToolUse['input'] = {}): ToolUse => ({
  id: 'toolu_1' as ToolUseId,
  name,
  input,
});

const RUN = use('run_command', { command: 'npm test' });
const EDIT = use('edit_file', { path: 'a.ts' });

function whyOf(call: ToolUse, text: string, more: Partial<EventOf<'toolFinished'>> = {}) {
  const result = { text, isError: true, origin: 'ran', durationMs: 1, ...more };
  return toolView(call, result as EventOf<'toolFinished'>, undefined).why;
}

describe('why a call failed', () => {
  it.each([
    ['boom\nexit code 1', 'exit code 1'],
    [
      'boom\ntimed out after 7 s; the command and everything it started were ended',
      /^timed out after 7 s/,
    ],
    ['No such file\nthe command could not start', 'the command could not start'],
    [allowedText('boom\nexit code 2', 'but only once'), 'exit code 2'],
    ['bash: x: command not found\n', 'bash: x: command not found'],
  ])('is how a command ended: %j', (text, why) => {
    expect(whyOf(RUN, text)).toEqual(typeof why === 'string' ? why : expect.stringMatching(why));
  });

  it('is the first sentence of any other tool, such as a conflict', () => {
    const text = 'a.ts was not edited: it has changed since this edit was prepared. Read it again.';
    expect(whyOf(EDIT, `${text}\nexit code 7`)).toBe(text);
  });

  it('is one short line of visible characters', () => {
    expect(whyOf(EDIT, `\n a\u202Eb\t c ${'x'.repeat(900)}`)).toMatch(/^a⟨U\+202E⟩b c x{280,}…$/);
  });

  it('keeps the marks that the sentence already has', () => {
    expect(whyOf(EDIT, '"a⟨LF⟩b" holds ⟨LF⟩\u200B.')).toBe('"a⟨LF⟩b" holds ⟨LF⟩⟨U+200B⟩.');
  });

  it('is absent for calls that succeeded or were stopped', () => {
    expect(whyOf(RUN, 'exit code 0', { isError: false })).toBeUndefined();
    expect(whyOf(RUN, 'Stopped by the user', { origin: 'stopped' })).toBeUndefined();
  });
});

describe('a command', () => {
  const view = (
    input: ToolUse['input'],
    text: string,
    more: Partial<EventOf<'toolFinished'>> = {},
  ) =>
    toolView(
      use('run_command', input),
      { text, isError: true, origin: 'ran', durationMs: 1, ...more } as EventOf<'toolFinished'>,
      undefined,
    );

  it('says what its tests said, once it has ended', () => {
    const output = '10 passed, 9 failed\nexit code 1';
    expect(view({ command: 'npm test' }, output)).toMatchObject({ tests: '9 failed' });
    expect(view({ command: 'npm test' }, output, { origin: 'stopped' })).not.toHaveProperty(
      'tests',
    );
  });

  it('in the background has only been started', () => {
    const started = view({ command: 'npm test', background: true }, '9 failed', { isError: false });
    expect(started).toMatchObject({ isBackground: true });
    expect(started).not.toHaveProperty('tests');
  });
});

describe('why a call was denied', () => {
  const denied = (feedback: string | undefined, message?: string, action = 'the command `ls`') =>
    whyOf(
      RUN,
      deniedText(action, {
        approved: false,
        ...(feedback === undefined ? {} : { feedback }),
        ...(message === undefined ? {} : { message }),
      }),
      { origin: 'denied' },
    );

  it("is the user's note, or the rule", () => {
    expect(denied(' use v2\nand not v1 ')).toBe('use v2 and not v1');
    expect(denied(undefined, 'no one is at the terminal.')).toBe('no one is at the terminal.');
  });

  it('is absent if the user gave no note', () => {
    expect(denied(undefined)).toBeUndefined();
    expect(denied('  ')).toBeUndefined();
  });
});

describe('the label of a call', () => {
  it('keeps the file name of a long path, and quotes a path with invisible characters', () => {
    const path = `packages/${'deep/'.repeat(40)}loadLine.ts`;
    const label = labelOfCall(use('read_file', { path, start_line: 3, end_line: 9 }));
    expect(label).toMatch(/^read_file packages\/.*…\/loadLine\.ts 3-9$/);
    expect(label.length).toBeLessThanOrEqual(80);
    expect(labelOfCall(use('read_file', { path: 'a\n\u202Eb' }))).toBe(
      'read_file "a⟨LF⟩⟨U+202E⟩b"',
    );
    expect(labelOfCall(use('run_command', { command: 'ls\n\u001B[2K x' }))).toBe(
      'run_command ls ⟨ESC⟩[2K x',
    );
  });

  it('names the folder of a command, however long the command is', () => {
    const label = (command: string) =>
      labelOfCall(use('run_command', { command, folder: 'server' }));
    expect(label('npm test')).toBe('run_command npm test in server');
    expect(label('x'.repeat(200))).toMatch(/^run_command x{50,}… in server$/);
    expect(label('x'.repeat(200))).toHaveLength(80);
  });
});

it('a call names its file or folder, and a command none', () => {
  const pathIn = (name: string, input: ToolUse['input']) =>
    toolView(use(name, input), undefined, undefined).path;
  expect(pathIn('read_file', { path: 'src/a.js', start_line: 3 })).toBe('src/a.js');
  expect(pathIn('list_files', { path: 'src' })).toBe('src');
  expect(pathIn('run_command', { command: 'ls src' })).toBeUndefined();
});

describe('the lines of an edit', () => {
  const linesOf = (name: string, input: ToolUse['input']) =>
    toolView(use(name, input), undefined, undefined).diff;

  it('are compared for each replacement separately', () => {
    const edits = [
      { old_text: 'a\nb\nc', new_text: 'a\nB\nc' },
      { old_text: 'x', new_text: '' },
    ];
    expect(linesOf('edit_file', { path: 'a.ts', edits })).toEqual([
      ' a',
      '-b',
      '+B',
      ' c',
      '…',
      '-x',
    ]);
  });

  it('are all new in a new file', () => {
    expect(linesOf('create_file', { path: 'a.ts', content: 'a\nb\n' })).toEqual(['+a', '+b']);
  });

  it('are cut if there are many, and none for a call that edits nothing', () => {
    const content = 'a\n'.repeat(1_000);
    const lines = linesOf('create_file', { path: 'a.ts', content })!;
    expect([lines.length, lines.at(-1)]).toEqual([401, '… (600 more lines)']);
    expect(linesOf('run_command', { command: 'ls' })).toBeUndefined();
    expect(linesOf('move_file', { path: 'a', to: 'b' })).toBeUndefined();
  });
});

describe('the last lines of a failed command', () => {
  const tailOf = (call: ToolUse, text: string, isError = true) => {
    const result = { text, isError, origin: 'ran', durationMs: 1 };
    return toolView(call, result as EventOf<'toolFinished'>, undefined).tail;
  };

  it('are three, without the line that says how it ended', () => {
    expect(tailOf(RUN, 'one\ntwo\n\nthree\nfour\nexit code 1')).toEqual(['two', 'three', 'four']);
  });

  it('are absent without output, for a command that succeeded, and for other tools', () => {
    expect(tailOf(RUN, '(no output)\nexit code 1')).toBeUndefined();
    expect(tailOf(RUN, 'bash: x: command not found')).toBeUndefined();
    expect(tailOf(RUN, 'all passed\nexit code 0', false)).toBeUndefined();
    expect(tailOf(EDIT, 'one\ntwo')).toBeUndefined();
  });
});

describe('the call of a sub-agent', () => {
  const TASK = use('task', { title: 'Find it', prompt: 'Where is it?' });
  const progress = { toolUseId: TASK.id, name: 'Find it', steps: 2, tokens: 900, isAtWork: true };

  it('runs as long as the sub-agent works, also beside others', () => {
    const other = { state: 'runningTool', toolUseId: 'toolu_9', since: 0 } as const;
    const view = toolView(TASK, undefined, other, progress);
    expect(view).toMatchObject({
      kind: 'agent',
      label: 'task Find it',
      state: 'running',
      subAgent: { steps: 2, tokens: 900 },
    });
    const ended = toolView(TASK, undefined, other, { ...progress, isAtWork: false });
    expect(ended.state).toBe('done');
    // After a crash nothing runs.
    expect(toolView(TASK, undefined, undefined, progress).state).toBe('stopped');
  });

  it('says nothing of a sub-agent that never began', () => {
    expect(toolView(TASK, undefined, undefined)).not.toHaveProperty('subAgent');
  });
});
