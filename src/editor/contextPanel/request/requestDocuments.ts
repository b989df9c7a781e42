import * as vscode from 'vscode';
import type { ExchangeSide, RequestForm } from './wishes';
import { showDiff, showText } from '../../openEditor';

/** The request for a summary, or its answer. */
interface ExchangeName {
  readonly summaryId: string;
  readonly side: ExchangeSide;
}

/** The request of a step, or of a summary. */
export type RequestName = number | 'next' | ExchangeName;

/** `compared`: without what changes in every request, for the diff of two that were captured. */
export type ShownForm = RequestForm | 'compared';

/** The requests of the session or recording that the panel shows. */
export interface RequestsShown {
  readonly session: string;
  /** Whether the request was recorded exactly, not reconstructed. */
  isCaptured(step: number | 'next'): boolean;
  /** Undefined if there is no such request. */
  textOf(name: RequestName, form: ShownForm): Promise<string | undefined>;
}

/** Shows requests in read-only editors, and the difference of two in VS Code's diff editor. */
export class RequestDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  static readonly scheme = 'plimsoll-request';
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  #looks = 0;

  /** `column` is where requests open, never over the Context panel. */
  constructor(
    private readonly shown: RequestsShown,
    private readonly column: () => vscode.ViewColumn,
  ) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { session, name, form } = partsOf(uri);
    const isShown = session === this.shown.session;
    return (
      (isShown ? await this.shown.textOf(name, form) : undefined) ??
      'This request belongs to another session. Open that session, then open the request from its Context panel.'
    );
  }

  async open(name: RequestName, form: RequestForm): Promise<void> {
    const uri = this.#uriOf(name, form);
    const document = await vscode.workspace.openTextDocument(uri);
    await showText(document, { preview: true, viewColumn: this.column() });
  }

  /** Opens the diff of two requests. */
  async diff(from: number, to: number | 'next', form: RequestForm): Promise<void> {
    const isCaptured = this.shown.isCaptured(from) || this.shown.isCaptured(to);
    const shown = isCaptured ? 'compared' : form;
    const [left, right] = [this.#uriOf(from, shown), this.#uriOf(to, shown)];
    const title = `Request of step ${from} ↔ ${nameOf(to)}`;
    await showDiff(left, right, title, { preview: true, viewColumn: this.column() });
  }

  /** Copies the body of a request to the clipboard. */
  async copy(step: number | 'next'): Promise<void> {
    await vscode.env.clipboard.writeText((await this.shown.textOf(step, 'raw')) ?? '');
  }

  /**
   * Refreshes a session's open documents after its requests change, for example by another replay.
   */
  refresh(session: string): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      const isOfIt = uri.scheme === RequestDocuments.scheme && partsOf(uri).session === session;
      if (isOfIt) this.#changed.fire(uri);
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /**
   * The extension in the path tells VS Code the language. The next request differs each time, and
   * an editor would first show its old content, so each time has its own name.
   */
  #uriOf(name: RequestName, form: ShownForm): vscode.Uri {
    const words = typeof name === 'object' ? `${name.side}-${name.summaryId}` : `request-${name}`;
    return vscode.Uri.from({
      scheme: RequestDocuments.scheme,
      path: `/${words}.${ENDINGS[form]}`,
      query: this.shown.session,
      ...(name === 'next' ? { fragment: String(++this.#looks) } : {}),
    });
  }
}

const ENDINGS: Readonly<Record<ShownForm, string>> = {
  raw: 'json',
  readable: 'txt',
  compared: 'text',
};

function nameOf(step: number | 'next'): string {
  return step === 'next' ? 'the next request' : `step ${step}`;
}

function partsOf({ path, query }: vscode.Uri): {
  readonly session: string;
  readonly name: RequestName;
  readonly form: ShownForm;
} {
  const [, what, words = '', ending = ''] =
    /^\/(request|asked|answered)-([\w-]+)\.(\w+)$/.exec(path) ?? [];
  const form = ending === 'json' ? 'raw' : ending === 'text' ? 'compared' : 'readable';
  if (what === 'asked' || what === 'answered') {
    return { session: query, name: { summaryId: words, side: what }, form };
  }
  return { session: query, name: words === 'next' ? 'next' : Number(words), form };
}
