import { beforeAll, expect, it, vi } from 'vitest';

const workspace = vi.hoisted(() => ({ workspaceFolders: undefined as object[] | undefined }));
vi.mock('vscode', () => ({ workspace }));

let made: typeof import('../../src/editor/openFolders');
beforeAll(async () => {
  // Another test may have loaded it with another `vscode` mock.
  vi.resetModules();
  made = await import('../../src/editor/openFolders');
});

const folder = (fsPath: string, scheme = 'file') => ({
  name: fsPath.split('/').at(-1),
  uri: { scheme, fsPath },
});

function open(...folders: readonly object[]): void {
  workspace.workspaceFolders = [...folders];
}

it('the open folders are the same object until one is added or removed', () => {
  open(folder('/w/client'));
  const folders = new made.OpenFolders();
  const one = folders.now;
  expect(one?.all).toEqual([{ name: '', root: '/w/client' }]);
  expect(folders.now).toBe(one);
  open(folder('/w/client'), folder('/w/server'));
  expect(folders.now?.inEach('a')).toEqual(['client/a', 'server/a']);
  open(folder('/w/client'));
  expect(folders.now?.inEach('a')).toEqual(['client/a']);
  workspace.workspaceFolders = undefined;
  expect(folders.now).toBeUndefined();
});

it('the open folders keep their names in a window that is reloaded, and a removed one its own', () => {
  const kept = new Map<string, unknown>();
  const storage = {
    get: (key: string) => kept.get(key),
    update: async (key: string, value: unknown) =>
      void kept.set(key, JSON.parse(JSON.stringify(value))),
  };
  const opened = (...roots: readonly string[]) => {
    open(...roots.map((root) => folder(root)));
    return new made.OpenFolders(storage as never).now!;
  };
  expect(opened('/w/app').absolute('a.ts')).toBe('/w/app/a.ts');
  expect(opened('/w/app', '/y/server').inEach('a')).toEqual(['app/a', 'server/a']);
  expect(opened('/w/app').inEach('a')).toEqual(['app/a']);
  const other = opened('/w/app', '/z/server');
  expect(other.pathOf('/z/server/a.ts')).not.toBe('server/a.ts');
  expect(opened('/w/app', '/z/server', '/y/server').inEach('a')).toEqual([
    'app/a',
    other.pathOf('/z/server/a'),
    'server/a',
  ]);
  // The workspace had one folder, so a path in its logs may have no name.
  expect(opened('/w/app', '/z/server').absolute('a.ts')).toBe('/w/app/a.ts');
});

it.each([null, 7, { all: [] }, { all: [{ name: 1, root: '/w' }] }, { all: 'x' }])(
  'the open folders get new names if the stored ones cannot be read: %j',
  (stored) => {
    open(folder('/w/client'), folder('/w/server'));
    const storage = { get: () => stored, update: async () => undefined };
    const { now } = new made.OpenFolders(storage as never);
    expect(now?.inEach('a')).toEqual(['client/a', 'server/a']);
  },
);

it('folders of a virtual file system are left out by name', () => {
  open(folder('/repo', 'vscode-vfs'), folder('/w/client'));
  const folders = new made.OpenFolders();
  expect(folders.now?.all).toEqual([{ name: '', root: '/w/client' }]);
  expect(folders.leftOut).toBe('The agent works only on folders on a disk. It does not see repo.');
  open(folder('/w/client'));
  expect(folders.leftOut).toBeUndefined();
});

it('a file has a path in the folder that contains it, if it is on a disk', () => {
  open(folder('/w/client'), folder('/w/server'));
  const folders = new made.OpenFolders();
  const pathOf = (fsPath: string, scheme = 'file') =>
    made.pathBelow(folders, { scheme, fsPath } as never);
  expect(pathOf('/w/server/src/a.ts')).toBe('server/src/a.ts');
  expect(pathOf('/w/other/a.ts')).toBeUndefined();
  expect(pathOf('/w/server/src/a.ts', 'untitled')).toBeUndefined();
});
