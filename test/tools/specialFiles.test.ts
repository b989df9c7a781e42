import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import type { Tool } from '../../src/agent/tool';
import { createFile } from '../../src/tools/files/createFile';
import { deleteFile } from '../../src/tools/files/deleteFile';
import { moveFile } from '../../src/tools/files/moveFile';
import { editFile } from '../../src/tools/files/editFile';
import { listFiles } from '../../src/tools/search/listFiles';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { makeProfile } from '../../src/tools/files/nodeProfile';
import { makeProjectMemory } from '../../src/tools/files/nodeProjectMemory';
import { readFile } from '../../src/tools/files/readFile';
import { readRegularFile, withRegularFile } from '../../src/tools/files/fileOnDisk';
import { rememberTool } from '../../src/tools/remember';
import { findRipgrep } from '../../src/tools/search/ripgrep';
import { searchText } from '../../src/tools/search/searchText';
import { FAR_TOO_LONG_CPU_MS, ticking } from '../support/ticking';
import { call, errorOf, type Input } from './support/callTool';
import { installedRipgrep } from './support/installedRipgrep';
import { tempFolder } from './support/tempFolder';

const isUnix = process.platform !== 'win32';
const rg = installedRipgrep();

/** A folder of things that no tool may open: reading the pipe would wait forever. */
async function special(): Promise<string> {
  const root = tempFolder({ 'a.txt': 'a needle\n' });
  execFileSync('mkfifo', ['pipe', 'pipe.png', '.gitignore', 'AGENTS.md'], { cwd: root });
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(join(root, 'socket'), resolve));
  mkdirSync(join(root, '.plimsoll'));
  execFileSync('mkfifo', [join(root, '.plimsoll', 'memory.md')]);
  return root;
}

describe.skipIf(!isUnix)('a pipe or socket', () => {
  const remember = rememberTool(false);
  const edit = { old_text: 'a', new_text: 'b' };
  it.each<[string, Tool, Input, string]>([
    ['read', readFile, { path: 'pipe' }, 'not a regular file'],
    ['looked at', readFile, { path: 'pipe.png' }, 'not a regular file'],
    ['read', readFile, { path: 'socket' }, 'not a regular file'],
    ['edited', editFile, { path: 'pipe', ...edit }, 'not a file'],
    ['edited', editFile, { path: 'socket', ...edit }, 'not a file'],
    ['moved', moveFile, { path: 'pipe', to: 'x' }, 'not a file'],
    ['removed', deleteFile, { path: 'socket' }, 'not a file'],
    ['overwritten', createFile, { path: 'pipe', content: 'x' }, 'already exists'],
    ['listed', listFiles, { path: 'pipe' }, 'not a regular file'],
    ['searched', searchText, { pattern: 'x', path: 'pipe' }, 'not a regular file'],
    ['searched', searchText, { pattern: 'x', path: 'socket' }, 'not a regular file'],
    ['added to', remember, { text: 'x' }, 'not a file'],
  ])('is not %s: %o', async (_, tool, input, expected) => {
    const root = await special();
    const { value, cpuMs } = await ticking(() => errorOf(tool, input, root));
    expect(value).toContain(expected);
    expect(cpuMs).toBeLessThan(FAR_TOO_LONG_CPU_MS);
  });

  it('is skipped by searches and lists without ripgrep, also as a .gitignore', async () => {
    const workspace = makeNodeWorkspace({ folders: oneFolder(await special()), rgPath: undefined });
    if (findRipgrep(oneFolder('/none')) !== undefined) return;
    const found = await call(searchText, { pattern: 'needle' }, workspace);
    expect(found.text).toContain('a.txt:1:a needle');
    expect((await call(listFiles, {}, workspace)).text).toMatch(/1 file.*:\na\.txt$/s);
  });

  it.skipIf(rg === undefined)('is skipped by ripgrep', async () => {
    const root = tempFolder({ 'a.txt': 'a needle\n' });
    execFileSync('mkfifo', ['pipe'], { cwd: root });
    const workspace = makeNodeWorkspace({ folders: oneFolder(root), rgPath: rg });
    const found = await call(searchText, { pattern: 'needle' }, workspace);
    expect(found.text).toContain('a.txt:1:a needle');
  });

  it('is not read as memory or profile', async () => {
    const root = await special();
    const memory = await makeProjectMemory(makeNodeWorkspace({ folders: oneFolder(root) })).root();
    expect(memory.map((file) => ('problem' in file ? file.problem : file.path))).toEqual([
      'AGENTS.md is not a regular file.',
      '.plimsoll/memory.md is not a regular file.',
    ]);
    const profile = makeProfile({
      place: join(root, 'pipe'),
      home: '/',
      folders: oneFolder(tempFolder()),
    });
    expect(await profile?.read()).toMatchObject({ message: expect.stringContaining('regular') });
  });
});

describe.skipIf(!isUnix)('a file checked before reading', () => {
  it('is not read if it was replaced by a device, a link or a folder', async () => {
    const root = tempFolder({ 'a.txt': 'a\n' });
    symlinkSync('a.txt', join(root, 'link'));
    expect(await readRegularFile('/dev/zero', 10)).toBe('notRegular');
    expect(await readRegularFile('/dev/null', 10)).toBe('notRegular');
    expect(await readRegularFile(join(root, 'link'), 10)).toBe('notRegular');
    expect(await readRegularFile(root, 10)).toBe('notRegular');
    expect(String(await readRegularFile(join(root, 'a.txt'), 10))).toBe('a\n');
  });

  it('is not read if a folder above it was replaced by a link', async () => {
    const outside = tempFolder({ 'a.txt': 'secret\n' });
    const root = tempFolder({ 'sub/a.txt': 'a\n' });
    renameSync(join(root, 'sub'), join(root, 'was'));
    symlinkSync(outside, join(root, 'sub'));
    expect(await readRegularFile(join(root, 'sub', 'a.txt'), 10)).toBe('moved');
  });

  it('is read only up to the limit, even while it grows', async () => {
    const file = join(tempFolder({ 'a.txt': '12345' }), 'a.txt');
    expect(String(await readRegularFile(file, 5))).toBe('12345');
    expect(await readRegularFile(file, 4)).toBe('tooLarge');
    const grown = await withRegularFile(file, async (handle) => {
      writeFileSync(file, '1234567890');
      return String(await handle.readFile());
    });
    expect(grown).toBe('1234567890');
  });
});
