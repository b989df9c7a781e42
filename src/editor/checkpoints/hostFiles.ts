import type { Checkpoints } from '../../agent/checkpointPort';
import { isAbsolute, join, relative } from 'node:path';
import * as vscode from 'vscode';

import { filesNow } from '../../agent/filesNow';
import type { ContextWindow } from '../../contextWindow/contextWindow';
import { NO_FILE } from '../../contextWindow/fileChanges';
import type { FileModel } from '../../contextWindow/files/fileModel';
import { visiblePath } from '../../contextWindow/visibleText';
import { EditorWorkspace } from '../tools/editorWorkspace';
import { FileHistory, type FileHistoryParts } from './fileHistory';
import { writeContent } from './fileWriter';
import type { HostParts } from '../hostParts';
import type { ModelAccess } from '../model/modelAccess';
import { showDiff } from '../openEditor';

/** What the files of the workspace need to know of the host. */
interface FilesPlace extends Pick<FileHistoryParts, 'controller'> {
  readonly access: ModelAccess;
  /** Where contents are kept; absolute path. */
  readonly folder: string;
  /** Where texts open: never over the Context panel. */
  readonly column: () => vscode.ViewColumn;
}

/** The files of the workspace as they were: kept in a folder of the editor's, shown as documents. */
export class HostFiles {
  static readonly scheme = 'plimsoll-before';
  readonly history: FileHistory;
  #made: Promise<Checkpoints> | undefined;

  constructor(
    private readonly parts: HostParts,
    private readonly place: FilesPlace,
  ) {
    const { controller, access } = place;
    this.history = new FileHistory({
      controller,
      checkpoints: () => this.checkpoints(),
      write: async (kept, file) => writeContent(kept, await this.#workspace(), file),
      isUnsaved: (path) => this.#isUnsaved(path),
      warm: (text) => access.estimator.warm([text]),
    });
  }

  /** What keeps files before calls change them; undefined where the user wants none kept. */
  async checkpoints(): Promise<Checkpoints | undefined> {
    const { root, loadTools } = this.parts;
    if (root === undefined || this.#mostBytes === 0) return undefined;
    this.#made ??= loadTools(root).then(({ makeCheckpoints }) =>
      makeCheckpoints(this.place.folder, () => this.#mostBytes),
    );
    return this.#made;
  }

  /** The files in work of a window as a pass would show them; undefined where no folder is open. */
  async filesNow(window: ContextWindow): Promise<FileModel | undefined> {
    if (this.parts.root === undefined) return undefined;
    const { estimator } = this.place.access;
    return filesNow({ workspace: await this.#workspace(), estimator }, window);
  }

  /** Opens the diff of a file of a turn: how it was when the turn began, and how it is. */
  async openDiff(turn: number, path: string): Promise<boolean> {
    const { root } = this.parts;
    const file = this.history.file(turn, path);
    if (file === undefined || root === undefined) return false;
    const uri = (content: string): vscode.Uri =>
      vscode.Uri.from({ scheme: HostFiles.scheme, path: `/${path}`, query: content });
    const now = vscode.Uri.file(join(root, path));
    const right = file.after === NO_FILE ? uri(NO_FILE) : now;
    const title = `${visiblePath(path)} (since prompt ${turn})`;
    await showDiff(uri(file.before), right, title, { viewColumn: this.place.column() });
    return true;
  }

  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    const text = await this.history.text(query);
    return text ?? 'This content is not kept any more, or is no text.';
  }

  get #mostBytes(): number {
    return this.place.access.settings.valid.settings.checkpoints.maxMegabytes * 1_000_000;
  }

  async #workspace(): Promise<EditorWorkspace> {
    const { root, loadTools } = this.parts;
    if (root === undefined) throw new Error('Files were asked for without a workspace.');
    return new EditorWorkspace((await loadTools(root)).disk);
  }

  #isUnsaved(path: string): boolean {
    const { root = '' } = this.parts;
    return vscode.workspace.textDocuments.some(({ isDirty, uri }) => {
      if (!isDirty || uri.scheme !== 'file') return false;
      const inside = relative(root, uri.fsPath);
      return !isAbsolute(inside) && inside.split(/[\\/]/).join('/') === path;
    });
  }
}
