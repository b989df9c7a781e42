import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RequestDocuments } from '../../src/host/requestDocuments';

const editor = vi.hoisted(() => ({ textDocuments: [] as { uri: object }[] }));

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
  workspace: editor,
}));

const uri = (query: string, scheme: string = RequestDocuments.scheme) => ({
  scheme,
  query,
  path: '/request-3.json',
});

describe('requests in editors', () => {
  it('are read again once a recording was replayed anew, those of other sessions not', () => {
    const open = [uri('recording-1'), uri('session'), uri('recording-1', 'file')];
    editor.textDocuments = open.map((each) => ({ uri: each }));
    const documents = new RequestDocuments(
      () => 'text',
      () => 1,
    );
    onTestFinished(() => documents.dispose());
    const changed: unknown[] = [];
    documents.onDidChange((each) => changed.push(each));
    documents.refresh('recording-1');
    expect(changed).toEqual([open[0]]);
  });
});
