import * as vscode from 'vscode';
import type { RequestForm } from '../../protocol/contextPanel';

/** Forms the text of a request; undefined where the step is of no session at hand. */
export type RequestTextAt = (
  session: string,
  step: number | 'next',
  form: RequestForm,
) => string | undefined;

/** Shows requests in read-only editors, and the difference of two in VS Code's own diff editor. */
export class RequestDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  static readonly scheme = 'plimsoll-request';
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;

  /** `column` is where requests open: never over the Context panel. */
  constructor(
    private readonly textAt: RequestTextAt,
    private readonly column: () => vscode.ViewColumn,
  ) {}

  provideTextDocumentContent(uri: vscode.Uri): string {
    const { session, step, form } = partsOf(uri);
    return (
      this.textAt(session, step, form) ??
      'This request belongs to another session. Open that session, and the request from its Context panel.'
    );
  }

  /** Opens a request. */
  async open(session: string, step: number | 'next', form: RequestForm): Promise<void> {
    const uri = uriOf(session, step, form);
    this.#changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, {
      preview: true,
      viewColumn: this.column(),
    });
  }

  /** Opens what changed from one request to another. */
  async diff(session: string, from: number, to: number | 'next', form: RequestForm): Promise<void> {
    const [left, right] = [uriOf(session, from, form), uriOf(session, to, form)];
    this.#changed.fire(left);
    this.#changed.fire(right);
    const title = `Request of step ${from} ↔ ${nameOf(to)}`;
    await vscode.commands.executeCommand('vscode.diff', left, right, title, {
      preview: true,
      viewColumn: this.column(),
    });
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function nameOf(step: number | 'next'): string {
  return step === 'next' ? 'the next request' : `step ${step}`;
}

/** The ending of the path tells VS Code the language. */
function uriOf(session: string, step: number | 'next', form: RequestForm): vscode.Uri {
  return vscode.Uri.from({
    scheme: RequestDocuments.scheme,
    path: `/request-${step}.${form === 'raw' ? 'json' : 'txt'}`,
    query: session,
  });
}

function partsOf({ path, query }: vscode.Uri): {
  readonly session: string;
  readonly step: number | 'next';
  readonly form: RequestForm;
} {
  const [, name = 'next', ending = ''] = /^\/request-(\w+)\.(\w+)$/.exec(path) ?? [];
  return {
    session: query,
    step: name === 'next' ? 'next' : Number(name),
    form: ending === 'json' ? 'raw' : 'readable',
  };
}
