import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { editFile } from '../../src/tools/files/editFile';
import { decoded, encoded } from '../../src/tools/files/encoding';
import { readFile } from '../../src/tools/files/readFile';
import { searchText } from '../../src/tools/search/searchText';
import { call, errorOf } from './support/callTool';
import { tempFolder } from './support/tempFolder';

const BEFORE = 'Straße nach Köln\r\nzweite Zeile\r\n';
const AFTER = 'Straße nach Bonn\r\nzweite Zeile\r\n';
const MARK = '\uFEFF';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

const ENCODINGS = [
  ['Latin-1', latin1],
  ['UTF-16 LE with a byte order mark', (text: string) => utf16le(MARK + text)],
  ['UTF-16 BE with a byte order mark', (text: string) => utf16be(MARK + text)],
  ['UTF-16 LE without a byte order mark', utf16le],
  ['UTF-8 with a byte order mark', (text: string) => Buffer.from(MARK + text)],
  ['UTF-8', (text: string) => Buffer.from(text)],
] as const;

const EDIT = { path: 'a.txt', old_text: 'Köln', new_text: 'Bonn' };

describe.each(ENCODINGS)('a file in %s', (_name, written) => {
  it('is read, searched and edited, and keeps its encoding', async () => {
    const root = tempFolder({ 'a.txt': written(BEFORE) });
    expect((await call(readFile, { path: 'a.txt' }, root)).text).toBe(
      'a.txt, lines 1-2 of 2\n1\tStraße nach Köln\n2\tzweite Zeile',
    );
    expect((await call(searchText, { pattern: 'nach' }, root)).text).toContain(
      'a.txt:1:Straße nach Köln',
    );
    expect((await call(editFile, EDIT, root)).text).toBe('Edited a.txt: 1 replacement, on line 1.');
    expect(readFileSync(join(root, 'a.txt'))).toEqual(written(AFTER));
  });
});

describe('encodings', () => {
  it('are not changed for a character that the encoding of the file lacks', async () => {
    const root = tempFolder({ 'a.txt': latin1(BEFORE) });
    expect(await errorOf(editFile, { ...EDIT, new_text: 'Łódź' }, root)).toBe(
      'a.txt was not written: its encoding is Latin-1, which has no “Ł”.',
    );
    expect(readFileSync(join(root, 'a.txt'))).toEqual(latin1(BEFORE));
  });

  it('give every byte of a Latin-1 file back', () => {
    const text = Array.from({ length: 96 }, (_, index) => String.fromCharCode(160 + index)).join(
      '',
    );
    const read = decoded(latin1(text))!;
    expect(read).toEqual({ text, encoding: 'windows1252' });
    const all = Buffer.from(Array.from({ length: 224 }, (_, index) => index + 32));
    expect(encoded(decoded(all)!.text, 'windows1252')).toEqual(all);
  });

  it.each([
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1])],
    ['bytes that no text has', Buffer.from([0x67, 0xfc, 0x01, 0x6e])],
    ['half a unit of UTF-16', Buffer.from([0xff, 0xfe, 0x61])],
    ['numbers of four bytes', Buffer.from(new Uint32Array([1, 2, 3, 4, 5]).buffer)],
  ])('are not guessed for %s', (_what, bytes) => {
    expect(decoded(bytes)).toBeUndefined();
  });
});
