import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import { promptParts, promptWithAttached } from '../../src/contextWindow/attached';
import { calledCommand, customCommandsIn } from '../../src/tools/files/commandFiles';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { tempFolder } from './support/tempFolder';

const NONE: ReadonlySet<string> = new Set();

function workspaceOf(files: Readonly<Record<string, string>>) {
  return makeNodeWorkspace({ folders: oneFolder(tempFolder(files)) });
}

/** What the model gets of a call of a command with this body. */
async function sent(body: string, given: string, files: Readonly<Record<string, string>> = {}) {
  const workspace = workspaceOf({ '.claude/commands/do.md': body, ...files });
  const called = await calledCommand(workspace, NONE, `/do ${given}`);
  return called.ok ? called.attached?.map(({ text }) => text) : called.message;
}

describe('custom commands', () => {
  it('are the files of three folders, named by their path, with description and arguments', async () => {
    const workspace = workspaceOf({
      '.plimsoll/commands/deep/ship it.md': 'Ship.',
      '.claude/commands/frontend/test.md':
        '---\ndescription: Test the frontend\nargument-hint: [file] [line]\n---\nTest $1.',
      '.claude/commands/notes.txt': 'No command.',
      '.github/prompts/port.prompt.md': 'Port ${input:module:the module} to ${input:language}.',
      '.github/prompts/readme.md': 'No prompt.',
    });
    expect(
      (await customCommandsIn(workspace, NONE)).map(({ name, hint, description }) => [
        name,
        hint,
        description,
      ]),
    ).toEqual([
      ['deep:ship-it', '', ''],
      ['frontend:test', '[file] [line]', 'Test the frontend'],
      ['port', '[module] [language]', ''],
    ]);
  });

  it('lose a name that Plimsoll or an earlier command has, and are called by their folder', async () => {
    const workspace = workspaceOf({
      '.plimsoll/commands/review.md': 'Own.',
      '.claude/commands/review.md': 'Claude.',
      '.claude/commands/new.md': 'New.',
    });
    const found = await customCommandsIn(workspace, new Set(['new']));
    expect(found.map(({ name }) => name)).toEqual(['review', 'claude:new', 'claude:review']);
  });

  it('follow no link out of the workspace', async () => {
    const outside = tempFolder({ 'secret.md': 'Secret.', 'commands/steal.md': 'Steal.' });
    const root = tempFolder({ '.claude/commands/ok.md': 'Fine.', '.plimsoll/x': '' });
    symlinkSync(join(outside, 'secret.md'), join(root, '.claude/commands/secret.md'));
    symlinkSync(join(outside, 'commands'), join(root, '.plimsoll/commands'));
    const found = await customCommandsIn(makeNodeWorkspace({ folders: oneFolder(root) }), NONE);
    expect(found.map(({ name }) => name)).toEqual(['ok']);
  });
});

describe('the call of a custom command', () => {
  it.each([
    ['All: $ARGUMENTS.', 'one "two three"', 'All: one "two three".'],
    ['$1 then $2, $3!', 'one "two three"', 'one then two three, !'],
    ['Costs $10 and $A.', 'x', 'Costs $10 and $A.'],
    ['Port ${input:name}.', 'the whole module', 'Port the whole module.'],
    ['${input:a} ${input:b:about b} ${input:a}', 'b=2 1', '1 2 1'],
    ['$1 $ARGUMENTS', '$2 ${input:x}', '$2 $2 ${input:x}'],
  ])('fills %j with %j', async (body, given, text) => {
    expect(await sent(body, given)).toEqual([text]);
  });

  it('is refused without a value that the prompt asks for, and says how to give it', async () => {
    expect(await sent('${input:module:the module} ${input:to}', 'to=Rust')).toBe(
      '/do was not sent: it needs module (the module). Add module=… after its name.',
    );
  });

  it('is refused if the file is too long', async () => {
    expect(await sent('x'.repeat(24_001), '')).toBe(
      '/do was not sent: .claude/commands/do.md has 24,001 characters, and the limit is 24,000.',
    );
  });

  it('includes the files it names, also by an argument, and none from outside or without a file', async () => {
    const files = { 'src/a.js': 'let a;', 'src/b.js': 'let b;' };
    const body = 'Compare @src/a.js with @$1, @../../etc/passwd and @no/file.js. Not `@src/c.js`.';
    expect(await sent(body, 'src/b.js', files)).toEqual([
      'Compare @src/a.js with @src/b.js, @../../etc/passwd and @no/file.js. Not `@src/c.js`.',
      'let a;',
      'let b;',
    ]);
  });

  it('runs no shell lines, and reports them with the keys that are not applied', async () => {
    const text = '---\nmodel: opus\nallowed-tools: Bash(git:*)\n---\nStatus: !`git status`';
    const workspace = workspaceOf({ '.claude/commands/do.md': text });
    expect(await calledCommand(workspace, NONE, '/do')).toMatchObject({
      attached: [{ kind: 'command', text: 'Status: !`git status`' }],
      unsupported: [
        'Plimsoll does not support model, allowed-tools in .claude/commands/do.md and ignores it.',
        'Plimsoll does not run the ! lines of .claude/commands/do.md: the agent reads them as text.',
      ],
    });
  });

  it.each(['/etc/hosts is wrong', '/unknown', 'do /do', '/ do'])(
    'is not %j, which is sent as it is',
    async (typed) => {
      const workspace = workspaceOf({ '.claude/commands/do.md': 'Do.' });
      expect(await calledCommand(workspace, NONE, typed)).toEqual({ ok: true });
    },
  );

  it('keeps what was typed apart from the text, which is marked as the request of the user', () => {
    const attached = [{ kind: 'command', name: '.claude/commands/do.md', text: 'Do.' }] as const;
    const text = promptWithAttached({ typed: '/do it', attached });
    expect(text).toContain('note="The user chose this command: do what it says."');
    expect(promptParts(text)).toEqual({ typed: '/do it', attached });
  });
});
