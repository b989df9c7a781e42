import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { foldersAt } from '../../../src/agent/workspaceFolders';
import type { EditorProblems } from '../../../src/editor/tools/editorProblems';

const uri = (fsPath: string) => ({ scheme: 'file', fsPath, toString: () => `file://${fsPath}` });

const PROBLEM = {
  severity: 0,
  message: 'Wrong.',
  range: { start: { line: 0 } },
};

/** An editor whose language servers report only what a test reports. */
const editor = vi.hoisted(() => ({
  reported: new Map<string, object[]>(),
  hear: new Set<(changed: { readonly uris: readonly object[] }) => void>(),
  opened: [] as string[],
  /** Answers of the TypeScript server; by default it never answers. */
  asked: (): Promise<unknown> => new Promise(() => undefined),
}));

// Fake timers do not replace it.
vi.mock('node:timers/promises', () => ({
  setTimeout: (ms: number) => new Promise((done) => setTimeout(done, ms)),
}));

vi.mock('vscode', () => ({
  DiagnosticSeverity: { Error: 0, Warning: 1 },
  Uri: { file: uri },
  TabInputText: class {},
  window: { tabGroups: { all: [] } },
  languages: {
    getDiagnostics: () => [...editor.reported].map(([path, found]) => [uri(path), found]),
    onDidChangeDiagnostics: (hear: () => void) => {
      editor.hear.add(hear);
      return { dispose: () => editor.hear.delete(hear) };
    },
  },
  commands: { executeCommand: () => editor.asked() },
  extensions: {
    all: [{ packageJSON: { activationEvents: ['onLanguage:knots', 'onLanguage:typescript'] } }],
  },
  workspace: {
    textDocuments: [],
    getConfiguration: () => ({ get: () => true }),
    openTextDocument: async (at: { readonly fsPath: string }) => {
      editor.opened.push(at.fsPath);
      const languageId = at.fsPath.endsWith('.ts') ? 'typescript' : 'knots';
      return { uri: at, languageId, isDirty: false, encoding: 'utf8', getText: () => 'text' };
    },
    fs: { readFile: async () => Buffer.from('text') },
    decode: async (bytes: Buffer) => bytes.toString(),
  },
}));

let problems: EditorProblems;

beforeEach(async () => {
  vi.resetModules();
  const made = await import('../../../src/editor/tools/editorProblems');
  problems = new made.EditorProblems(foldersAt(['/w']));
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  editor.reported.clear();
  editor.opened = [];
});

/** A server's report on a file, this many ms from now. */
function reportsAfter(ms: number, path: string): void {
  setTimeout(() => {
    editor.reported.set(path, [PROBLEM]);
    for (const hear of editor.hear) hear({ uris: [uri(path)] });
  }, ms);
}

const never = new AbortController().signal;

/** What was found, and how long that took, ms. */
async function timed<T>(work: Promise<T>): Promise<readonly [found: T, ms: number]> {
  const from = Date.now();
  let found: readonly [T, number] | undefined;
  void work.then((result) => (found = [result, Date.now() - from]));
  for (let ms = 0; found === undefined && ms < 20_000; ms += 50) {
    await vi.advanceTimersByTimeAsync(50);
  }
  if (found === undefined) throw new Error('It waits without end.');
  return found;
}

describe('the problems of a file without a tab', () => {
  it.each(['a.knots', 'a.ts'])(
    'are waited for at most two seconds before and after an edit of %s if no server answers',
    async (path) => {
      const [after, beforeMs] = await timed(problems.watch(path));
      const [found, afterMs] = await timed(after(never));
      expect(found).toEqual({ problems: [], areNew: false });
      expect(beforeMs).toBe(1_000);
      expect(beforeMs + afterMs).toBeLessThanOrEqual(2_000);
      expect(editor.opened).toContain(`/w/${path}`);
    },
  );

  it('are found after an edit if the server reports them within two seconds', async () => {
    const [after, beforeMs] = await timed(problems.watch('a.knots'));
    reportsAfter(900, '/w/a.knots');
    const [found, ms] = await timed(after(never));
    expect(found.problems).toMatchObject([{ path: 'a.knots', line: 1, message: 'Wrong.' }]);
    expect(beforeMs + ms).toBeLessThanOrEqual(2_000);
  });

  it('are waited for half a second if the server said nothing the last time', async () => {
    for (const most of [1_000, 500]) {
      const [after] = await timed(problems.watch('a.knots'));
      const [, ms] = await timed(after(never));
      expect(ms).toBe(most);
    }
  });

  it('are waited for together, at most two seconds, after a command that changed several files', async () => {
    const paths = ['a.knots', 'b.knots', 'c.ts'];
    const after = problems.watchAll();
    reportsAfter(1_000, '/w/b.knots');
    const [found, ms] = await timed(after(paths, never));
    expect(found).toMatchObject([{ path: 'b.knots' }]);
    expect(ms).toBeLessThanOrEqual(2_000);
    expect(editor.opened).toEqual(paths.map((path) => `/w/${path}`));
  });

  it('are not waited for once the user stops the turn', async () => {
    const stop = new AbortController();
    const [after] = await timed(problems.watch('a.knots'));
    setTimeout(() => stop.abort(), 200);
    const [, ms] = await timed(after(stop.signal));
    expect(ms).toBeLessThanOrEqual(250);
  });
});
