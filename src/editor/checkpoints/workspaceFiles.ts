import type { Checkpoints } from '../../agent/checkpointPort';
import { isAbsolute, join, relative } from 'node:path';
import * as vscode from 'vscode';

import { filesNow } from '../../agent/filesNow';
import type { Workspace } from '../../agent/workspace';
import type { ContextWindow } from '../../contextWindow/window';
import { type ContentName, NO_FILE } from '../../contextWindow/fileChanges';
import { errorText, type Refusal } from '../../contextWindow/result';
import { visiblePath } from '../../contextWindow/visibleText';
import { editablePath } from '../../tools/files/insideWorkspace';
import type { Services } from '../services';
import { checkpointsFolder } from '../session/workLeft';
import { showDiff } from '../openEditor';
import { EditorWorkspace } from '../tools/editorWorkspace';
import { FileHistory, type FileHistoryParts } from './fileHistory';
import type { FileModel } from '../../contextWindow/files/knownFile';

type FileServices = Pick<Services, 'access' | 'context' | 'loadTools' | 'root' | 'textColumn'>;

/** The files of the workspace as they were: kept in a folder of the editor's, shown as documents. */
export class WorkspaceFiles {
  static readonly scheme = 'plimsoll-before';
  readonly history: FileHistory;
  #made: Promise<Checkpoints> | undefined;

  constructor(
    private readonly services: FileServices,
    current: FileHistoryParts['current'],
  ) {
    const { access } = services;
    this.history = new FileHistory({
      current,
      checkpoints: () => this.checkpoints(),
      write: async (kept, file) => writeContent(kept, await this.#workspace(), file),
      isUnsaved: (path) => this.#isUnsaved(path),
      warm: (text) => access.estimator.warm([text]),
    });
  }

  /** What keeps files before calls change them; undefined where the user wants none kept. */
  async checkpoints(): Promise<Checkpoints | undefined> {
    const { root, loadTools } = this.services;
    if (root === undefined || this.#mostBytes === 0) return undefined;
    this.#made ??= loadTools(root).then(({ makeCheckpoints }) =>
      makeCheckpoints(checkpointsFolder(this.services.context), () => this.#mostBytes),
    );
    return this.#made;
  }

  /** The files in work of a window as a pass would show them; undefined where no folder is open. */
  async filesNow(window: ContextWindow): Promise<FileModel | undefined> {
    if (this.services.root === undefined) return undefined;
    const { estimator } = this.services.access;
    return filesNow({ workspace: await this.#workspace(), estimator }, window);
  }

  /** Opens the diff of a file of a turn: how it was when the turn began, and how it is. */
  async openDiff(turn: number, path: string): Promise<boolean> {
    const { root } = this.services;
    const file = this.history.file(turn, path);
    if (file === undefined || root === undefined) return false;
    const uri = (content: string): vscode.Uri =>
      vscode.Uri.from({ scheme: WorkspaceFiles.scheme, path: `/${path}`, query: content });
    const now = vscode.Uri.file(join(root, path));
    const right = file.after === NO_FILE ? uri(NO_FILE) : now;
    const title = `${visiblePath(path)} (since prompt ${turn})`;
    await showDiff(uri(file.before), right, title, { viewColumn: this.services.textColumn.beside });
    return true;
  }

  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    const text = await this.history.text(query);
    return text ?? 'This content is not kept any more, or is no text.';
  }

  get #mostBytes(): number {
    return this.services.access.settings.valid.settings.checkpoints.maxMegabytes * 1_000_000;
  }

  async #workspace(): Promise<EditorWorkspace> {
    const { root, loadTools } = this.services;
    if (root === undefined) throw new Error('Files were asked for without a workspace.');
    return new EditorWorkspace((await loadTools(root)).disk);
  }

  #isUnsaved(path: string): boolean {
    const { root = '' } = this.services;
    return vscode.workspace.textDocuments.some(({ isDirty, uri }) => {
      if (!isDirty || uri.scheme !== 'file') return false;
      const inside = relative(root, uri.fsPath);
      return !isAbsolute(inside) && inside.split(/[\\/]/).join('/') === path;
    });
  }
}

/** Gives a file of the workspace a content that was kept, where it still has the one it `was` given as. */
async function writeContent(
  kept: Checkpoints,
  workspace: Workspace,
  { path, was, to }: { readonly path: string; readonly was: ContentName; readonly to: ContentName },
): Promise<Refusal> {
  const name = visiblePath(path);
  if ((await kept.now(path)) !== was) {
    return `${name} has just been changed by somebody else. It was left as it is.`;
  }
  if (to === was) return undefined;
  if (to === NO_FILE) {
    const deleted = await workspace.deleteFile(path);
    return deleted.ok ? undefined : deleted.message;
  }
  const content = await kept.content(to);
  if (content === undefined) {
    return `${name} was not put back: its content at that moment is not kept any more.`;
  }
  const text = await kept.text(to);
  if (text !== undefined) {
    // By way of the editor, so that its own undo knows of it.
    const mode = was === NO_FILE ? 'create' : 'replace';
    const written = await workspace.writeFile(path, text, mode);
    if (!written.ok) return written.message;
    if ((await kept.now(path)) === to) return undefined;
  }
  // What is no text; and what the editor writes otherwise, such as line ends that are mixed.
  const inside = await editablePath(workspace.root, path);
  if (!inside.ok) return inside.message;
  try {
    await vscode.workspace.fs.writeFile(vscode.Uri.file(inside.realPath), content);
    return undefined;
  } catch (error) {
    return `${name} was not put back: ${errorText(error)}`;
  }
}
