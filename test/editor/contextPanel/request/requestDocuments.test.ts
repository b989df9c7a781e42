import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { RequestName } from '../../../../src/editor/contextPanel/request/requestDocuments';

const editor = vi.hoisted(() => ({
  textDocuments: [] as { uri: object }[],
  opened: [] as object[],
  compared: [] as (readonly object[])[],
}));

vi.mock('vscode', () => ({
  EventEmitter: class {
    readonly #heard: ((uri: object) => void)[] = [];
    event = (hear: (uri: object) => void) => void this.#heard.push(hear);
    fire(uri: object) {
      for (const hear of this.#heard) hear(uri);
    }
    dispose() {
      this.#heard.length = 0;
    }
  },
  workspace: {
    ...editor,
    get textDocuments() {
      return editor.textDocuments;
    },
    openTextDocument: async (opened: object) => {
      editor.opened.push(opened);
      return { uri: opened };
    },
  },
  window: {
    showTextDocument: async () => undefined,
    tabGroups: { onDidChangeTabs: () => ({ dispose: () => undefined }) },
  },
  commands: {
    executeCommand: async (_command: string, ...sides: object[]) => {
      editor.compared.push(sides.slice(0, 2));
    },
  },
  Uri: { from: (parts: object) => parts },
}));

let RequestDocuments: typeof import('../../../../src/editor/contextPanel/request/requestDocuments').RequestDocuments;

beforeAll(async () => {
  // Another test may have loaded it with another `vscode` mock.
  vi.resetModules();
  ({ RequestDocuments } =
    await import('../../../../src/editor/contextPanel/request/requestDocuments'));
});

const uri = (query: string, scheme: string = RequestDocuments.scheme) => ({
  scheme,
  query,
  path: '/request-3.json',
});

/** Documents of a shown session whose every request has the text "text". */
function documentsOf(
  session: string,
  asked: (name: RequestName, form: string) => void = () => undefined,
  captured: readonly unknown[] = [],
) {
  return new RequestDocuments(
    {
      session,
      isCaptured: (step) => captured.includes(step),
      textOf: async (name, form) => {
        asked(name, form);
        return 'text';
      },
    },
    () => 1,
  );
}

describe('requests in editors', () => {
  it('are read again after a recording was replayed again, except those of other sessions', () => {
    const open = [uri('recording-1'), uri('session'), uri('recording-1', 'file')];
    editor.textDocuments = open.map((each) => ({ uri: each }));
    const documents = documentsOf('recording-1', () => {});
    onTestFinished(() => documents.dispose());
    const changed: unknown[] = [];
    documents.onDidChange((each) => changed.push(each));
    documents.refresh('recording-1');
    expect(changed).toEqual([open[0]]);
  });

  it('are named after their step or summary, and are read by that name', async () => {
    const names: readonly RequestName[] = [
      3,
      'next',
      { summaryId: 'summary-2', side: 'asked' },
      { summaryId: 'summary-2', side: 'answered' },
    ];
    const asked: unknown[] = [];
    const documents = documentsOf('one', (...what) => asked.push(what));
    onTestFinished(() => documents.dispose());
    for (const name of names) {
      for (const form of ['raw', 'readable'] as const) {
        await documents.open(name, form);
        const opened = editor.opened.at(-1) as vscode.Uri;
        expect(await documents.provideTextDocumentContent(opened)).toBe('text');
        expect(asked.at(-1)).toEqual([name, form]);
      }
    }
  });

  it('say so if they belong to a session that is not shown', async () => {
    const documents = documentsOf('one');
    onTestFinished(() => documents.dispose());
    const text = await documents.provideTextDocumentContent(uri('other') as vscode.Uri);
    expect(text).toMatch(/^This request belongs to another session\./);
  });

  it.each([
    { captured: [], form: 'raw' },
    { captured: [2], form: 'compared' },
    { captured: [3], form: 'compared' },
  ])('are compared as $form if the steps $captured were recorded', async ({ captured, form }) => {
    const asked: unknown[] = [];
    const documents = documentsOf('one', (...what) => asked.push(what), captured);
    onTestFinished(() => documents.dispose());
    await documents.diff(2, 3, 'raw');
    for (const side of editor.compared.at(-1)!)
      await documents.provideTextDocumentContent(side as vscode.Uri);
    expect(asked).toEqual([
      [2, form],
      [3, form],
    ]);
  });
});
