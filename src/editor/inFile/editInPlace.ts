import { diffArrays } from 'diff';
import * as vscode from 'vscode';
import type { ProposedText, Proposals } from '../approvals/proposals';
import type { SessionRun } from '../session/sessionRun';
import { focusAgent, isInDiff, showText } from '../openEditor';
import { linesOf } from './placedHunk';

/** Longest change that is shown in place, in removed and added lines; a longer one gets a diff. */
const MOST_LINES = 30;

/** Where the user asked for an edit: the turn of the prompt, and the file. */
interface Asked {
  readonly turn: number;
  readonly file: string;
}

/** A proposal that is shown in its file. */
interface Shown {
  readonly id: string;
  readonly editor: vscode.TextEditor;
  readonly proposal: vscode.Uri;
  /** The first changed line; the last of the file if the new lines come after it. */
  readonly line: number;
  readonly hasPeek: boolean;
}

/** The changed part of a proposal, in lines from 0; ends are exclusive. */
interface Changed {
  readonly start: number;
  readonly beforeEnd: number;
  readonly afterEnd: number;
  readonly removed: readonly number[];
}

/**
 * Shows a small edit that the user asked for in a file at its place there: the lines that it removes
 * are marked, the new ones stand below them, and Allow and Deny above them.
 */
export class EditInPlace implements vscode.Disposable {
  readonly #asked = new WeakMap<SessionRun, Asked>();
  readonly #removed = vscode.window.createTextEditorDecorationType(REMOVED);
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #lenses: vscode.Disposable;
  #shown: Shown | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly proposals: Pick<Proposals, 'textOf'>,
    private readonly agentView: { readonly isFocused: boolean },
  ) {
    this.#lenses = vscode.languages.registerCodeLensProvider(
      { scheme: 'file' },
      {
        onDidChangeCodeLenses: this.#changed.event,
        provideCodeLenses: ({ uri }) => this.#lensesIn(uri),
      },
    );
  }

  dispose(): void {
    for (const each of [this.#lenses, this.#changed, this.#removed]) each.dispose();
  }

  /** The prompt of this turn asks for an edit in this file. */
  expect(run: SessionRun, turn: number, file: vscode.Uri): void {
    this.#asked.set(run, { turn, file: file.toString() });
  }

  /**
   * Shows a proposal in its file. Returns false if the user did not ask for it there or does
   * something else now, or if the file has changed or would change too much for that.
   */
  show(run: SessionRun, id: string): Promise<boolean> {
    return this.#inTurn(() => this.#show(run, id));
  }

  /** Removes a proposal from its file. */
  hide(id: string): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#shown?.id === id) await this.#hide(this.#shown);
    });
  }

  /** A peek that is still opening cannot be closed, so requests run one after another. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work);
    this.#last = done;
    return done;
  }

  async #show(run: SessionRun, id: string): Promise<boolean> {
    const proposal = this.proposals.textOf(id);
    const asked = this.#asked.get(run);
    if (proposal === undefined || asked?.turn !== run.window.turn) return false;
    const address = proposal.file.toString();
    const editor = vscode.window.activeTextEditor;
    if (asked.file !== address || editor?.document.uri.toString() !== address) return false;
    // A peek takes the focus, and VS Code has no other place for Allow and Deny than a lens.
    const hasLenses = vscode.workspace.getConfiguration('editor', editor.document).get('codeLens');
    if (this.agentView.isFocused || isInDiff(editor) || hasLenses !== true) return false;
    const changed = changedLines(proposal);
    if (changed === undefined || !isText(editor.document, proposal.before)) return false;
    if (this.#shown !== undefined) await this.#hide(this.#shown);
    const { start, afterEnd, removed } = changed;
    const line = Math.min(start, editor.document.lineCount - 1);
    this.#shown = { id, editor, proposal: proposal.shown, line, hasPeek: afterEnd > start };
    editor.setDecorations(
      this.#removed,
      removed.map((line) => new vscode.Range(line, 0, line, 0)),
    );
    if (afterEnd > start) await peek(proposal, changed);
    // After the peek: an editor in which one opens drops its request for lenses.
    this.#changed.fire();
    return true;
  }

  async #hide({ editor, hasPeek }: Shown): Promise<void> {
    this.#shown = undefined;
    editor.setDecorations(this.#removed, []);
    this.#changed.fire();
    // It went with its editor.
    if (!hasPeek || !vscode.window.visibleTextEditors.includes(editor)) return;
    // VS Code closes only the peek of the editor with the focus.
    const { activeTextEditor: before } = vscode.window;
    const wasInPage = this.agentView.isFocused;
    await showText(editor.document, { viewColumn: editor.viewColumn });
    await vscode.commands.executeCommand('closeReferenceSearch');
    if (wasInPage) return focusAgent();
    if (before === undefined || before === editor || before.viewColumn === undefined) return;
    await showText(before.document, { viewColumn: before.viewColumn });
  }

  #lensesIn(uri: vscode.Uri): vscode.CodeLens[] {
    if (this.#shown === undefined) return [];
    const { editor, proposal, line } = this.#shown;
    if (editor.document.uri.toString() !== uri.toString()) return [];
    const range = new vscode.Range(line, 0, line, 0);
    return [
      { title: 'Allow', command: 'plimsoll.allowProposal', arguments: [proposal] },
      { title: 'Deny', command: 'plimsoll.denyProposal', arguments: [proposal] },
    ].map((command) => new vscode.CodeLens(range, command));
  }
}

/** Opens the new text below the changed lines of the file. */
async function peek({ file, shown, after }: ProposedText, changed: Changed): Promise<void> {
  const { start, beforeEnd, afterEnd } = changed;
  const below = new vscode.Position(Math.max(0, beforeEnd - 1), 0);
  const last = afterEnd - 1;
  const end = linesOf(after)[last]?.length ?? 0;
  const added = new vscode.Location(shown, new vscode.Range(start, 0, last, end));
  const peekLocations = 'editor.action.peekLocations';
  await vscode.commands.executeCommand(peekLocations, file, below, [added], 'peek');
  await editorOn(shown);
}

/** Longest wait for a peek that opens, ms. */
const OPENING_MS = 2_000;

/** Waits until an editor shows a text: the command for a peek does not. */
function editorOn(uri: vscode.Uri): Promise<void> {
  const isShown = () =>
    vscode.window.visibleTextEditors.some(
      ({ document }) => document.uri.toString() === uri.toString(),
    );
  return new Promise((resolve) => {
    const look = (): void => {
      if (isShown()) end();
    };
    const end = (): void => {
      clearTimeout(timer);
      watch.dispose();
      resolve();
    };
    const timer = setTimeout(end, OPENING_MS);
    const watch = vscode.window.onDidChangeVisibleTextEditors(look);
    look();
  });
}

const REMOVED: vscode.DecorationRenderOptions = {
  isWholeLine: true,
  backgroundColor: new vscode.ThemeColor('diffEditor.removedLineBackground'),
  borderColor: new vscode.ThemeColor('editorGutter.deletedBackground'),
  borderStyle: 'solid',
  borderWidth: '0 0 0 1px',
};

/** The lines between what both texts begin and end with; undefined if they are none or too many. */
function changedLines({ before, after }: ProposedText): Changed | undefined {
  if (before === undefined) return undefined;
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < shorter && old[start] === fresh[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const [beforeEnd, afterEnd] = [old.length - tail, fresh.length - tail];
  const size = beforeEnd - start + afterEnd - start;
  if (size === 0 || size > MOST_LINES) return undefined;
  const removed: number[] = [];
  let at = start;
  for (const part of diffArrays(old.slice(start, beforeEnd), fresh.slice(start, afterEnd))) {
    if (part.added) continue;
    for (let one = 0; part.removed && one < part.count; one += 1) removed.push(at + one);
    at += part.count;
  }
  return { start, beforeEnd, afterEnd, removed };
}

/** Whether a document holds this text, apart from line ends and a byte order mark. */
function isText(document: vscode.TextDocument, text: string | undefined): boolean {
  const lines = text === undefined ? [] : linesOf(text);
  const now = linesOf(document.getText());
  return now.length === lines.length && now.every((line, index) => line === lines[index]);
}
