import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import type { Workspace } from '../../src/agent/workspace';
import { deleteFile } from '../../src/tools/files/deleteFile';
import { moveFile } from '../../src/tools/files/moveFile';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { call, errorOf, prepare } from './support/callTool';
import { tempFolder } from './support/tempFolder';

const FILES = { 'src/a.js': 'one\ntwo\n', 'b.txt': 'b\n' };

function dirty(root: string): Workspace {
  const readFile = () => Promise.resolve({ ok: true, text: 'typed', unsaved: true } as const);
  return { ...makeNodeWorkspace({ folders: oneFolder(root) }), readFile };
}

describe('move_file', () => {
  it('moves a file, creating folders as needed, once the user approved', async () => {
    const root = tempFolder(FILES);
    const input = { path: 'src/a.js', to: 'lib/deep/a.mjs' };
    const { approval } = await prepare(moveFile, input, root);
    expect(approval).toEqual({ kind: 'move', path: 'src/a.js', to: 'lib/deep/a.mjs' });
    expect(existsSync(join(root, 'src/a.js'))).toBe(true);
    expect((await call(moveFile, input, root)).text).toBe('Moved src/a.js to lib/deep/a.mjs.');
    expect(readFileSync(join(root, 'lib/deep/a.mjs'), 'utf8')).toBe('one\ntwo\n');
    expect(existsSync(join(root, 'src/a.js'))).toBe(false);
  });

  it('overwrites nothing, including a file created after the question', async () => {
    const root = tempFolder(FILES);
    const taken = { path: 'src/a.js', to: 'b.txt' };
    expect(await errorOf(moveFile, taken, root)).toBe('b.txt already exists; nothing was moved.');
    const prepared = await prepare(moveFile, { path: 'src/a.js', to: 'c.txt' }, root);
    writeFileSync(join(root, 'c.txt'), 'new');
    const { isError } = await prepared.run(new AbortController().signal, () => {});
    expect(isError).toBe(true);
    expect(readFileSync(join(root, 'c.txt'), 'utf8')).toBe('new');
    expect(existsSync(join(root, 'src/a.js'))).toBe(true);
  });

  it('says what either path does beyond the session', async () => {
    const root = tempFolder({
      ...FILES,
      'package.json': '{"scripts":{"x":"y"}}',
      'p/package.json': '{}',
    });
    const lastingOf = async (path: string, to: string) =>
      ((await prepare(moveFile, { path, to }, root)).approval as { lasting?: string }).lasting;
    expect(await lastingOf('b.txt', 'AGENTS.md')).toContain('Every later agent session');
    expect(await lastingOf('package.json', 'old.json')).toContain('builds, tests or installs');
    expect(await lastingOf('p/package.json', 'old.json')).toBeUndefined();
  });
});

describe('delete_file', () => {
  it('deletes a file once the user approved, with its text in the question', async () => {
    const root = tempFolder(FILES);
    const prepared = await prepare(deleteFile, { path: 'src/a.js' }, root);
    expect(prepared.approval).toEqual({ kind: 'delete', path: 'src/a.js', before: 'one\ntwo\n' });
    writeFileSync(join(root, 'src/a.js'), 'changed');
    const run = () => prepared.run(new AbortController().signal, () => {});
    expect((await run()).text).toBe(
      'src/a.js was not deleted: it has changed since the user was asked.',
    );
    writeFileSync(join(root, 'src/a.js'), 'one\ntwo\n');
    expect(await run()).toEqual({ text: 'Deleted src/a.js permanently.', isError: false });
    expect(existsSync(join(root, 'src/a.js'))).toBe(false);
  });

  it('deletes a file that is not text without showing its content', async () => {
    const root = tempFolder();
    writeFileSync(join(root, 'a.bin'), Buffer.from([0, 1, 2, 255]));
    const prepared = await prepare(deleteFile, { path: 'a.bin' }, root);
    expect(prepared.approval).toEqual({ kind: 'delete', path: 'a.bin' });
    expect((await call(deleteFile, { path: 'a.bin' }, root)).isError).toBe(false);
  });
});

describe.each([
  ['move_file', moveFile, { to: 'new.txt' }],
  ['delete_file', deleteFile, {}],
])('%s', (_, tool, more) => {
  it('refuses folders, links, protected files and files outside', async () => {
    const root = tempFolder({ ...FILES, '.git/config': 'x', '.plimsoll/memory.md': 'x' });
    symlinkSync(join(root, 'b.txt'), join(root, 'link.txt'));
    mkdirSync(join(root, 'folder'));
    const refusal = (path: string) => errorOf(tool, { path, ...more }, root);
    expect(await refusal('folder')).toContain('is a folder');
    expect(await refusal('link.txt')).toContain('is a symbolic link');
    expect(await refusal('none.txt')).toBe('none.txt does not exist.');
    expect(await refusal('.git/config')).toContain('is protected');
    expect(await refusal('.plimsoll/memory.md')).toContain('is protected');
    expect(await refusal('../x')).toContain('outside the workspace');
  });

  it('refuses a file with unsaved changes', async () => {
    const where = dirty(tempFolder(FILES));
    expect(await errorOf(tool, { path: 'b.txt', ...more }, where)).toContain('unsaved changes');
  });
});
