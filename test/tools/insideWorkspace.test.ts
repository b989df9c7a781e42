import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import { createFile } from '../../src/tools/files/createFile';
import { editFile } from '../../src/tools/files/editFile';
import { editablePath, insideWorkspace } from '../../src/tools/files/insideWorkspace';
import { listFiles } from '../../src/tools/search/listFiles';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { readFile } from '../../src/tools/files/readFile';
import { searchText } from '../../src/tools/search/searchText';
import { call, errorOf } from './support/callTool';
import { tempFolder } from './support/tempFolder';

/** A workspace with links of every kind, next to a folder outside it. */
function workspaceWithLinks() {
  const top = tempFolder({
    'outside/secret.txt': 'secret',
    'w/src/a.js': 'a',
    'w/.git/config': '',
  });
  const root = join(top, 'w');
  const outside = join(top, 'outside');
  symlinkSync(join(outside, 'secret.txt'), join(root, 'file-link'));
  symlinkSync(outside, join(root, 'folder-link'));
  symlinkSync(join(outside, 'not-there-yet.txt'), join(root, 'dangling'));
  symlinkSync('loop', join(root, 'loop'));
  symlinkSync('.git', join(root, 'innocent'));
  symlinkSync('src', join(root, 'source'));
  return { top, root, outside };
}

describe('a path in the workspace', () => {
  it('is returned relative to the root, with forward slashes', async () => {
    const { root } = workspaceWithLinks();
    expect(await insideWorkspace(oneFolder(root), './src/../src//a.js')).toMatchObject({
      ok: true,
      path: 'src/a.js',
      kind: 'file',
    });
    expect(await insideWorkspace(oneFolder(root), '.')).toMatchObject({
      path: '.',
      kind: 'folder',
    });
    expect(await insideWorkspace(oneFolder(root), join(root, 'src'))).toMatchObject({
      path: 'src',
    });
    expect(await insideWorkspace(oneFolder(root), 'new/deep/file.js')).toMatchObject({
      path: 'new/deep/file.js',
      kind: 'missing',
    });
    expect(await insideWorkspace(oneFolder(root), 'source/a.js')).toMatchObject({
      path: 'source/a.js',
      target: 'src/a.js',
      kind: 'file',
    });
    expect(await insideWorkspace(oneFolder(root), '..hidden')).toMatchObject({ path: '..hidden' });
  });

  it('may lead through a link to the root', async () => {
    const { top, root } = workspaceWithLinks();
    symlinkSync(root, join(top, 'alias'));
    expect(
      await insideWorkspace(oneFolder(join(top, 'alias')), join(root, 'src/a.js')),
    ).toMatchObject({
      path: 'src/a.js',
      kind: 'file',
    });
  });

  it.each([
    ['..', 'is outside'],
    ['../outside/secret.txt', 'is outside'],
    ['src/../../outside/secret.txt', 'is outside'],
    ['/etc/passwd', 'is outside'],
    ['file-link', 'through a symbolic link'],
    ['folder-link/secret.txt', 'through a symbolic link'],
    ['folder-link/new.txt', 'through a symbolic link'],
    ['folder-link/new/deep.txt', 'through a symbolic link'],
    ['dangling', 'leads nowhere'],
    ['dangling/below', 'leads nowhere'],
    ['loop', 'leads nowhere'],
    ['src/a.js\0.png', 'contains ⟨NUL⟩, which is invisible'],
    ['src/a\nb.js', '"src/a⟨LF⟩b.js" contains ⟨LF⟩'],
    ['src/\u001B[31ma.js', 'contains ⟨ESC⟩'],
    ['src/\u202Esj.a', 'contains ⟨U+202E⟩'],
    ['src/a\u200B.js', 'contains ⟨U+200B⟩'],
    ['src/a\u2028.js', 'contains ⟨U+2028⟩'],
    ['src/a\uD800.js', 'contains ⟨U+D800⟩'],
    ['C:\\Windows\\win.ini', 'names a drive'],
    ['c:secret.txt', 'names a drive'],
    ['~/.ssh/id_rsa', 'home folder'],
    ['~', 'home folder'],
    ['', 'names no file'],
  ])('is never %j', async (path, why) => {
    const { root } = workspaceWithLinks();
    const inside = await insideWorkspace(oneFolder(root), path);
    expect(inside).toMatchObject({ ok: false, message: expect.stringContaining(why) });
  });

  it('is not in a sibling folder whose name begins like the root', async () => {
    const { top, root } = workspaceWithLinks();
    mkdirSync(join(top, 'w2'));
    expect(await insideWorkspace(oneFolder(root), join(top, 'w2'))).toMatchObject({ ok: false });
  });
});

describe('a protected path', () => {
  it.each([
    '.git/config',
    '.GIT/config',
    '.git',
    '.git./config',
    '.git /config',
    'git~1/config',
    '.git::$INDEX_ALLOCATION/config',
    'sub/.git/hooks/pre-commit',
    '.vscode/settings.json',
    '.VSCode/tasks.json',
    '.plimsoll/settings.json',
    '.Plimsoll/memory.md',
    'innocent/config',
  ])('is not edited: %s', async (path) => {
    const { root } = workspaceWithLinks();
    expect(await editablePath(oneFolder(root), path)).toMatchObject({
      ok: false,
      message: expect.stringContaining('is protected'),
    });
  });

  it('is not recognised by mere similarity', async () => {
    const { root } = workspaceWithLinks();
    for (const path of ['.gitignore', '.github/workflows/ci.yml', 'src/.git.js', '.vscodeignore']) {
      expect(await editablePath(oneFolder(root), path)).toMatchObject({ ok: true, path });
    }
  });

  it('may be read', async () => {
    const root = tempFolder({ '.vscode/settings.json': '{}' });
    expect((await call(readFile, { path: '.vscode/settings.json' }, root)).isError).toBe(false);
  });
});

describe('no tool', () => {
  it('reads outside the workspace', async () => {
    const { root } = workspaceWithLinks();
    for (const path of ['../outside/secret.txt', 'file-link', 'folder-link/secret.txt']) {
      expect(await errorOf(readFile, { path }, root)).not.toContain('1\tsecret');
      expect(await errorOf(searchText, { pattern: 's', path }, root)).toContain('workspace');
      expect(await makeNodeWorkspace({ folders: oneFolder(root) }).readFile(path)).toMatchObject({
        ok: false,
      });
    }
    expect(await errorOf(listFiles, { path: '..' }, root)).toContain('outside the workspace');
    expect(await errorOf(listFiles, { path: 'folder-link' }, root)).toContain('symbolic link');
  });

  it('follows links while it walks', async () => {
    const { root } = workspaceWithLinks();
    expect((await call(searchText, { pattern: 'secret' }, root)).text).toContain('No matches');
    expect((await call(listFiles, {}, root)).text).toBe('1 file in the workspace:\nsrc/a.js');
  });

  it('creates, edits or reads a file with invisible characters in its name', async () => {
    const root = tempFolder({ 'a\u202E.js': 'a' });
    for (const path of ['a\u202E.js', 'b\n.js']) {
      const edit = { path, old_text: 'a', new_text: 'b' };
      expect(await errorOf(createFile, { path, content: 'x' }, root)).toContain('invisible');
      expect(await errorOf(editFile, edit, root)).toContain('invisible');
      expect(await errorOf(readFile, { path }, root)).toContain('invisible');
      expect(await errorOf(searchText, { pattern: 'a', path }, root)).toContain('invisible');
    }
    expect(readdirSync(root)).toEqual(['a\u202E.js']);
    expect(readFileSync(join(root, 'a\u202E.js'), 'utf8')).toBe('a');
  });

  it('writes outside the workspace or into .git and .vscode', async () => {
    const { root, outside } = workspaceWithLinks();
    const targets = [
      '../outside/new.txt',
      'folder-link/new.txt',
      'dangling',
      '.git/hooks/pre-commit',
      '.vscode/tasks.json',
    ];
    for (const path of targets) {
      expect(await call(createFile, { path, content: 'x' }, root)).toMatchObject({ isError: true });
      expect(
        await makeNodeWorkspace({ folders: oneFolder(root) }).writeFile(path, 'x', 'create'),
      ).toMatchObject({
        ok: false,
      });
    }
    const edit = { old_text: 'secret', new_text: 'x' };
    expect(await errorOf(editFile, { path: 'file-link', ...edit }, root)).toContain('link');
    expect(readdirSync(outside)).toEqual(['secret.txt']);
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
    expect(readdirSync(join(root, '.git'))).toEqual(['config']);
  });

  it('follows a folder that became a link after the call was approved', async () => {
    const { root, outside } = workspaceWithLinks();
    const workspace = makeNodeWorkspace({ folders: oneFolder(root) });
    const preparation = await createFile.prepare(
      { path: 'later/new.txt', content: 'x' },
      { workspace, window: {} as never, state: {} },
    );
    symlinkSync(outside, join(root, 'later'));
    if (!preparation.ok) throw new Error(preparation.message);
    const output = await preparation.call.run(new AbortController().signal, () => {});
    expect(output).toMatchObject({ isError: true, text: expect.stringContaining('symbolic link') });
    expect(readdirSync(outside)).toEqual(['secret.txt']);
  });

  it('replaces a link inside the workspace when it edits the target', async () => {
    const { root } = workspaceWithLinks();
    writeFileSync(join(root, 'src/a.js'), 'old');
    await call(editFile, { path: 'source/a.js', old_text: 'old', new_text: 'new' }, root);
    expect(readFileSync(join(root, 'src/a.js'), 'utf8')).toBe('new');
    expect(readdirSync(join(root, 'source'))).toEqual(['a.js']);
  });
});
