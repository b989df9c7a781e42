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
