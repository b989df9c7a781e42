import type { Checkpoints } from '../../agent/checkpointPort';
import * as vscode from 'vscode';

import { filesNow } from '../../agent/filesNow';
import type { Workspace } from '../../agent/workspace';
import type { WorkspaceFolders } from '../../agent/workspaceFolders';
import type { ContextWindow } from '../../contextWindow/window';
import { NO_FILE } from '../../contextWindow/fileChanges';
import { errorText, type Refusal } from '../../contextWindow/result';
import { visiblePath } from '../../contextWindow/visibleText';
import { editablePath } from '../../tools/files/insideWorkspace';
import type { Services } from '../services';
import { checkpointsFolder } from '../session/workLeft';
import type { CurrentSession } from '../session/currentSession';
import { showDiff } from '../openEditor';
import { pathBelow } from '../openFolders';
import { EditorWorkspace } from '../tools/editorWorkspace';
import { FileHistory, type FileToWrite, type SavedFiles } from './fileHistory';
import type { FileModel } from '../../contextWindow/files/knownFile';

type FileServices = Pick<Services, 'access' | 'context' | 'folders' | 'loadTools' | 'textColumn'>;

/** Saved versions of workspace files, kept in a folder of the extension and shown as documents. */
export class WorkspaceFiles implements SavedFiles {
  static readonly scheme = 'plimsoll-before';
  readonly history: FileHistory;
  #made:
    { readonly folders: WorkspaceFolders; readonly checkpoints: Promise<Checkpoints> } | undefined;

  constructor(
    private readonly services: FileServices,
    current: Pick<CurrentSession, 'run'>,
  ) {
    this.history = new FileHistory(current, this, services.access.estimator);
  }

  /** Saves files before calls change them; undefined if the user wants none saved. */
  async checkpoints(): Promise<Checkpoints | undefined> {
    const { loadTools } = this.services;
    const folders = this.services.folders.now;
    if (folders === undefined || this.#mostBytes === 0) return undefined;
    if (this.#made?.folders === folders) return this.#made.checkpoints;
    const checkpoints = loadTools(folders).then(({ makeCheckpoints }) =>
      makeCheckpoints(checkpointsFolder(this.services.context), () => this.#mostBytes),
    );
    this.#made = { folders, checkpoints };
    return checkpoints;
  }

  /**
   * The current files in work of a window, as a pass would show them; undefined if no folder is
   * open.
   */
  async filesNow(window: ContextWindow): Promise<FileModel | undefined> {
    if (this.services.folders.now === undefined) return undefined;
    const { estimator } = this.services.access;
    return filesNow({ workspace: await this.#workspace(), estimator }, window);
  }

  /** Opens the diff of a file since the start of a turn. */
  async openDiff(turn: number, path: string): Promise<boolean> {
    const folders = this.services.folders.now;
    const file = this.history.file(turn, path);
    if (file === undefined || folders === undefined) return false;
    const uri = (content: string): vscode.Uri =>
      vscode.Uri.from({ scheme: WorkspaceFiles.scheme, path: `/${path}`, query: content });
    const now = vscode.Uri.file(folders.absolute(path));
    const right = file.after === NO_FILE ? uri(NO_FILE) : now;
    const title = `${visiblePath(path)} (since prompt ${turn})`;
    await showDiff(uri(file.before), right, title, { viewColumn: this.services.textColumn.beside });
    return true;
  }

  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    const text = await this.history.text(query);
    return text ?? 'This version is no longer kept, or is not text.';
  }

  async write(kept: Checkpoints, file: FileToWrite): Promise<Refusal> {
    return writeContent(kept, await this.#workspace(), file);
  }

  isUnsaved(path: string): boolean {
    const { folders } = this.services;
    // A session that began with one folder has paths without its name.
    const now = folders.now?.pathOf(folders.now.absolute(path));
    return vscode.workspace.textDocuments.some(
      ({ isDirty, uri }) => isDirty && now !== undefined && pathBelow(folders, uri) === now,
    );
  }

  get #mostBytes(): number {
    return this.services.access.settings.valid.settings.checkpoints.maxMegabytes * 1_000_000;
  }

  async #workspace(): Promise<EditorWorkspace> {
    const { folders, loadTools } = this.services;
    if (folders.now === undefined) throw new Error('Files were asked for without a workspace.');
    return new EditorWorkspace((await loadTools(folders.now)).disk);
  }
}

/** Writes a saved version of a file, if the file still has the expected content. */
async function writeContent(
  kept: Checkpoints,
  workspace: Workspace,
  { path, was, to }: FileToWrite,
): Promise<Refusal> {
  const name = visiblePath(path);
  if ((await kept.now(path)) !== was) {
    return `${name} has just been changed by something else. It was skipped.`;
  }
  if (to === was) return undefined;
  if (to === NO_FILE) {
    const deleted = await workspace.deleteFile(path);
    return deleted.ok ? undefined : deleted.message;
  }
  const content = await kept.content(to);
  if (content === undefined) {
    return `${name} was not restored: this version is no longer kept.`;
  }
  const text = await kept.text(to);
  if (text !== undefined) {
    // Through the editor, so that its own undo includes the change.
    const mode = was === NO_FILE ? 'create' : 'replace';
    const written = await workspace.writeFile(path, text, mode);
    if (!written.ok) return written.message;
    if ((await kept.now(path)) === to) return undefined;
  }
  // Binary files, and text that the editor would change, such as mixed line ends.
  const inside = await editablePath(workspace.folders, path);
  if (!inside.ok) return inside.message;
  try {
    await vscode.workspace.fs.writeFile(vscode.Uri.file(inside.realPath), content);
    return undefined;
  } catch (error) {
    return `${name} was not restored: ${errorText(error)}`;
  }
}
