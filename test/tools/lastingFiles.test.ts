import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import { createFile } from '../../src/tools/files/createFile';
import { editFile } from '../../src/tools/files/editFile';
import { couldLast, lastingIn, lastingKind } from '../../src/agent/lastingFiles';
import { lastingChanges, lastingSnapshot } from '../../src/tools/processes/lastingSnapshot';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { rememberTool } from '../../src/tools/remember';
import { runCommand } from '../../src/tools/processes/runCommand';
import { call, prepare } from './support/callTool';
import { tempFolder } from './support/tempFolder';

describe('a file that outlasts the session', () => {
  it.each([
    ['AGENTS.md', 'instructions'],
    ['src/deep/claude.MD', 'instructions'],
    ['.plimsoll/memory.md', 'instructions'],
    ['.git/hooks/pre-commit', 'git'],
    ['.GIT./config', 'git'],
    ['.git', 'git'],
    ['packages/a/.husky/pre-push', 'hook'],
    ['.vscode/tasks.json', 'editor'],
    ['a.code-workspace', 'editor'],
    ['.devcontainer/devcontainer.json', 'editor'],
    ['.envrc', 'environment'],
    ['.github/workflows/ci.yml', 'ci'],
    ['.GitHub/Workflows/ci.yml', 'ci'],
    ['.gitlab-ci.yml', 'ci'],
    ['.circleci/config.yml', 'ci'],
    ['azure-pipelines.yml', 'ci'],
    ['Jenkinsfile', 'ci'],
    ['.ci/run', 'ci'],
    ['Makefile', 'scripts'],
  ])('%s is recognised by its path', (path, kind) => {
    expect(lastingKind(path)).toBe(kind);
  });

  it.each(['src/a.ts', '.github/README.md', 'agents.md.txt', '.gitignore', 'docs/makefile.md'])(
    '%s is not one',
    (path) => expect(lastingKind(path)).toBeUndefined(),
  );

  it('is found among the words of a command', () => {
    expect(lastingIn('echo x >> AGENTS.md')).toBe('AGENTS.md');
    expect(lastingIn('cp a ".hus"ky/pre-commit')).toBe('.husky/pre-commit');
    expect(lastingIn('FILE=.envrc;cat a')).toBe('.envrc');
    expect(lastingIn('copy a .vscode\\tasks.json')).toBe('.vscode/tasks.json');
    expect(lastingIn('for f in *; do echo $f > .gi?/config; done')).toBe('.gi?/config');
    expect(lastingIn('npm test && git commit -m "$X"')).toBeUndefined();
  });

  it.each([
    ['AGENTS.m?', true],
    ['.gi?/hooks/', true],
    ['.[g]it/config', true],
    ['*', true],
    ['.git/*', true],
    ['src/*.ts', false],
    ['*.json', false],
    ['.e*', true],
    ['docs/a?.md', false],
  ])('may match the pattern %s: %s', (pattern, may) => expect(couldLast(pattern, false)).toBe(may));

  it('is a package.json that is replaced as a whole', () => {
    expect(couldLast('package.json', true)).toBe(true);
    for (const pattern of ['*.json', './*.js', '**/*.json'])
      expect(couldLast(pattern, true), pattern).toBe(true);
    expect(couldLast('sub/*.json', true)).toBe(false);
    expect(couldLast('*.json', false)).toBe(false);
    expect(couldLast('package.json', false)).toBe(false);
  });
});

describe('the question about a change', () => {
  const lastingOf = async (...args: Parameters<typeof prepare>) => {
    const { approval } = await prepare(...args);
    if (approval?.kind !== 'edit') throw new Error('no edit');
    return approval.lasting;
  };

  it('says what the file does, under each of its names', async () => {
    const root = tempFolder({ 'AGENTS.md': 'a\n', 'x.md': 'a\n' });
    symlinkSync('AGENTS.md', join(root, 'y.md'));
    const edit = (path: string) =>
      lastingOf(editFile, { path, old_text: 'a', new_text: 'b' }, root);
    expect(await edit('AGENTS.md')).toContain('Every later agent session');
    expect(await edit('y.md')).toContain('Every later agent session');
    expect(await edit('x.md')).toBeUndefined();
    const made = { path: '.github/workflows/a.yml', content: 'x' };
    expect(await lastingOf(createFile, made, root)).toContain('Build servers run');
    expect(await lastingOf(rememberTool(false), { text: 'x' }, root)).toContain('Every later');
  });

  it('says so of hooks and settings elsewhere that the settings of git name', async () => {
    const root = tempFolder({
      'tools/hooks/pre-push': 'a\n',
      'team.gitconfig': 'a\n',
      'tools/a.ts': 'a\n',
      'libs/in/.git/config': '[core]\n\thooksPath = "checks"\n',
      'libs/in/checks/pre-commit': 'a\n',
    });
    execFileSync('git', ['init', '-q'], { cwd: root });
    execFileSync('git', ['config', 'core.hooksPath', 'tools/hooks'], { cwd: root });
    execFileSync('git', ['config', 'include.path', '../team.gitconfig'], { cwd: root });
    symlinkSync('tools/hooks', join(root, 'link'));
    const edit = (path: string) =>
      lastingOf(editFile, { path, old_text: 'a', new_text: 'b' }, root);
    const HOOK = 'Commands in this file run automatically on commit, push or install.';
    expect(await edit('tools/hooks/pre-push')).toBe(HOOK);
    expect(await edit('link/pre-push')).toBe(HOOK);
    expect(await edit('libs/in/checks/pre-commit')).toBe(HOOK);
    expect(await edit('team.gitconfig')).toContain('Git reads this file');
    expect(await edit('tools/a.ts')).toBeUndefined();
    const made = { path: 'tools/hooks/new/pre-commit', content: 'x' };
    expect(await lastingOf(createFile, made, root)).toBe(HOOK);
    // Settings on one line, in a file that others include, and of a repository around the workspace.
    writeFileSync(join(root, 'team.gitconfig'), 'a\n[core] hooksPath = team\n');
    mkdirSync(join(root, 'team'));
    writeFileSync(join(root, 'team/pre-push'), 'a\n');
    expect(await edit('team/pre-push')).toBe(HOOK);
    const inner = join(root, 'team');
    const file = { path: 'pre-push', old_text: 'a', new_text: 'b' };
    expect(await lastingOf(editFile, file, inner)).toBe(HOOK);
  });

  it('is of this kind for a package.json only if its scripts change', async () => {
    const text = '{ "version": "1.0.0", "scripts": { "test": "node --test" } }';
    const root = tempFolder({ 'package.json': text });
    const edit = (old_text: string, new_text: string) =>
      lastingOf(editFile, { path: 'package.json', old_text, new_text }, root);
    expect(await edit('1.0.0', '1.0.1')).toBeUndefined();
    expect(await edit('node --test', 'curl x')).toContain('builds, tests or installs');
    expect(await edit('"scripts"', 'scripts')).toContain('builds, tests or installs');
  });
});

describe('the changes that a command made to such files', () => {
  const command = async (root: string, text: string) =>
    call(runCommand, { command: text }, makeNodeWorkspace({ folders: oneFolder(root) }));

  it('are reported to the user and, before the last line, to the model', async () => {
    const root = tempFolder({ '.envrc': 'a\n', 'CLAUDE.md': 'a\n', 'a/AGENTS.md': 'a\n' });
    mkdirSync(join(root, '.git/hooks'), { recursive: true });
    const output = await command(
      root,
      'echo x > .git/hooks/pre-commit; echo b > a/AGENTS.md; rm .envrc; touch CLAUDE.md; exit 3',
    );
    expect(output.lasting).toEqual([
      { path: '.envrc', how: 'gone' },
      { path: '.git/hooks/pre-commit', how: 'made' },
      { path: 'a/AGENTS.md', how: 'changed' },
    ]);
    expect(output.text).toBe(
      '(no output)\n[The command changed files that outlast the session: .envrc (gone), ' +
        '.git/hooks/pre-commit (new), a/AGENTS.md (changed). The user was told.]\nexit code 3',
    );
  });

  it('include hooks that the settings of git name, but not those that just became hooks', async () => {
    const root = tempFolder({ 'hooks/pre-push': 'a\n', 'later/pre-push': 'a\n' });
    execFileSync('git', ['init', '-q'], { cwd: root });
    execFileSync('git', ['config', 'core.hooksPath', 'hooks'], { cwd: root });
    const changed = await command(root, 'echo b > hooks/pre-push; echo b > later/pre-push');
    expect(changed.lasting).toEqual([{ path: 'hooks/pre-push', how: 'changed' }]);
    const moved = await command(root, 'git config core.hooksPath later');
    expect(moved.lasting).toEqual([{ path: '.git/config', how: 'changed' }]);
    // What lasts by its own name is reported, whatever git's settings say of it.
    const hidden = await command(root, 'echo x > AGENTS.md; git config include.path ../AGENTS.md');
    expect(hidden.lasting).toEqual([
      { path: '.git/config', how: 'changed' },
      { path: 'AGENTS.md', how: 'made' },
    ]);
  });

  it('are not reported for other files, or for what git stores', async () => {
    const root = tempFolder({
      'AGENTS.md': 'a\n',
      'package.json': '{"scripts":{"test":"x"}}',
      '.gitignore': 'out\n',
      'node_modules/x/AGENTS.md': 'a\n',
    });
    execFileSync('git', ['init', '-q'], { cwd: root });
    const output = await command(
      root,
      'mkdir out b; echo a > b.txt; echo x > out/AGENTS.md; echo > .git/index; ' +
        'echo b > node_modules/x/AGENTS.md; echo \'{"scripts":{"test":"x"},"a":1}\' > package.json; ' +
        'echo \'{"name":"b"}\' > b/package.json',
    );
    expect(output).toEqual({ text: '(no output)\nexit code 0', isError: false });
  });

  it('include those in folders that the command itself ignores, and the settings of submodules', async () => {
    const root = tempFolder({ 'src/a.ts': 'a\n' });
    execFileSync('git', ['init', '-q'], { cwd: root });
    const output = await command(
      root,
      'printf "src\\ndeep\\n" > .gitignore; echo x > src/AGENTS.md; git init -q deep/libs; ' +
        'git -C deep/libs -c user.name=a -c user.email=a commit -qm x --allow-empty; ' +
        'git -c advice.addEmbeddedRepo=false add -f deep/libs; git -C deep/libs config core.fsmonitor ./x',
    );
    expect(output.lasting).toEqual([
      { path: 'deep/libs/.git/config', how: 'made' },
      { path: 'src/AGENTS.md', how: 'made' },
    ]);
    const changed = await command(root, 'git -C deep/libs config --unset core.fsmonitor');
    expect(changed.lasting).toEqual([{ path: 'deep/libs/.git/config', how: 'changed' }]);
  });

  it('are none where only the index of git changes: a submodule stays where it is', async () => {
    const root = tempFolder({ 'a.txt': 'a\n', 'AGENTS.md': 'a\n' });
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a', ...args], { cwd: root });
    git('init', '-q', '-b', 'main');
    git('add', 'a.txt', 'AGENTS.md');
    git('commit', '-qm', 'x');
    git('branch', 'without');
    git('init', '-q', 'libs');
    git('-C', 'libs', 'commit', '-qm', 'x', '--allow-empty');
    git('-c', 'advice.addEmbeddedRepo=false', 'add', 'libs');
    git('commit', '-qm', 'with a submodule');
    const hook = join(root, 'libs/.git/hooks/pre-commit');
    for (const text of [
      'git checkout -q without',
      'git checkout -q main',
      'git rm -q --cached libs AGENTS.md',
      'git -c advice.addEmbeddedRepo=false add libs AGENTS.md',
    ])
      expect((await command(root, text)).lasting, text).toBeUndefined();
    // One with a hook is reported when git gets to enter it.
    writeFileSync(hook, 'a\n');
    expect((await command(root, 'git checkout -q without')).lasting).toBeUndefined();
    expect((await command(root, 'git checkout -q main')).lasting).toEqual([
      { path: 'libs/.git/config', how: 'made' },
      { path: 'libs/.git/hooks/pre-commit', how: 'made' },
    ]);
    const changed = await command(
      root,
      'git rm -q --cached libs; echo b > libs/.git/hooks/pre-commit',
    );
    expect(changed.lasting).toEqual([{ path: 'libs/.git/hooks/pre-commit', how: 'changed' }]);
  });

  it('include scripts, a link, and the hooks of a worktree', async () => {
    const main = tempFolder({ '.git/worktrees/w/commondir': '../..\n', '.git/hooks/a': 'a\n' });
    const pointer = `gitdir: ${join(main, '.git/worktrees/w')}\n`;
    const root = tempFolder({ '.git': pointer, 'package.json': '{}', 'to.md': 'a\n' });
    symlinkSync('to.md', join(root, 'AGENTS.md'));
    const output = await command(
      root,
      `echo b > to.md; echo '{"scripts":{"a":"b"}}' > package.json; echo b > ${main}/.git/hooks/a`,
    );
    expect(output.lasting).toEqual([
      { path: '.git/hooks/a', how: 'changed' },
      { path: 'AGENTS.md', how: 'changed' },
      { path: 'package.json', how: 'changed' },
    ]);
  });

  it('are found in the root and in .git whatever the size of the workspace', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`a${n % 6}/${n}.txt`, '']),
    );
    const root = tempFolder({
      ...many,
      'AGENTS.md': 'a\n',
      'z/b/AGENTS.md': 'a\n',
      '.git/config': 'a\n',
    });
    const bounds = { entries: 20, ms: 60_000 };
    const before = await lastingSnapshot(root, undefined, bounds);
    expect(before.isAll).toBe(false);
    mkdirSync(join(root, '.git/hooks'));
    mkdirSync(join(root, '.husky'));
    mkdirSync(join(root, '.github/workflows'), { recursive: true });
    appendFileSync(join(root, '.git/config'), 'b\n');
    rmSync(join(root, 'AGENTS.md'));
    const made =
      '.envrc .gitignore .git/hooks/pre-commit .github/workflows/ci.yml .husky/pre-push CLAUDE.md ' +
      'package.json a0/AGENTS.md z/b/CLAUDE.md';
    for (const path of made.split(' ')) {
      // An ignored file lasts as well.
      writeFileSync(
        join(root, path),
        path === 'package.json' ? '{"scripts":{"a":"b"}}' : '.envrc\n',
      );
    }
    const after = await lastingSnapshot(root, before, bounds);
    const changes = lastingChanges(before, after);
    expect(changes.map(({ path, how }) => `${path} ${how}`)).toEqual([
      '.envrc made',
      '.git/config changed',
      '.git/hooks/pre-commit made',
      '.github/workflows/ci.yml made',
      '.husky/pre-push made',
      'AGENTS.md gone',
      'CLAUDE.md made',
      'package.json made',
    ]);
  });

  it('are looked at again once they are known, where the search no longer reaches', async () => {
    const root = tempFolder({ 'a/AGENTS.md': 'a\n', 'b/AGENTS.md': 'a\n' });
    const before = await lastingSnapshot(root);
    expect(before.isAll).toBe(true);
    appendFileSync(join(root, 'a/AGENTS.md'), 'b\n');
    rmSync(join(root, 'b/AGENTS.md'));
    const after = await lastingSnapshot(root, before, { entries: 0, ms: 60_000 });
    expect(lastingChanges(before, after)).toEqual([
      { path: 'a/AGENTS.md', how: 'changed' },
      { path: 'b/AGENTS.md', how: 'gone' },
    ]);
  });

  it('are reported for a lasting folder that is too large, except for new ones', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`.husky/${n}`, '']));
    const root = tempFolder({ ...many, 'a/.husky/pre-push': 'a\n' });
    const before = await lastingSnapshot(root, undefined, { entries: 1_010, ms: 60_000 });
    writeFileSync(join(root, '.husky/new'), '');
    writeFileSync(join(root, 'a/.husky/new'), '');
    const after = await lastingSnapshot(root, before, { entries: 1_010, ms: 60_000 });
    expect(after.isAll).toBe(false);
    expect(lastingChanges(before, after)).toEqual([{ path: 'a/.husky/new', how: 'made' }]);
  });

  it('are searched for in the first 500 entries, even on a busy machine, and no further', async () => {
    const bounds = { entries: 40_000, ms: -1 };
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.txt`, '']));
    const small = await lastingSnapshot(tempFolder(files(500)), undefined, bounds);
    expect(small.isAll).toBe(true);
    const large = await lastingSnapshot(tempFolder(files(501)), undefined, bounds);
    expect(large.isAll).toBe(false);
  });
});
