import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { RequestName } from '../../../../src/editor/contextPanel/request/requestDocuments';

const editor = vi.hoisted(() => ({
  textDocuments: [] as { uri: object }[],
  opened: [] as object[],
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
function documentsOf(session: string, asked: (name: RequestName, form: string) => void) {
  return new RequestDocuments(
    {
      session,
      isCaptured: () => false,
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
});
