import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UNKNOWN_CONTENT } from '../../../src/contextWindow/fileChanges';
import { ContentStore } from '../../../src/tools/checkpoints/contentStore';
import { tempFolder } from '../support/tempFolder';

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
}

describe('a store of contents', () => {
  it('saves each content once, readable by its owner only, and returns it', async () => {
    const folder = join(tempFolder(), 'kept');
    const store = new ContentStore(folder, () => 1_000);
    const name = await store.keep(bytes('one'));
    expect(await store.keep(bytes('one'))).toBe(name);
    expect((await store.read(name))?.toString()).toBe('one');
    const [file, ...others] = filesIn(folder);
    expect(others).toEqual([]);
    if (process.platform !== 'win32') {
      expect(statSync(join(folder, file!)).mode & 0o777).toBe(0o600);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    }
  });

  it('deletes the least recently used content beyond its limit, even after a restart', async () => {
    const folder = tempFolder();
    const first = new ContentStore(folder, () => 1_000);
    const names: string[] = [];
    for (const letter of 'abcd') names.push(await first.keep(bytes(letter.repeat(240))));
    for (const [index, name] of names.entries()) {
      const at = new Date(1_000_000 + index * 1_000);
      utimesSync(join(folder, name.slice(0, 2), name.slice(2)), at, at);
    }
    const store = new ContentStore(folder, () => 1_000);
    // Used again, so the second is the oldest.
    await store.keep(bytes('a'.repeat(240)));
    await store.keep(bytes('e'.repeat(240)));
    const there = await Promise.all(
      names.map(async (name) => (await store.read(name)) !== undefined),
    );
    expect(there).toEqual([true, false, false, true]);
  });

  it('does not save a content larger than its limit', async () => {
    const store = new ContentStore(tempFolder(), () => 10);
    expect(await store.keep(bytes('longer than that'))).toBe(UNKNOWN_CONTENT);
    expect(await store.read(UNKNOWN_CONTENT)).toBeUndefined();
  });

  it('returns nothing for a content that was changed, or for an invalid name', async () => {
    const folder = tempFolder();
    const store = new ContentStore(folder, () => 1_000);
    const name = await store.keep(bytes('one'));
    const file = join(folder, name.slice(0, 2), name.slice(2));
    expect(readFileSync(file, 'utf8')).toBe('one');
    writeFileSync(file, 'two');
    expect(await store.read(name)).toBeUndefined();
    expect(await store.read('../../etc/passwd')).toBeUndefined();
  });
});
