import * as vscode from 'vscode';
import { visibleLine, visiblePath } from '../../contextWindow/visibleText';
import type { WorkspaceFiles } from '../checkpoints/workspaceFiles';
import { isInDiff, showText } from '../openEditor';
import { pathBelow } from '../openFolders';
import type { Services } from '../services';
import type { CurrentSession } from '../session/currentSession';
import { type OpenChange, OpenChanges } from './openChanges';

/** Pause between two looks at the visible editors, ms. */
const LOOK_AGAIN_MS = 100;

/** Most removed lines of a change shown on hover. */
const MOST_REMOVED = 20;

/** Says for menus and keys that the active editor shows changes. */
const CONTEXT_KEY = 'plimsoll.changesInFile';

const NO_CHANGE_HERE = 'There is no change of the agent at the cursor.';
const NO_CHANGES = 'No change of the agent is open: each was kept, undone or changed since.';

type ChangeServices = Pick<Services, 'notices' | 'report' | 'folders'>;

/**
 * Shows in open files what the agent changed there, with Keep and Undo for each change, until the
 * user has answered, another session is shown, or the lines have changed.
 */
export class ChangesInFile implements vscode.Disposable {
  readonly #open: OpenChanges;
  readonly #shown = new Map<string, readonly OpenChange[]>();
  /** The last drawing in each editor. */
  readonly #drawn = new WeakMap<vscode.TextEditor, string>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #added = vscode.window.createTextEditorDecorationType(ADDED);
  readonly #removed = vscode.window.createTextEditorDecorationType(REMOVED);
  readonly #disposables: readonly vscode.Disposable[];
  #timer: NodeJS.Timeout | undefined;
  #isKeySet = false;

  constructor(
    private readonly services: ChangeServices,
    current: Pick<CurrentSession, 'run' | 'follow'>,
    files: Pick<WorkspaceFiles, 'history'>,
  ) {
    this.#open = new OpenChanges(current, files.history);
    const look = (): void => this.#lookSoon();
    current.follow({ changed: look, shown: look });
    const { languages, window, workspace } = vscode;
    this.#disposables = [
      this.#changed,
      this.#added,
      this.#removed,
      window.onDidChangeVisibleTextEditors(look),
      window.onDidChangeActiveTextEditor(look),
      workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === 'file') look();
      }),
      languages.registerCodeLensProvider(
        { scheme: 'file' },
        {
          onDidChangeCodeLenses: this.#changed.event,
          provideCodeLenses: ({ uri }) => this.#lenses(uri),
        },
      ),
    ];
    look();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const each of this.#disposables) each.dispose();
  }

  get commands() {
    return {
      keepChange: (id: unknown) => this.#keep(id),
      undoChange: (id: unknown) => this.#undo(id),
      keepFileChanges: (path: unknown) => this.#keepFile(path),
      undoFileChanges: (path: unknown) => this.#undoFile(path),
      nextChange: () => this.#go(1),
      previousChange: () => this.#go(-1),
    };
  }

  /** Events come many times a second while the agent works. */
  #lookSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.services.report.run(async () => {
        try {
          await this.#look();
        } finally {
          this.#timer = undefined;
        }
      });
    }, LOOK_AGAIN_MS);
  }

  async #look(): Promise<void> {
    const paths = new Set(this.#open.paths);
    const seen = new Map<string, readonly OpenChange[]>();
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      const address = document.uri.toString();
      const path = this.#pathOf(document.uri);
      const isOpen = path !== undefined && paths.has(path) && !isInDiff(editor);
      const changes = isOpen
        ? (seen.get(address) ?? (await this.#open.in(path, document.getText())))
        : [];
      if (isOpen) seen.set(address, changes);
      this.#draw(editor, changes);
    }
    const isSame =
      seen.size === this.#shown.size &&
      [...seen].every(([address, changes]) => drawingOf(changes) === this.#drawingAt(address));
    this.#shown.clear();
    for (const [address, changes] of seen) this.#shown.set(address, changes);
    if (!isSame) this.#changed.fire();
    this.#setKey();
  }

  #drawingAt(address: string): string {
    return drawingOf(this.#shown.get(address) ?? []);
  }

  #draw(editor: vscode.TextEditor, changes: readonly OpenChange[]): void {
    const drawing = drawingOf(changes);
    if ((this.#drawn.get(editor) ?? '') === drawing) return;
    this.#drawn.set(editor, drawing);
    const lines = (of: (change: OpenChange) => readonly number[]) =>
      changes.flatMap((change) =>
        of(change).map((line) => ({
          range: new vscode.Range(line, 0, line, 0),
          hoverMessage: hoverOf(change),
        })),
      );
    editor.setDecorations(
      this.#added,
      lines(({ added }) => added),
    );
    editor.setDecorations(
      this.#removed,
      lines(({ added, start }) => (added.length === 0 ? [start] : [])),
    );
  }

  #lenses(uri: vscode.Uri): vscode.CodeLens[] {
    const changes = this.#shown.get(uri.toString()) ?? [];
    return changes.flatMap(({ id, path, start }, index) => {
      const range = new vscode.Range(start, 0, start, 0);
      const lens = (title: string, name: string, ...given: readonly unknown[]) =>
        new vscode.CodeLens(range, { title, command: `plimsoll.${name}`, arguments: [...given] });
      const own = [lens('Keep', 'keepChange', id), lens('Undo', 'undoChange', id)];
      if (changes.length === 1) return own;
      const next = lens(`Next change (${index + 1} of ${changes.length})`, 'nextChange');
      if (index > 0) return [...own, next];
      return [
        ...own,
        next,
        lens('Keep all', 'keepFileChanges', path),
        lens('Undo all', 'undoFileChanges', path),
      ];
    });
  }

  async #keep(id: unknown): Promise<void> {
    const change = this.#changeOf(id);
    this.#tell(change === undefined ? NO_CHANGE_HERE : await this.#open.keep(change));
  }

  async #undo(id: unknown): Promise<void> {
    const change = this.#changeOf(id);
    if (change === undefined) return this.#tell(NO_CHANGE_HERE);
    const undone = await this.#open.undo(change);
    if (!undone.ok) return this.#tell(undone.message);
    if (undone.left.length > 0) await this.#undoFile(change.path);
  }

  async #keepFile(given: unknown): Promise<void> {
    const path = typeof given === 'string' ? given : this.#activePath;
    this.#tell(path === undefined ? NO_CHANGES : await this.#open.keepFile(path));
  }

  /** Undoes the changes of a file; if something else changed it since, the user is asked. */
  async #undoFile(given: unknown, changedToo = false): Promise<void> {
    const path = typeof given === 'string' ? given : this.#activePath;
    if (path === undefined) return this.#tell(NO_CHANGES);
    const undone = await this.#open.undoFile(path, changedToo);
    if (!undone.ok) return this.#tell(undone.message);
    if (undone.left.length === 0) return;
    const anyway = 'Undo Anyway';
    const choice = await vscode.window.showWarningMessage(
      `Plimsoll: ${visiblePath(path)} was changed by something else since. Nothing was undone.`,
      anyway,
    );
    if (choice === anyway) await this.#undoFile(path, true);
  }

  /** Goes to the next change of the file, and from its last one to the next file with changes. */
  async #go(direction: 1 | -1): Promise<void> {
    const folders = this.services.folders.now;
    if (folders === undefined) return this.#tell(NO_CHANGES);
    const paths = direction > 0 ? this.#open.paths : this.#open.paths.toReversed();
    const at = paths.indexOf(this.#activePath ?? '');
    // The file comes again at the end, from its first change on.
    const round = at < 0 ? paths : [...paths.slice(at), ...paths.slice(0, at + 1)];
    for (const [index, path] of round.entries()) {
      const isHere = at >= 0 && index === 0;
      const line = isHere ? vscode.window.activeTextEditor?.selection.active.line : undefined;
      const uri = vscode.Uri.file(folders.absolute(path));
      const document = await openedOrNone(uri);
      const changes = document && (await this.#open.in(path, document.getText()));
      const starts = (changes ?? []).map(({ start }) => start);
      const next =
        direction > 0
          ? starts.find((start) => line === undefined || start > line)
          : starts.findLast((start) => line === undefined || start < line);
      if (document === undefined || next === undefined) continue;
      await showText(document, { selection: new vscode.Range(next, 0, next, 0) });
      return;
    }
    this.#tell(NO_CHANGES);
  }

  /** The change with an id; without one, the change at the cursor. */
  #changeOf(id: unknown): OpenChange | undefined {
    if (typeof id === 'string') {
      return [...this.#shown.values()].flat().find((change) => change.id === id);
    }
    const editor = vscode.window.activeTextEditor;
    const line = editor?.selection.active.line ?? -1;
    const changes = editor && this.#shown.get(editor.document.uri.toString());
    return changes?.find(({ start, end }) => line >= start && line < Math.max(end, start + 1));
  }

  get #activePath(): string | undefined {
    const uri = vscode.window.activeTextEditor?.document.uri;
    return uri && this.#pathOf(uri);
  }

  #pathOf(uri: vscode.Uri): string | undefined {
    return pathBelow(this.services.folders, uri);
  }

  #setKey(): void {
    const address = vscode.window.activeTextEditor?.document.uri.toString() ?? '';
    const has = (this.#shown.get(address) ?? []).length > 0;
    if (has === this.#isKeySet) return;
    this.#isKeySet = has;
    void vscode.commands.executeCommand('setContext', CONTEXT_KEY, has);
  }

  #tell(refusal: string | undefined): void {
    if (refusal !== undefined) this.services.notices.warn(refusal);
  }
}

/** Added lines have the colours of VS Code's diff, and a bar that high contrast shows as well. */
const ADDED: vscode.DecorationRenderOptions = {
  isWholeLine: true,
  backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
  borderColor: new vscode.ThemeColor('editorGutter.addedBackground'),
  borderStyle: 'solid',
  borderWidth: '0 0 0 1px',
  overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
  overviewRulerLane: vscode.OverviewRulerLane.Left,
};

/** A line above which lines were removed. */
const REMOVED: vscode.DecorationRenderOptions = {
  isWholeLine: true,
  borderColor: new vscode.ThemeColor('editorGutter.deletedBackground'),
  borderStyle: 'solid',
  borderWidth: '2px 0 0 0',
  overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
  overviewRulerLane: vscode.OverviewRulerLane.Left,
};

function drawingOf(changes: readonly OpenChange[]): string {
  return changes.map(({ id, start, end }) => `${id} ${start} ${end}`).join('\n');
}

/** The lines that the agent replaced or removed; they are text, and no Markdown. */
function hoverOf({ removed, turn }: OpenChange): vscode.MarkdownString {
  const hover = new vscode.MarkdownString(`Changed by Plimsoll in prompt ${turn}`);
  if (removed.length === 0) return hover;
  const lines = removed.slice(0, MOST_REMOVED).map((line) => `-${visibleLine(line)}`);
  const left = removed.length - lines.length;
  const more = left > 0 ? [`(${left} more lines)`] : [];
  return hover.appendCodeblock([...lines, ...more].join('\n'), 'diff');
}

async function openedOrNone(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  return vscode.workspace.openTextDocument(uri).then(undefined, () => undefined);
}
