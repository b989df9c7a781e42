import { beforeAll, expect, it, vi } from 'vitest';
import { foldersAt } from '../../../src/agent/workspaceFolders';

const uri = (fsPath: string) => ({ scheme: 'file', fsPath, path: fsPath });
const range = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 4 } });

const editor = vi.hoisted(() => ({ repositories: [] as object[], diagnostics: [] as object[] }));

vi.mock('vscode', () => ({
  DiagnosticSeverity: { Error: 0, Warning: 1 },
  window: {
    activeTextEditor: {
      document: { uri: uri('/w/server/b.ts'), getText: () => 'two' },
      selection: { isEmpty: false, ...range(1) },
    },
    visibleTextEditors: [],
  },
  languages: { getDiagnostics: () => editor.diagnostics },
  commands: {
    executeCommand: async () => [
      { name: 'sail', location: { uri: uri('/w/server/b.ts'), range: range(6) } },
      { name: 'other', location: { uri: uri('/elsewhere/b.ts'), range: range(6) } },
    ],
  },
  extensions: {
    getExtension: () => ({
      activate: async () => ({ getAPI: () => ({ repositories: editor.repositories }) }),
    }),
  },
  workspace: { asRelativePath: ({ fsPath }: { fsPath: string }) => fsPath },
}));

let made: typeof import('../../../src/editor/composer/editorMentions');
beforeAll(async () => {
  // Another test may have loaded it with another `vscode` mock.
  vi.resetModules();
  made = await import('../../../src/editor/composer/editorMentions');
});

const sources = (
  roots: readonly [string, ...string[]] = ['/w/client', '/w/server', '/w/client/ui'],
) => {
  const folders = { now: foldersAt(roots) };
  return made.editorMentions({ folders, now: () => 0 } as never, { recent: [] });
};

/** A repository with unstaged changes. */
const repository = (root: string, diff: string) => ({
  rootUri: uri(root),
  state: { workingTreeChanges: [] },
  diff: async (cached: boolean) => (cached ? '' : diff),
});

it('the selection, problems and symbols of any folder have its name', async () => {
  const problem = { severity: 0, message: 'Wrong.', range: range(0) };
  editor.diagnostics = [
    [uri('/w/server/b.ts'), [problem]],
    [uri('/w/client/ui/c.ts'), [problem]],
    [uri('/elsewhere/d.ts'), [problem]],
  ];
  expect(sources().selection()).toMatchObject({ path: 'server/b.ts', first: 2 });
  expect(
    sources()
      .problems()
      .map(({ path }) => path),
  ).toEqual(['server/b.ts', 'ui/c.ts']);
  expect(await sources().symbols('sail')).toEqual([{ name: 'sail', path: 'server/b.ts', line: 7 }]);
});

it('the problems of a folder include those of a folder of the workspace inside it', async () => {
  const { EditorProblems } = await import('../../../src/editor/tools/editorProblems');
  const problems = new EditorProblems(foldersAt(['/w/client', '/w/server', '/w/client/ui']));
  const pathsIn = (path: string) => problems.in(path).map((one) => one.path);
  expect(pathsIn('client')).toEqual(['ui/c.ts']);
  expect(pathsIn('server/b.ts')).toEqual(['server/b.ts']);
  expect(pathsIn('.')).toEqual(['server/b.ts', 'ui/c.ts']);
});

it('the changes of several repositories have the names of their folders, and those of one are as git prints them', async () => {
  editor.repositories = [repository('/w/client', '-a'), repository('/w/server', '+b')];
  expect(await sources().changes()).toBe('Repository client:\n-a\nRepository server:\n+b');
  editor.repositories = [repository('/w/client', ''), repository('/w/server', '+b')];
  expect(await sources().changes()).toBe('Repository server:\n+b');
  editor.repositories = [repository('/w', '-a')];
  expect(await sources().changes()).toBe('-a');
  editor.repositories = [];
  expect(await sources().changes()).toBeUndefined();
  editor.repositories = [repository('/w/a/app', '-a'), repository('/w/b', '+b')];
  const named = ['/w/a/app', '/w/b/app', '/w/b/d\u202Eocs'] as const;
  expect(await sources(named).changes()).toBe(
    'Repository a/app:\n-a\nRepository b/app, d⟨U+202E⟩ocs:\n+b',
  );
});
