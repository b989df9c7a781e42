import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import type { ChangesResult } from '../../src/agent/returning';
import { makeChangesSince } from '../../src/tools/checkpoints/changesSince';
import { findGit } from '../../src/tools/processes/git';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { tempFolder } from './support/tempFolder';

const DAY = 86_400_000;
const NOW = Date.now();
const SINCE = NOW - 30 * DAY;

/** Sets the times of files and folders, in days before now. */
function age(root: string, days: number, ...paths: readonly string[]): void {
  const time = new Date(NOW - days * DAY);
  for (const path of paths) utimesSync(join(root, path), time, time);
}

/** Runs git as if on an earlier day; the date is for commits and the reflog of HEAD. */
function git(root: string, days: number, ...args: readonly string[]): string {
  const date = new Date(NOW - days * DAY).toISOString();
  const env = {
    PATH: process.env['PATH'],
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
  };
  const as = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  return execFileSync('git', [...as, ...args], {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

/** A repository with a commit from 60 days ago; its files are as old. */
function repository(files: Readonly<Record<string, string>>): string {
  const root = tempFolder(files);
  git(root, 60, 'init', '--quiet');
  git(root, 60, 'add', '.');
  git(root, 60, 'commit', '--quiet', '-m', 'first');
  age(root, 60, '.', ...Object.keys(files));
  return root;
}

const NO_BOUNDS = { files: 20_000, ms: 30_000 };

function since(
  root: string,
  known: Readonly<Record<string, boolean>> = {},
  bounds = NO_BOUNDS,
): Promise<ChangesResult> {
  const files = Object.entries(known).map(([path, isEdited]) => ({ path, isEdited }));
  const look = makeChangesSince(makeNodeWorkspace({ folders: oneFolder(root) }), bounds);
  return look({ since: SINCE, known: files }, new AbortController().signal);
}

const inWords = (found: ChangesResult) =>
  found.ok
    ? found.files.map(
        ({ path, how, isKnown }) =>
          `${path}${how === 'gone' ? ' gone' : ''}${isKnown ? ' known' : ''}`,
      )
    : found.message;

describe('the changes in a folder without a repository', () => {
  it('are found by file times, with the files that the session knew first', async () => {
    const root = tempFolder({ 'a.ts': 'a', 'b.ts': 'b', 'src/c.ts': 'c', 'old.ts': 'o' });
    age(root, 60, 'old.ts', 'b.ts');
    const found = await since(root, { 'src/c.ts': false, 'old.ts': true });
    expect(found).toMatchObject({ ok: true, by: 'times', isAll: true });
    expect(inWords(found)).toEqual(['src/c.ts known', 'a.ts']);
  });

  it('omit ignored files, apart from those that the session knew', async () => {
    const root = tempFolder({ '.gitignore': 'out/\n', 'out/a.js': 'a', 'out/b.js': 'b' });
    age(root, 60, '.gitignore');
    expect(inWords(await since(root, { 'out/b.js': false }))).toEqual(['out/b.js known']);
  });

  it('include a deleted file only if its folder was changed since', async () => {
    const root = tempFolder({ 'new/x': 'x', 'old/x': 'x' });
    rmSync(join(root, 'new/x'));
    rmSync(join(root, 'old/x'));
    age(root, 60, 'old');
    const known = { 'new/x': false, 'old/x': false };
    expect(inWords(await since(root, known))).toEqual(['new/x gone known']);
  });

  it('never lie outside the workspace, and name each file once', async () => {
    const root = tempFolder({ 'a.ts': 'a' });
    const known = { '../other': true, '/etc/hosts': true, './a.ts': false, 'a.ts': true };
    expect(inWords(await since(root, known))).toEqual(['a.ts known']);
  });

  it('are a minimum if there are more files than the search may check', async () => {
    const root = tempFolder({ a: '', b: '', c: '' });
    const found = await since(root, { c: false }, { ...NO_BOUNDS, files: 2 });
    expect(found).toMatchObject({ ok: true, isAll: false });
    expect(inWords(found)).toEqual(['c known', 'a', 'b']);
  });

  it('are unknown if the search takes too long', async () => {
    const root = tempFolder({ a: '' });
    expect(await since(root, {}, { ...NO_BOUNDS, ms: 0 })).toEqual({
      ok: false,
      message: 'the search took longer than 0 seconds',
    });
  });
});

describe('the changes in a repository', () => {
  it('are files written since that differ from the commit of that time', async () => {
    const root = repository({ 'same.ts': 's', 'a.ts': 'a', 'b.ts': 'b', 'c.ts': 'c' });
    writeFileSync(join(root, 'a.ts'), 'changed');
    writeFileSync(join(root, 'same.ts'), 's');
    writeFileSync(join(root, 'new.ts'), 'n');
    git(root, 10, 'rm', '--quiet', 'b.ts');
    git(root, 10, 'commit', '--quiet', '-m', 'second');
    const found = await since(root, { 'a.ts': false, 'same.ts': false });
    expect(found).toMatchObject({ ok: true, by: 'git', isAll: true });
    expect(inWords(found)).toEqual(['a.ts known', 'b.ts gone', 'new.ts']);
  });

  it('include an edit of the agent that was undone', async () => {
    const root = repository({ 'a.ts': 'a' });
    writeFileSync(join(root, 'a.ts'), 'a');
    expect(inWords(await since(root, { 'a.ts': true }))).toEqual(['a.ts known']);
  });

  it('omit files committed since that existed unchanged before', async () => {
    const root = repository({ 'a.ts': 'a' });
    writeFileSync(join(root, 'a.ts'), 'edited before');
    age(root, 40, 'a.ts');
    git(root, 10, 'commit', '--quiet', '-am', 'second');
    expect(inWords(await since(root))).toEqual([]);
  });

  it('ignore different line ends', async () => {
    const root = repository({ 'a.ts': 'a\nb\n' });
    writeFileSync(join(root, 'a.ts'), 'a\r\nb\r\n');
    expect(inWords(await since(root))).toEqual([]);
  });

  it('are searched for only below the open folder', async () => {
    const root = repository({ 'sub/a.ts': 'a', 'other/b.ts': 'b' });
    writeFileSync(join(root, 'sub/a.ts'), 'new');
    writeFileSync(join(root, 'other/b.ts'), 'new');
    const found = await since(join(root, 'sub'));
    expect([found.ok && found.by, inWords(found)]).toEqual(['git', ['a.ts']]);
  });

  it('do not include files that a sparse checkout omits', async () => {
    const root = repository({ 'in/a.ts': 'a', 'out/b.ts': 'b' });
    git(root, 10, 'update-index', '--refresh');
    git(root, 10, 'sparse-checkout', 'set', 'in');
    expect(existsSync(join(root, 'out/b.ts'))).toBe(false);
    expect(inWords(await since(root))).toEqual([]);
  });

  it('are found by file times if the repository is younger than the session', async () => {
    const root = tempFolder({ 'a.ts': 'a' });
    git(root, 5, 'init', '--quiet');
    git(root, 5, 'add', '.');
    git(root, 5, 'commit', '--quiet', '-m', 'first');
    expect(await since(root)).toMatchObject({ ok: true, by: 'times' });
  });

  it('are found without running anything from the repository: no hook, monitor or filter', async () => {
    const root = repository({ 'a.ts': 'a', '.gitattributes': '* filter=evil diff=evil\n' });
    const ran = join(tempFolder(), 'ran');
    const evil = join(root, '.git', 'evil.sh');
    writeFileSync(evil, `#!/bin/sh\necho "$0 $@" >> ${ran}\ncat\n`);
    chmodSync(evil, 0o755);
    for (const [name, value] of [
      ['core.fsmonitor', evil],
      ['core.hooksPath', join(root, '.git')],
      ['filter.evil.clean', evil],
      ['filter.evil.smudge', evil],
      ['filter.evil.process', evil],
      ['diff.evil.textconv', evil],
      ['diff.external', evil],
      ['core.pager', evil],
      ['core.sshCommand', evil],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.url', `ext::${evil}`],
      ['protocol.ext.allow', 'always'],
    ]) {
      git(root, 1, 'config', name!, value!);
    }
    for (const hook of ['post-index-change', 'post-checkout', 'fsmonitor-watchman']) {
      writeFileSync(join(root, '.git', hook), readFileSync(evil), { mode: 0o755 });
    }
    writeFileSync(join(root, 'a.ts'), 'changed');
    const index = readFileSync(join(root, '.git', 'index'));
    expect(inWords(await since(root))).toEqual(['a.ts']);
    expect(existsSync(ran)).toBe(false);
    expect(readFileSync(join(root, '.git', 'index'))).toEqual(index);
    // Git as a user starts it would have run it.
    git(root, 1, 'status');
    expect(existsSync(ran)).toBe(true);
  });

  it('are found without fetching missing content', async () => {
    const root = repository({ 'a.ts': 'a' });
    const ran = join(tempFolder(), 'ran');
    const evil = join(root, '.git', 'evil.sh');
    writeFileSync(evil, `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
    const tree = git(root, 1, 'rev-parse', 'HEAD^{tree}').trim();
    git(root, 1, 'config', 'core.repositoryformatversion', '1');
    git(root, 1, 'config', 'extensions.partialClone', 'origin');
    git(root, 1, 'config', 'remote.origin.promisor', 'true');
    git(root, 1, 'config', 'remote.origin.url', `ext::${evil}`);
    git(root, 1, 'config', 'protocol.ext.allow', 'always');
    rmSync(join(root, '.git', 'objects', tree.slice(0, 2), tree.slice(2)), { force: true });
    writeFileSync(join(root, 'a.ts'), 'changed');
    expect(await since(root)).toMatchObject({ ok: true, by: 'times' });
    expect(existsSync(ran)).toBe(false);
    expect(() => git(root, 1, 'ls-tree', '-r', 'HEAD')).toThrow();
    expect(existsSync(ran)).toBe(true);
  });
});

describe('git itself', () => {
  it('is found on the PATH, but never in the workspace or by a relative entry', () => {
    const root = tempFolder();
    const outside = tempFolder();
    for (const folder of [root, outside]) {
      writeFileSync(join(folder, 'git'), '', { mode: 0o755 });
    }
    expect(findGit(oneFolder(root), `${root}:.:${outside}`)).toBe(join(outside, 'git'));
    expect(findGit(oneFolder(root), `${root}:.:`)).toBeUndefined();
  });
});
