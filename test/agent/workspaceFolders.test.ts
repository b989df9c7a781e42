import { describe, expect, it } from 'vitest';
import { foldersAt, oneFolder, type WorkspaceFolders } from '../../src/agent/workspaceFolders';

function namesOf(folders: WorkspaceFolders): readonly string[] {
  return folders.all.map(({ name }) => name);
}

describe('the names of folders', () => {
  it('are the ends of their paths, as long as they have to be', () => {
    expect(namesOf(foldersAt(['/w/client', '/w/server']))).toEqual(['client', 'server']);
    expect(namesOf(foldersAt(['/shop/api', '/admin/api', '/w/docs']))).toEqual([
      'shop/api',
      'admin/api',
      'docs',
    ]);
    expect(namesOf(foldersAt(['/a/x/api', '/b/x/api']))).toEqual(['a/x/api', 'b/x/api']);
    expect(namesOf(foldersAt(['/w/API', '/x/api']))).toEqual(['w/API', 'x/api']);
  });

  it('never begin with the name of another folder', () => {
    const folders = foldersAt(['/w/shop', '/x/shop/api', '/y/api']);
    expect(namesOf(folders)).toEqual(['w/shop', 'x/shop/api', 'y/api']);
    expect(namesOf(foldersAt(['/api', '/x/api']))).toEqual(['api', 'x/api']);
    expect(namesOf(foldersAt(['/', '/w/root']))).toEqual(['root', 'w/root']);
  });

  it('are missing in a workspace of one folder', () => {
    const folders = foldersAt(['/w/client']);
    expect(namesOf(folders)).toEqual(['']);
    expect(folders.absolute('src/a.ts')).toBe('/w/client/src/a.ts');
    expect(folders.pathOf('/w/client/src/a.ts')).toBe('src/a.ts');
    expect(folders.pathOf('/w/client')).toBe('.');
    expect(folders.pathOf('/w/client2/a.ts')).toBeUndefined();
  });

  it('stay when a folder is added or removed', () => {
    const two = foldersAt(['/w/api', '/w/docs']);
    const three = foldersAt(['/w/api', '/w/docs', '/x/api'], two);
    expect(namesOf(three)).toEqual(['api', 'docs', 'x/api']);
    expect(namesOf(foldersAt(['/w/api'], three))).toEqual(['api']);
    expect(namesOf(foldersAt(['/w/api', '/w/docs'], oneFolder('/w/api')))).toEqual(['api', 'docs']);
  });
});

describe('a path of several folders', () => {
  const folders = foldersAt(['/w/client', '/w/server', '/w/client/packages/ui']);

  it('leads to its folder and back', () => {
    for (const [path, absolute] of [
      ['client/src/a.ts', '/w/client/src/a.ts'],
      ['server/src/a.ts', '/w/server/src/a.ts'],
      ['server', '/w/server'],
      ['ui/b.ts', '/w/client/packages/ui/b.ts'],
    ] as const) {
      expect(folders.absolute(path)).toBe(absolute);
      expect(folders.pathOf(absolute)).toBe(path);
    }
    expect(folders.absolute('./server/a.ts')).toBe('/w/server/a.ts');
    expect(folders.absolute('/w/server/a.ts')).toBe('/w/server/a.ts');
    expect(folders.pathOf('/w/other/a.ts')).toBeUndefined();
  });

  it('has the name of the innermost folder', () => {
    expect(folders.pathsOf('/w/client/packages/ui/b.ts')).toEqual([
      'ui/b.ts',
      'client/packages/ui/b.ts',
    ]);
  });

  it('is in no folder if it names none', () => {
    for (const path of ['src/a.ts', 'serverless/a.ts', '../server/a.ts']) {
      expect(folders.pathOf(folders.absolute(path)), path).toBeUndefined();
    }
  });

  it('is in the first folder if it names none, and the window had only that one', () => {
    const two = foldersAt(['/w/client', '/w/server'], oneFolder('/w/client'));
    const three = foldersAt(['/w/client', '/w/server', '/w/docs'], two);
    for (const now of [two, three]) {
      expect(now.absolute('src/a.ts')).toBe('/w/client/src/a.ts');
      expect(now.absolute('server/a.ts')).toBe('/w/server/a.ts');
    }
  });

  it('never means another file once its folder was removed', () => {
    const both = foldersAt(['/w/client', '/w/docs']);
    const one = foldersAt(['/w/client'], both);
    expect(one.absolute('docs/a.md')).toBe('/w/docs/a.md');
    expect(one.pathOf('/w/docs/a.md')).toBeUndefined();
    const other = foldersAt(['/w/client', '/x/docs'], one);
    expect(other.pathOf('/x/docs/a.md')).toBe('x/docs/a.md');
    expect(namesOf(foldersAt(['/w/client', '/w/docs'], other))).toEqual(['client', 'docs']);
  });

  it('means all of them only if it is empty', () => {
    expect(['.', './', ''].map((path) => folders.isWhole(path))).toEqual([true, true, true]);
    expect(['/', 'client', '..'].map((path) => folders.isWhole(path))).toEqual([
      false,
      false,
      false,
    ]);
    expect(oneFolder('/w').isWhole('.')).toBe(false);
  });
});
