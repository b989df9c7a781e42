import * as vscode from 'vscode';
import type { WorkspaceFolders } from '../../agent/workspaceFolders';
import type { Refusal } from '../../contextWindow/result';
import { visibleLine } from '../../contextWindow/visibleText';
import { insideWorkspace } from '../../tools/files/insideWorkspace';
import { placeOfCode } from '../../tools/files/placeOfCode';
import { showText, openNamedFile } from '../openEditor';
import type { OpenFolders } from '../openFolders';

const NO_EDITOR =
  'No file is open in an editor. Open the file that the code belongs in, and try again.';

/** What a user can do with code and file names of a reply. */
export class ReplyCode {
  constructor(private readonly folders: Pick<OpenFolders, 'now'>) {}

  async copy(code: string): Promise<void> {
    await vscode.env.clipboard.writeText(code);
  }

  /** Inserts code at the cursor, replacing the selection. */
  async insert(code: string): Promise<Refusal> {
    const editor = editorInUse();
    if (editor === undefined) return NO_EDITOR;
    const { document, selections } = editor;
    const isOwnLine = selections.every(({ start }) => start.character === 0);
    const text = isOwnLine ? code : code.replace(/\n$/, '');
    const isDone = await editor.edit((edit) => {
      for (const selection of selections) edit.replace(selection, text);
    });
    if (!isDone) return `${nameOf(document.uri)} cannot be changed. Nothing was inserted.`;
    await showText(document, viewColumnOf(editor));
    return undefined;
  }

  /**
   * Replaces the lines of a file that the code revises, or creates the file if there is none. Nothing
   * is saved: the diff with the file on disk opens, to be saved, edited or undone. Without `path`, the
   * file in the editor is changed.
   */
  async apply(code: string, path?: string): Promise<Refusal> {
    const target = await targetOf(this.folders.now, path);
    if (typeof target === 'string') return target;
    const { uri, isThere } = target;
    const name = nameOf(uri);
    const edit = new vscode.WorkspaceEdit();
    if (!isThere) {
      const untitled = await vscode.workspace.openTextDocument(uri.with({ scheme: 'untitled' }));
      if (untitled.getText() !== '')
        return `${name} already has unsaved text. Nothing was changed.`;
      edit.insert(untitled.uri, new vscode.Position(0, 0), code);
      if (!(await vscode.workspace.applyEdit(edit))) return `${name} could not be created.`;
      await showText(untitled);
      return undefined;
    }
    const document = await vscode.workspace.openTextDocument(uri);
    const found = placeOfCode(document.getText(), code);
    if (!found.ok) {
      return `Nothing was changed in ${name}: ${found.message}. Place the cursor and insert the code there.`;
    }
    const { start, end, text } = found.place;
    const range = document.validateRange(new vscode.Range(start, 0, end, 0));
    const changed = end >= document.lineCount ? text.replace(/\n$/, '') : text;
    if (document.getText(range).replaceAll('\r\n', '\n') === changed) {
      return `${name} already has this code.`;
    }
    edit.replace(uri, range, changed);
    if (!(await vscode.workspace.applyEdit(edit))) {
      return `${name} cannot be changed. Nothing was changed.`;
    }
    const onDisk = uri.scheme === 'file';
    if (onDisk)
      await vscode.commands.executeCommand('workbench.files.action.compareWithSaved', uri);
    return undefined;
  }

  /** Opens a file that the reply names; `line` counts from 1. */
  open(path: string, line?: number): Promise<Refusal> {
    return openNamedFile(this.folders, path, line);
  }
}

type Target = { readonly uri: vscode.Uri; readonly isThere: boolean };

async function targetOf(
  folders: WorkspaceFolders | undefined,
  path: string | undefined,
): Promise<Target | string> {
  if (path === undefined) {
    const uri = editorInUse()?.document.uri;
    return uri === undefined ? NO_EDITOR : { uri, isThere: true };
  }
  if (folders === undefined) return 'No folder is open.';
  const inside = await insideWorkspace(folders, path);
  if (!inside.ok) return inside.message;
  if (inside.kind !== 'file' && inside.kind !== 'missing') {
    return `${visibleLine(path)} is not a file. Nothing was changed.`;
  }
  return { uri: vscode.Uri.file(inside.realPath), isThere: inside.kind === 'file' };
}

/** The editor the user was in last, if it shows a file rather than an output or a diff. */
function editorInUse(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const all = activeTextEditor ? [activeTextEditor, ...visibleTextEditors] : visibleTextEditors;
  return all.find(({ document }) => ['file', 'untitled'].includes(document.uri.scheme));
}

function viewColumnOf({ viewColumn }: vscode.TextEditor): vscode.TextDocumentShowOptions {
  return viewColumn === undefined ? {} : { viewColumn };
}

function nameOf(uri: vscode.Uri): string {
  return visibleLine(vscode.workspace.asRelativePath(uri));
}
