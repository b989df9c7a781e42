import { diffArrays } from 'diff';
import * as vscode from 'vscode';
import type { ProposedText, Proposals } from '../approvals/proposals';
import type { SessionRun } from '../session/sessionRun';
import { isInDiff } from '../openEditor';
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
  /** The first changed line. */
  readonly start: number;
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

  constructor(private readonly proposals: Pick<Proposals, 'textOf'>) {
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

  /** The next prompt of the session asks for an edit in this file. */
  expect(run: SessionRun, file: vscode.Uri): void {
    this.#asked.set(run, { turn: run.window.turn + 1, file: file.toString() });
  }

  /**
   * Shows a proposal in its file. Returns false if the user did not ask for it there, or if the file
   * is not in sight, has changed, or would change too much for that.
   */
  async show(run: SessionRun, id: string): Promise<boolean> {
    const proposal = this.proposals.textOf(id);
    const asked = this.#asked.get(run);
    if (proposal === undefined || asked?.turn !== run.window.turn) return false;
    const address = proposal.file.toString();
    const editor = vscode.window.visibleTextEditors.find(
      (one) => one.document.uri.toString() === address && !isInDiff(one),
    );
    const changed = changedLines(proposal);
    const isSame = editor !== undefined && isText(editor.document, proposal.before);
    if (asked.file !== address || !isSame || changed === undefined) return false;
    await this.hide();
    const { start, afterEnd, removed } = changed;
    this.#shown = { id, editor, proposal: proposal.shown, start };
    editor.setDecorations(
      this.#removed,
      removed.map((line) => new vscode.Range(line, 0, line, 0)),
    );
    if (afterEnd > start) await peek(proposal, changed);
    // After the peek: an editor in which one opens drops its request for lenses.
    this.#changed.fire();
    return true;
  }

  /** Removes what is shown of a proposal, or of any. */
  async hide(id = this.#shown?.id): Promise<void> {
    if (this.#shown === undefined || this.#shown.id !== id) return;
    this.#shown.editor.setDecorations(this.#removed, []);
    this.#shown = undefined;
    this.#changed.fire();
    await vscode.commands.executeCommand('closeReferenceSearch');
  }

  #lensesIn(uri: vscode.Uri): vscode.CodeLens[] {
    if (this.#shown === undefined) return [];
    const { editor, proposal, start } = this.#shown;
    if (editor.document.uri.toString() !== uri.toString()) return [];
    const range = new vscode.Range(start, 0, start, 0);
    return [
      { title: 'Allow', command: 'plimsoll.allowProposal', arguments: [proposal] },
      { title: 'Deny', command: 'plimsoll.denyProposal', arguments: [proposal] },
    ].map((command) => new vscode.CodeLens(range, command));
  }
}

/** Opens the new text below the changed lines of the file. */
async function peek({ file, shown, after }: ProposedText, changed: Changed): Promise<void> {
  const { start, beforeEnd, afterEnd } = changed;
  const below = new vscode.Position(Math.max(start, beforeEnd - 1), 0);
  const last = afterEnd - 1;
  const end = linesOf(after)[last]?.length ?? 0;
  const added = new vscode.Location(shown, new vscode.Range(start, 0, last, end));
  const peekLocations = 'editor.action.peekLocations';
  await vscode.commands.executeCommand(peekLocations, file, below, [added], 'peek');
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
  return document.lineCount === lines.length && linesOf(document.getText()).join() === lines.join();
}
