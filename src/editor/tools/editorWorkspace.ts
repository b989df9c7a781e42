import { editablePath, insideWorkspace } from '../../tools/files/insideWorkspace';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Problems } from '../../agent/fileProblems';
import type { ReadText, Workspace } from '../../agent/workspace';
import type { WorkspaceFolders } from '../../agent/workspaceFolders';
import { errorText, refused, type Result } from '../../contextWindow/result';

import { EditorProblems } from './editorProblems';
import { editNotebook } from './notebookEdit';

const BYTE_ORDER_MARK = /^\uFEFF/;

/** Files that VS Code's notebook editor owns. */
const NOTEBOOK = /\.ipynb$/i;

/** Encodings that VS Code finds by itself. */
const UTF = /^utf/;

/** VS Code notices changes on disk within this time, in ms; checked every POLL_MS. */
const LONGEST_LAG_MS = 3_000;
const POLL_MS = 50;

/**
 * The workspace as the user has it in the editor: unsaved changes are read, and edits go through
 * WorkspaceEdit, so that undo and open editors are respected.
 */
export class EditorWorkspace implements Workspace {
  readonly problems: Problems;

  constructor(private readonly disk: Workspace) {
    this.problems = new EditorProblems(disk.folders);
  }

  get folders(): WorkspaceFolders {
    return this.disk.folders;
  }

  async readFile(path: string): Promise<ReadText> {
    const inside = await insideWorkspace(this.folders, path);
    if (!inside.ok) return inside;
    const open = openDocument(inside.realPath, this.#uriOf(inside.path));
    if (open?.isDirty === true) return { ok: true, text: open.getText(), unsaved: true };
    // A clean document may lag behind a command's recent write, so the disk decides.
    const read = await this.#readDisk(path);
    if (read.ok || read.isMissing === true || open === undefined) return read;
    return { ok: true, text: open.getText() };
  }

  async writeFile(
    path: string,
    text: string,
    mode: 'replace' | 'create',
  ): Promise<Result<unknown>> {
    const inside = await editablePath(this.folders, path);
    if (!inside.ok) return inside;
    const uri = this.#uriOf(inside.path);
    if (mode === 'create' && inside.kind !== 'missing') {
      return refused(`${inside.path} already exists; nothing was written.`);
    }
    if (mode === 'replace' && inside.kind !== 'file') {
      return refused(`${inside.path} is not a file; nothing was written.`);
    }
    try {
      return mode === 'create'
        ? await applyAndSave(creation(uri, text), uri, inside.path)
        : await this.#replace(uri, inside.path, text.replace(BYTE_ORDER_MARK, ''));
    } catch (error) {
      const why = errorText(error);
      return refused(`${inside.path} was not written: ${why}`);
    }
  }

  async moveFile(path: string, to: string): Promise<Result<unknown>> {
    const [from, target] = [
      await editablePath(this.folders, path),
      await editablePath(this.folders, to),
    ];
    if (!from.ok) return from;
    if (!target.ok) return target;
    if (target.kind !== 'missing') return refused(`${to} already exists; nothing was moved.`);
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(this.#uriOf(from.path), this.#uriOf(target.path), { overwrite: false });
    return applied(edit, `${path} was not moved`);
  }

  async deleteFile(path: string): Promise<Result<{ readonly isKept: boolean }>> {
    const inside = await editablePath(this.folders, path);
    if (!inside.ok) return inside;
    const uri = this.#uriOf(inside.path);
    const remove = (useTrash: boolean) => vscode.workspace.fs.delete(uri, { useTrash });
    try {
      const isKept = await Promise.resolve(remove(true)).then(
        () => true,
        // A remote machine has no trash.
        () => false,
      );
      if (!isKept) await remove(false);
      return { ok: true, isKept };
    } catch (error) {
      return refused(`${path} was not removed: ${errorText(error)}`);
    }
  }

  listFiles(...query: Parameters<Workspace['listFiles']>): ReturnType<Workspace['listFiles']> {
    return this.disk.listFiles(...query);
  }

  envFiles(): Promise<readonly string[]> {
    return this.disk.envFiles?.() ?? Promise.resolve([]);
  }

  searchText(...query: Parameters<Workspace['searchText']>): ReturnType<Workspace['searchText']> {
    return this.disk.searchText(...query);
  }

  sandbox(): Promise<string | undefined> {
    return this.disk.sandbox?.() ?? Promise.resolve(undefined);
  }

  runCommand(...call: Parameters<Workspace['runCommand']>): ReturnType<Workspace['runCommand']> {
    return this.disk.runCommand(...call);
  }

  startCommand(
    ...call: Parameters<NonNullable<Workspace['startCommand']>>
  ): ReturnType<NonNullable<Workspace['startCommand']>> {
    const { startCommand } = this.disk;
    if (startCommand === undefined) {
      return Promise.resolve(refused('No command can start here.'));
    }
    return startCommand(...call);
  }

  async #replace(uri: vscode.Uri, path: string, text: string): Promise<Result<unknown>> {
    const read = await this.#readDisk(path);
    if (read.ok && NOTEBOOK.test(path)) return editNotebook(uri, path, read.text, text);
    const document = await openInEncoding(uri, read.ok ? read.encoding : undefined);
    if (read.ok && !(await isUpToDate(document, read.text))) {
      return refused(`${path} has changed on disk and the editor has not read it again yet.`);
    }
    return applyAndSave(replacement(document, text), uri, path);
  }

  /** Reads without a byte order mark, since documents of the editor have none. */
  async #readDisk(path: string): Promise<ReadText> {
    const read = await this.disk.readFile(path);
    if (!read.ok) return read;
    const uri = this.#uriOf(path);
    const set = vscode.workspace.getConfiguration('files', uri).get('encoding', 'utf8');
    // Only the user knows in which of the encodings with one byte a character a file is.
    if (read.encoding === 'windows1252' && !UTF.test(set)) {
      const bytes = await vscode.workspace.fs.readFile(uri);
      const text = await vscode.workspace.decode(bytes, { encoding: set });
      return { ok: true, text, encoding: set };
    }
    return { ...read, text: read.text.replace(BYTE_ORDER_MARK, '') };
  }

  #uriOf(path: string): vscode.Uri {
    return vscode.Uri.file(this.folders.absolute(path));
  }
}

/** Opens a file in its encoding, which VS Code does not always find by itself. */
async function openInEncoding(uri: vscode.Uri, encoding = 'utf8'): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.isDirty || UTF.test(encoding) || document.encoding === encoding) return document;
  return vscode.workspace.openTextDocument(uri, { encoding });
}

function creation(uri: vscode.Uri, text: string): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { overwrite: false });
  edit.insert(uri, new vscode.Position(0, 0), text);
  return edit;
}

function replacement(document: vscode.TextDocument, text: string): vscode.WorkspaceEdit {
  const change = changedRange(document.getText(), text);
  const range = new vscode.Range(
    document.positionAt(change.start),
    document.positionAt(change.end),
  );
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, change.replacement);
  return edit;
}

/** Waits until an unchanged document matches the disk, which may just have been written. */
async function isUpToDate(document: vscode.TextDocument, onDisk: string): Promise<boolean> {
  const lines = (text: string) => text.replace(/\r\n?/g, '\n');
  for (let waited = 0; waited < LONGEST_LAG_MS; waited += POLL_MS) {
    if (document.isDirty || lines(document.getText()) === lines(onDisk)) return true;
    await sleep(POLL_MS);
  }
  return false;
}

async function applyAndSave(
  edit: vscode.WorkspaceEdit,
  uri: vscode.Uri,
  path: string,
): Promise<Result<unknown>> {
  if (!(await vscode.workspace.applyEdit(edit))) {
    return refused(`The editor refused to change ${path}; nothing was written.`);
  }
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.isDirty && !(await document.save())) {
    return refused(`${path} was changed in the editor but could not be saved to disk.`);
  }
  return { ok: true };
}

async function applied(edit: vscode.WorkspaceEdit, not: string): Promise<Result<unknown>> {
  try {
    if (await vscode.workspace.applyEdit(edit)) return { ok: true };
    return refused(`${not}: the editor refused it.`);
  } catch (error) {
    return refused(`${not}: ${errorText(error)}`);
  }
}

function openDocument(realPath: string, uri: vscode.Uri): vscode.TextDocument | undefined {
  const wanted = uri.toString();
  return vscode.workspace.textDocuments.find(
    (document) =>
      !document.isClosed &&
      document.uri.scheme === 'file' &&
      (document.uri.toString() === wanted || document.uri.fsPath === realPath),
  );
}

/** The part of the old text (offsets in characters) to replace, and the replacement. */
interface ChangedRange {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/**
 * Finds the smallest single replacement that turns one text into the other, so that an edit leaves
 * cursors, folds and undo steps elsewhere alone. It never cuts a line break or a character in two.
 */
export function changedRange(before: string, after: string): ChangedRange {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  while (head > 0 && (isInside(before, head) || isInside(after, head))) head--;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const isCut = () =>
    isInside(before, before.length - tail) || isInside(after, after.length - tail);
  while (tail > 0 && isCut()) tail--;
  return {
    start: head,
    end: before.length - tail,
    replacement: after.slice(head, after.length - tail),
  };
}

/** Whether an offset is between CR and LF or in the middle of a surrogate pair. */
function isInside(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset);
  if (code >= 0xdc00 && code <= 0xdfff) return true;
  return text[offset] === '\n' && text[offset - 1] === '\r';
}
