import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import { createFile } from '../../src/tools/files/createFile';
import { editFile } from '../../src/tools/files/editFile';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { rememberTool } from '../../src/tools/remember';
import { call, errorOf, prepare } from './support/callTool';
import { tempFolder } from './support/tempFolder';

const remember = rememberTool(false);

const PATH = '.plimsoll/memory.md';
const memoryOf = (root: string) => readFileSync(join(root, PATH), 'utf8');

describe('remember', () => {
  it('asks with the file before and after', async () => {
    const root = tempFolder({ [PATH]: '- One.\n' });
    expect((await prepare(remember, { text: 'Two.' }, root)).approval).toEqual({
      kind: 'edit',
      path: PATH,
      before: '- One.\n',
      after: '- One.\n- Two.\n',
      lasting: expect.stringContaining('Every later agent session in this project'),
    });
    expect((await prepare(remember, { text: 'One.' }, tempFolder())).approval).toMatchObject({
      before: undefined,
    });
  });

  it('appends a line, creates the file, and keeps its line breaks', async () => {
    const root = tempFolder();
    expect(await call(remember, { text: '  - Use tabs. ' }, root)).toEqual({
      text: 'Remembered in .plimsoll/memory.md.',
      isError: false,
      remembered: { path: PATH, before: undefined, after: '- Use tabs.\n' },
    });
    await call(remember, { text: 'Test with npm.' }, root);
    expect(memoryOf(root)).toBe('- Use tabs.\n- Test with npm.\n');
    const windows = tempFolder({ [PATH]: '- One.\r\n- Two.' });
    await call(remember, { text: 'Three.' }, windows);
    expect(memoryOf(windows)).toBe('- One.\r\n- Two.\r\n- Three.\r\n');
  });

  it('refuses a second line, control characters and invisible text', async () => {
    const root = tempFolder();
    for (const text of [
      'a\nb',
      'a\rb',
      'a\u2028b',
      'a\u001bb',
      'a\u202eb',
      'a\u{e0041}b',
      '\ud800',
    ]) {
      expect(await errorOf(remember, { text }, root)).toContain('must be one line');
    }
    for (const text of ['', '  ', '- ']) {
      expect(await errorOf(remember, { text }, root)).toContain('text is empty');
    }
    expect(await errorOf(remember, { text: 'x'.repeat(501) }, root)).toContain('"text": Too big');
  });

  it('writes nothing and asks no one if the line already exists', async () => {
    const root = tempFolder({ [PATH]: '- One.\n' });
    expect((await prepare(remember, { text: 'One.' }, root)).approval).toBeUndefined();
    expect((await call(remember, { text: 'One.' }, root)).text).toContain('already says so');
    expect(memoryOf(root)).toBe('- One.\n');
  });

  it('refuses a line too far down for any session to read', async () => {
    const root = tempFolder({ [PATH]: `${'x'.repeat(23_995)}\n` });
    expect(await errorOf(remember, { text: 'One.' }, root)).toContain('the first 24000');
  });

  it('writes nothing if the file changed while the user was asked', async () => {
    const root = tempFolder({ [PATH]: '- One.\n' });
    const prepared = await prepare(remember, { text: 'Two.' }, root);
    writeFileSync(join(root, PATH), '- Mine.\n');
    const output = await prepared.run(new AbortController().signal, () => {});
    expect(output).toMatchObject({ isError: true, text: expect.stringContaining('just changed') });
    expect(memoryOf(root)).toBe('- Mine.\n');
  });

  it('follows no link out of the workspace, and none to another file in it', async () => {
    const outside = tempFolder({ 'memory.md': 'theirs' });
    const root = tempFolder({ 'src/a.js': 'x' });
    symlinkSync(outside, join(root, '.plimsoll'));
    expect(await errorOf(remember, { text: 'One.' }, root)).toContain('symbolic link');
    const inner = tempFolder({ '.git/hooks/pre-commit': 'x' });
    mkdirSync(join(inner, '.plimsoll'));
    symlinkSync('../.git/hooks/pre-commit', join(inner, PATH));
    expect(await errorOf(remember, { text: 'One.' }, inner)).toContain('is protected');
  });
});

describe('the memory file', () => {
  it('is not written by the general tools', async () => {
    const root = tempFolder({ [PATH]: '- One.\n' });
    const edit = { path: PATH, old_text: 'One.', new_text: 'Two.' };
    expect(await errorOf(editFile, edit, root)).toContain('add a line to it with remember');
    const create = { path: PATH, content: '- Two.' };
    expect(await errorOf(createFile, create, tempFolder())).toContain(
      'add a line to it with remember',
    );
    symlinkSync(PATH, join(root, 'notes.md'));
    expect(await errorOf(editFile, { ...edit, path: 'notes.md' }, root)).toContain('is protected');
    expect(memoryOf(root)).toBe('- One.\n');
  });

  it('is the only file in .plimsoll that is ever written', async () => {
    const workspace = makeNodeWorkspace({ folders: oneFolder(tempFolder()) });
    expect((await workspace.writeFile(PATH, '- One.\n', 'create')).ok).toBe(true);
    expect((await workspace.writeFile('.plimsoll/other.md', 'x', 'create')).ok).toBe(false);
  });
});
