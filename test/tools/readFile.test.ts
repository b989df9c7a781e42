import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import { EMPTY_WINDOW } from '../../src/contextWindow/fold';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { readFile } from '../../src/tools/files/readFile';
import { call, errorOf, prepare } from './support/callTool';
import { PDF, PNG } from './support/pictures';
import { tempFolder } from './support/tempFolder';

const text = async (root: string, input: Record<string, unknown>) =>
  (await call(readFile, input, root)).text;

describe('read_file', () => {
  it('returns a header and numbered lines', async () => {
    const root = tempFolder({ 'src/a.js': 'one\ntwo\n\nfour\n' });
    expect(await text(root, { path: 'src/a.js' })).toBe(
      'src/a.js, lines 1-4 of 4\n1\tone\n2\ttwo\n3\t\n4\tfour',
    );
  });

  it('returns a range, both ends included, and clamps an end after the last line', async () => {
    const root = tempFolder({ 'a.js': 'one\ntwo\nthree' });
    expect(await text(root, { path: 'a.js', start_line: 2, end_line: 2 })).toBe(
      'a.js, lines 2-2 of 3\n2\ttwo',
    );
    expect(await text(root, { path: 'a.js', start_line: 3, end_line: 99 })).toBe(
      'a.js, lines 3-3 of 3\n3\tthree',
    );
  });

  it('shows no carriage returns and no byte order mark', async () => {
    const root = tempFolder({ 'a.txt': '\uFEFFone\r\ntwo\r\n' });
    expect(await text(root, { path: 'a.txt' })).toBe('a.txt, lines 1-2 of 2\n1\tone\n2\ttwo');
  });

  it('returns a range that fits a small window, at least a line, and says how to continue', async () => {
    const root = tempFolder({ 'a.txt': '12345678\n'.repeat(90) });
    const headOf = async (tokens: number, input: object = {}) => {
      const context = {
        workspace: makeNodeWorkspace({ folders: oneFolder(root) }),
        window: EMPTY_WINDOW,
        state: {},
        range: { tokens, estimate: (read: string) => read.length },
      };
      const ready = await readFile.prepare({ path: 'a.txt', ...input }, context);
      if (!ready.ok) throw new Error(ready.message);
      const read = await ready.call.run(new AbortController().signal, () => {});
      return read.text.split('\n')[0];
    };
    // A line of two digits has 12 characters with its break.
    expect(await headOf(9 * 11 + 12)).toBe(
      'a.txt, lines 1-10 of 90; for more, call again with start_line 11',
    );
    expect(await headOf(120, { start_line: 11 })).toBe(
      'a.txt, lines 11-20 of 90; for more, call again with start_line 21',
    );
    expect(await headOf(120, { start_line: 11, end_line: 15 })).toBe('a.txt, lines 11-15 of 90');
    expect(await headOf(3)).toBe('a.txt, lines 1-1 of 90; for more, call again with start_line 2');
    expect(await headOf(2_000)).toBe('a.txt, lines 1-90 of 90');
  });

  it('returns at most 2,000 lines and says how to continue', async () => {
    const root = tempFolder({ 'a.txt': 'x\n'.repeat(2_001) });
    const whole = await text(root, { path: 'a.txt' });
    expect(whole.split('\n')[0]).toBe(
      'a.txt, lines 1-2000 of 2001; for more, call again with start_line 2001',
    );
    expect(whole.split('\n')).toHaveLength(2_001);
    const exact = await text(root, { path: 'a.txt', start_line: 2 });
    expect(exact.split('\n')[0]).toBe('a.txt, lines 2-2001 of 2001');
  });

  it('returns a giant line whole, since admission truncates it', async () => {
    const root = tempFolder({ 'a.min.js': 'x'.repeat(1_200_000) });
    expect((await text(root, { path: 'a.min.js' })).length).toBeGreaterThan(1_200_000);
  });

  it('says that a file is empty', async () => {
    const root = tempFolder({ 'a.txt': '' });
    expect(await call(readFile, { path: 'a.txt' }, root)).toEqual({
      text: 'a.txt is empty (0 lines).',
      isError: false,
    });
  });

  it('runs without approval and accepts an absolute path inside the workspace', async () => {
    const root = tempFolder({ 'a.txt': 'x' });
    const prepared = await prepare(readFile, { path: join(root, 'a.txt') }, root);
    expect(prepared.approval).toBeUndefined();
    expect(prepared.action).toBe('The reading of a.txt');
  });

  it('explains why a file cannot be read', async () => {
    const root = tempFolder({
      'a.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]),
    });
    mkdirSync(join(root, 'src'));
    expect(await errorOf(readFile, { path: 'b.js' }, root)).toBe(
      'b.js does not exist; list_files shows which files do.',
    );
    expect(await errorOf(readFile, { path: 'src' }, root)).toBe('src is a folder; use list_files.');
    expect(await errorOf(readFile, { path: 'a.png' }, root)).toBe(
      'a.png is a binary file, not text.',
    );
  });

  it('does not read a file of more than 10 MB', async () => {
    const root = tempFolder({ 'big.log': Buffer.alloc(10_000_001, 'x') });
    expect(await errorOf(readFile, { path: 'big.log' }, root)).toContain(
      'big.log is over 10 MB, too large to read',
    );
  });

  it('shows an image or PDF, recognised by its bytes and not by its name', async () => {
    const root = tempFolder({ 'a.jpg': PNG, 'b.PDF': PDF });
    expect(await call(readFile, { path: 'a.jpg' }, root)).toEqual({
      text: 'a.jpg (image/png, 1 kB)',
      isError: false,
      attachments: [{ type: 'image', mediaType: 'image/png', data: PNG.toString('base64') }],
    });
    expect(await call(readFile, { path: 'b.PDF' }, root)).toMatchObject({
      attachments: [{ type: 'document', mediaType: 'application/pdf' }],
    });
    for (const [head, mediaType] of [
      ['\xff\xd8\xff\xe0', 'image/jpeg'],
      ['GIF89a', 'image/gif'],
      ['RIFF\0\0\0\0WEBP', 'image/webp'],
    ] as const) {
      const folder = tempFolder({ 'x.png': Buffer.from(head, 'latin1') });
      expect(await call(readFile, { path: 'x.png' }, folder)).toMatchObject({
        attachments: [{ mediaType }],
      });
    }
  });

  it('reads a text whose name only looks like an image', async () => {
    const root = tempFolder({ 'a.png': 'just text' });
    expect(await text(root, { path: 'a.png' })).toBe('a.png, lines 1-1 of 1\n1\tjust text');
  });

  it('shows no image larger than the API accepts', async () => {
    const largest = Buffer.concat([PNG, Buffer.alloc(3_932_160 - PNG.length)]);
    const root = tempFolder({ 'a.png': largest, 'b.png': Buffer.concat([largest, Buffer.of(0)]) });
    expect((await call(readFile, { path: 'a.png' }, root)).attachments).toHaveLength(1);
    expect(await errorOf(readFile, { path: 'b.png' }, root)).toContain(
      'b.png is 3.9 MB; images and PDFs over 3.9 MB are not read.',
    );
  });

  it('explains why a range is invalid', async () => {
    const root = tempFolder({ 'a.js': 'one\ntwo\n' });
    expect(await errorOf(readFile, { path: 'a.js', start_line: 3 }, root)).toBe(
      'a.js has 2 lines; start_line 3 is past its end.',
    );
    expect(await errorOf(readFile, { path: 'a.js', start_line: 2, end_line: 1 }, root)).toBe(
      'end_line 1 is before start_line 2.',
    );
  });
});
