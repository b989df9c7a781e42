import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { oneFolder } from '../../../src/agent/workspaceFolders';
import { ScriptedEmitter } from '../support/scriptedEditor';

const editor = vi.hoisted(() => {
  class Uri {
    readonly scheme = 'file';
    constructor(readonly fsPath: string) {}
  }
  class TabInputText {
    constructor(readonly uri: Uri) {}
  }
  return { Uri, TabInputText, active: undefined as object | undefined, tabs: [] as object[] };
});
const activated = new ScriptedEmitter<void>();
const selected = new ScriptedEmitter<void>();

vi.mock('vscode', () => ({
  Uri: editor.Uri,
  TabInputText: editor.TabInputText,
  window: {
    get activeTextEditor() {
      return editor.active;
    },
    tabGroups: {
      get all() {
        return [{ tabs: editor.tabs }];
      },
    },
    onDidChangeActiveTextEditor: (listener: () => void) => activated.event(listener),
    onDidChangeTextEditorSelection: (listener: () => void) => selected.event(listener),
  },
  workspace: {},
  env: {},
  languages: {},
}));

let made: typeof import('../../../src/editor/composer/filesInEditor');

beforeAll(async () => {
  // Another test may have loaded it with another `vscode` mock.
  vi.resetModules();
  made = await import('../../../src/editor/composer/filesInEditor');
});

beforeEach(() => {
  editor.active = undefined;
  editor.tabs = [];
});

const uri = (path: string) => new editor.Uri(path);
const NOTHING = { isEmpty: true, start: { line: 0 }, end: { line: 0, character: 0 } };

function use(path: string, selection: object = NOTHING): void {
  editor.active = { document: { uri: uri(path) }, selection };
  activated.fire();
}

it('lists the files used last, then the other open ones, without those outside the workspace', () => {
  const files = new made.FilesInEditor({ now: oneFolder('/work') }, () => undefined);
  for (const path of ['/work/a.ts', '/work/b.ts', '/etc/hosts', '/work/a.ts']) use(path);
  editor.tabs = ['/work/c.ts', '/work/b.ts'].map((path) => ({
    input: new editor.TabInputText(uri(path)),
  }));
  expect(files.recent).toEqual(['a.ts', 'b.ts', 'c.ts']);
  files.dispose();
});

it('offers the active file, or its selection, until that is attached', () => {
  const files = new made.FilesInEditor({ now: oneFolder('/work') }, () => undefined);
  const none = { selected: undefined };
  expect(files.offered(none, [])).toBeUndefined();
  use('/work/src/a.ts');
  const file = { mention: { type: 'file', path: 'src/a.ts' }, name: 'src/a.ts' };
  expect(files.offered(none, [])).toEqual(file);
  expect(files.offered(none, [{ name: 'src/a.ts' }])).toBeUndefined();
  const lines = { selected: 'src/a.ts:3-9' };
  expect(files.offered(lines, [{ name: 'src/a.ts' }])).toEqual({
    mention: { type: 'selection' },
    name: 'src/a.ts:3-9',
  });
  use('/etc/hosts');
  expect(files.offered(none, [])).toBeUndefined();
  files.dispose();
});

it('announces another file or selection once, after a drag has ended', () => {
  vi.useFakeTimers();
  let changes = 0;
  const files = new made.FilesInEditor({ now: oneFolder('/work') }, () => void (changes += 1));
  use('/work/a.ts');
  vi.advanceTimersByTime(1_000);
  expect(changes).toBe(1);
  for (const line of [1, 2, 3]) {
    const selection = { isEmpty: false, start: { line: 0 }, end: { line, character: 4 } };
    editor.active = { document: { uri: uri('/work/a.ts') }, selection };
    selected.fire();
  }
  vi.advanceTimersByTime(1_000);
  selected.fire();
  vi.advanceTimersByTime(1_000);
  expect(changes).toBe(2);
  files.dispose();
  vi.useRealTimers();
});
