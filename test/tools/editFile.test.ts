import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import { createFile } from '../../src/tools/files/createFile';
import { editFile } from '../../src/tools/files/editFile';
import { editText } from '../../src/tools/files/editText';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { call, errorOf, prepare } from './support/callTool';
import { tempFolder } from './support/tempFolder';

const PATH = 'src/a.js';

async function edited(text: string, oldText: string, newText: string, replaceAll?: boolean) {
  const root = tempFolder({ [PATH]: text });
  const input = {
    path: PATH,
    old_text: oldText,
    new_text: newText,
    ...(replaceAll === undefined ? {} : { replace_all: replaceAll }),
  };
  const output = await call(editFile, input, root);
  return { ...output, file: readFileSync(join(root, PATH), 'utf8') };
}

describe('edit_file', () => {
  it('says in its question that the file has unsaved changes', async () => {
    const disk = makeNodeWorkspace({ folders: oneFolder(tempFolder({ [PATH]: 'saved' })) });
    const input = { path: PATH, old_text: 'typed', new_text: 'new' };
    const readFile = () => Promise.resolve({ ok: true, text: 'typed', unsaved: true } as const);
    const dirty = await prepare(editFile, input, { ...disk, readFile });
    expect(dirty.approval).toMatchObject({ before: 'typed', unsaved: true });
    const saved = await prepare(editFile, { ...input, old_text: 'saved' }, disk);
    expect(saved.approval).not.toHaveProperty('unsaved');
  });

  it('replaces text that occurs once and says where', async () => {
    expect(await edited('one\ntwo\nthree\n', 'two', 'TWO')).toEqual({
      text: 'Edited src/a.js: 1 replacement, on line 2.',
      isError: false,
      file: 'one\nTWO\nthree\n',
    });
  });

  it('removes text if new_text is empty, and treats $ and \\ literally', async () => {
    expect((await edited('a b c', ' b', '')).file).toBe('a c');
    expect((await edited('price', 'price', '$& $1 \\n')).file).toBe('$& $1 \\n');
  });

  it('refuses text that occurs several times and names the lines', async () => {
    expect(await edited('x\ny\nx\nx\n', 'x', 'z')).toEqual({
      text:
        'src/a.js was not edited: old_text occurs 3 times, on lines 1, 3, 4. ' +
        'Add lines around it until it is unique, or set replace_all.',
      isError: true,
      file: 'x\ny\nx\nx\n',
    });
    expect((await edited('x\n'.repeat(12), 'x', 'z')).text).toContain('9, 10 and 2 more');
  });

  it('counts overlapping occurrences as several, and replaces them one after the other', async () => {
    expect((await edited('aaa', 'aa', 'b')).text).toContain('occurs 2 times');
    expect((await edited('aaa', 'aa', 'b', true)).file).toBe('ba');
  });

  it('replaces every occurrence with replace_all', async () => {
    expect(await edited('x\ny\nx\n', 'x', 'z', true)).toMatchObject({
      text: 'Edited src/a.js: 2 replacements, the first on line 1.',
      file: 'z\ny\nz\n',
    });
  });

  it('keeps the line breaks of a file that uses \\r\\n', async () => {
    expect(await edited('one\r\ntwo\r\nthree\r\n', 'one\ntwo\n', 'ONE\nand\nTWO\n')).toMatchObject({
      file: 'ONE\r\nand\r\nTWO\r\nthree\r\n',
      isError: false,
    });
    expect((await edited('one\r\ntwo\r\n', 'two', 'two\nthree')).file).toBe(
      'one\r\ntwo\r\nthree\r\n',
    );
    expect((await edited('one\r\ntwo\r\n', '\ntwo', '\nTWO')).file).toBe('one\r\nTWO\r\n');
  });

  it('keeps mixed line breaks unchanged around the edit', async () => {
    expect((await edited('a\r\nb\nc\r\n', 'b\nc', 'B\nC')).file).toBe('a\r\nB\nC\r\n');
    expect((await edited('a\nb\nc\r\n', 'a\nb', 'A\nB')).file).toBe('A\nB\nc\r\n');
  });

  it('keeps a byte order mark', async () => {
    expect((await edited('\uFEFFone\n', 'one', 'two')).file).toBe('\uFEFFtwo\n');
  });

  it('explains differences in whitespace', async () => {
    const file = 'function f() {\n\treturn  1;\n}\n';
    expect((await edited(file, '  return 1;', 'x')).text).toBe(
      'src/a.js was not edited: old_text was not found. It differs only in whitespace from line 2; ' +
        'the file has exactly:\n\treturn  1;',
    );
    expect((await edited(file, 'function f() {\n  return 1;\n}', 'x')).text).toContain(
      'only in whitespace from lines 1-3; the file has exactly:\nfunction f() {\n\treturn  1;\n}',
    );
  });

  it('explains pasted line numbers', async () => {
    expect((await edited('one\ntwo\n', '1\tone\n2\ttwo', 'x')).text).toContain(
      'without the line numbers',
    );
  });

  it('says where the first line is if the rest differs, and which line is closest', async () => {
    expect((await edited('a = 1;\nb = 2;\n', 'a = 1;\nc = 3;', 'x')).text).toContain(
      'Its first line is line 1, but from line 2 on the file differs; it has:\na = 1;\nb = 2;',
    );
    const file = 'const tonnes = limit(draft);\nreturn tonnes;\n';
    expect((await edited(file, 'const tonnes = limits(draught);', 'x')).text).toContain(
      'The closest line is line 1:\nconst tonnes = limit(draft);',
    );
    expect((await edited(file, 'zzz', 'x')).text).toContain('The file has nothing similar');
  });

  it('says that the edit may have been made before', async () => {
    expect((await edited('one\nnew code\n', 'old code', 'new code')).text).toContain(
      'new_text is already there, on line 2',
    );
  });

  it('refuses an edit of nothing, and one that changes nothing', async () => {
    expect((await edited('a', '', 'b')).text).toContain('old_text is empty');
    expect((await edited('a', 'a', 'a')).text).toContain('old_text and new_text are the same');
  });

  it('asks with the text before and after, and changes nothing until it runs', async () => {
    const root = tempFolder({ [PATH]: 'one\r\n' });
    const input = { path: PATH, old_text: 'one', new_text: 'two' };
    const prepared = await prepare(editFile, input, root);
    expect(prepared.approval).toEqual({
      kind: 'edit',
      path: PATH,
      before: 'one\r\n',
      after: 'two\r\n',
    });
    expect(prepared.action).toBe('The edit of src/a.js');
    expect(readFileSync(join(root, PATH), 'utf8')).toBe('one\r\n');
  });

  it('does not overwrite a change made while the user was asked', async () => {
    const root = tempFolder({ [PATH]: 'one\ntwo\n' });
    const prepared = await prepare(editFile, { path: PATH, old_text: 'one', new_text: 'x' }, root);
    writeFileSync(join(root, PATH), 'one\nTWO\n');
    expect(await prepared.run(new AbortController().signal, () => {})).toEqual({
      text: 'src/a.js was not edited: it has changed since this edit was prepared. Read it again.',
      isError: true,
    });
    expect(readFileSync(join(root, PATH), 'utf8')).toBe('one\nTWO\n');
  });

  it('keeps the mode of the file and leaves no other file behind', async () => {
    const root = tempFolder({ 'run.sh': 'echo one\n' });
    chmodSync(join(root, 'run.sh'), 0o751);
    await call(editFile, { path: 'run.sh', old_text: 'one', new_text: 'two' }, root);
    expect(statSync(join(root, 'run.sh')).mode & 0o777).toBe(0o751);
    expect(readdirSync(root)).toEqual(['run.sh']);
  });

  it('refuses a file that is not text', async () => {
    const root = tempFolder({ 'a.bin': Buffer.from([0, 1]) });
    const edit = { old_text: 'a', new_text: 'b' };
    expect(await errorOf(editFile, { path: 'b.js', ...edit }, root)).toContain('create_file');
    expect(await errorOf(editFile, { path: '.', ...edit }, root)).toBe('. is not a file.');
    expect(await errorOf(editFile, { path: 'a.bin', ...edit }, root)).toContain('binary');
  });

  it('replaces like String.replaceAll if there are only plain line breaks', () => {
    const word = fc.constantFrom('a', 'b', 'aa', ' ', '\n', '$&');
    const words = fc.array(word, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(words, words, words, (text, oldText, newText) => {
        const result = editText(text, { oldText, newText, replaceAll: true });
        const possible = oldText !== '' && oldText !== newText && text.includes(oldText);
        expect(result.ok).toBe(possible);
        if (result.ok) expect(result.after).toBe(text.split(oldText).join(newText));
      }),
    );
  });

  it('changes a file in the same way, whatever its line breaks', () => {
    const words = fc
      .array(fc.constantFrom('a', 'b', '\n'), { maxLength: 30 })
      .map((parts) => parts.join(''));
    const windows = (text: string) => text.replaceAll('\n', '\r\n');
    fc.assert(
      fc.property(words, words, words, (text, oldText, newText) => {
        fc.pre(text.includes('\n'));
        const plain = editText(text, { oldText, newText, replaceAll: true });
        const other = editText(windows(text), { oldText, newText, replaceAll: true });
        expect(other.ok).toBe(plain.ok);
        if (plain.ok && other.ok) {
          expect(other).toEqual({ ...plain, after: windows(plain.after) });
        }
      }),
    );
  });
});

describe('create_file', () => {
  it('creates a file and its folders, after asking', async () => {
    const root = tempFolder();
    const input = { path: 'src/new/a.js', content: 'one\ntwo\n' };
    const prepared = await prepare(createFile, input, root);
    expect(prepared.approval).toEqual({
      kind: 'edit',
      path: 'src/new/a.js',
      before: undefined,
      after: 'one\ntwo\n',
    });
    expect(prepared.action).toBe('The creation of src/new/a.js');
    expect(readdirSync(root)).toEqual([]);
    expect(await call(createFile, input, root)).toEqual({
      text: 'Created src/new/a.js (2 lines).',
      isError: false,
    });
    expect(readFileSync(join(root, 'src/new/a.js'), 'utf8')).toBe('one\ntwo\n');
    expect(readdirSync(join(root, 'src/new'))).toEqual(['a.js']);
  });

  it('refuses to overwrite, even a file that appeared while the user was asked', async () => {
    const root = tempFolder({ 'a.js': 'mine' });
    mkdirSync(join(root, 'src'));
    const content = 'other';
    expect(await errorOf(createFile, { path: 'a.js', content }, root)).toBe(
      'a.js already exists and was not overwritten; change it with edit_file.',
    );
    expect(await errorOf(createFile, { path: 'src', content }, root)).toContain('is a folder');
    expect(await errorOf(createFile, { path: 'a.js/b.js', content }, root)).toContain(
      'part of its path is a file',
    );
    const prepared = await prepare(createFile, { path: 'b.js', content }, root);
    writeFileSync(join(root, 'b.js'), 'mine');
    expect(await prepared.run(new AbortController().signal, () => {})).toMatchObject({
      isError: true,
      text: expect.stringContaining('already exists'),
    });
    expect(readFileSync(join(root, 'a.js'), 'utf8')).toBe('mine');
    expect(readFileSync(join(root, 'b.js'), 'utf8')).toBe('mine');
  });

  it('creates an empty file', async () => {
    const root = tempFolder();
    expect((await call(createFile, { path: 'a', content: '' }, root)).text).toBe(
      'Created a (0 lines).',
    );
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('');
  });
});

describe('several edits in one call', () => {
  const several = async (text: string, edits: readonly object[]) => {
    const root = tempFolder({ [PATH]: text });
    const output = await call(editFile, { path: PATH, edits }, root);
    return { ...output, file: readFileSync(join(root, PATH), 'utf8') };
  };

  it('are applied in order, each to the result of those before it', async () => {
    const edits = [
      { old_text: 'one', new_text: 'ONE' },
      { old_text: 'ONE\ntwo', new_text: 'both' },
      { old_text: 'x', new_text: 'y', replace_all: true },
    ];
    expect(await several('one\ntwo\nx x\n', edits)).toEqual({
      text: 'Edited src/a.js: 4 replacements, the first on line 1.',
      isError: false,
      file: 'both\ny y\n',
    });
  });

  it('are applied all or none', async () => {
    const edits = [
      { old_text: 'one', new_text: 'ONE' },
      { old_text: 'none', new_text: 'x' },
    ];
    const { text, isError, file } = await several('one\n', edits);
    expect(text).toMatch(/not edited: edit 2 of 2, so no edit was made: old_text was not found/);
    expect([isError, file]).toEqual([true, 'one\n']);
  });

  it('are refused if they undo each other, or come with a single edit', async () => {
    const there = { old_text: 'one', new_text: 'two' };
    const back = { old_text: 'two', new_text: 'one' };
    expect((await several('one\n', [there, back])).text).toContain('change nothing');
    const root = tempFolder({ [PATH]: 'one\n' });
    const both = { path: PATH, edits: [there], ...there };
    expect(await errorOf(editFile, both, root)).toContain('give edits, or old_text');
    expect(await errorOf(editFile, { path: PATH, old_text: 'one' }, root)).toBe(
      'edit_file was not run: "new_text" is missing (string).',
    );
  });
});
