import * as vscode from 'vscode';
import { refused, type Result } from '../../contextWindow/result';
import { type CellChange, cellChanges } from './notebookCells';

/**
 * Changes a notebook file cell by cell through VS Code's notebook editor, so that outputs, its undo
 * and an open editor stay. `before` is the text on disk.
 */
export async function editNotebook(
  uri: vscode.Uri,
  path: string,
  before: string,
  after: string,
): Promise<Result<unknown>> {
  const found = cellChanges(before, after);
  if (!found.ok) return refused(`${path} was not edited: ${found.message}.`);
  const notebook = await vscode.workspace.openNotebookDocument(uri);
  if (notebook.isDirty) {
    return refused(
      `${path} was not edited: it has unsaved changes in the notebook editor. Ask the user to save it.`,
    );
  }
  const edit = new vscode.WorkspaceEdit();
  const cells: vscode.NotebookEdit[] = [];
  for (const change of found.changes) {
    if (change.type === 'text') {
      const { document } = notebook.cellAt(change.at);
      const end = document.lineAt(document.lineCount - 1).range.end;
      const whole = new vscode.Range(new vscode.Position(0, 0), end);
      edit.replace(document.uri, whole, change.source);
    } else cells.push(cellEdit(change, notebook));
  }
  if (cells.length > 0) edit.set(uri, cells);
  if (!(await vscode.workspace.applyEdit(edit))) {
    return refused(`The notebook editor refused to change ${path}; nothing was written.`);
  }
  if (notebook.isDirty && !(await notebook.save())) {
    return refused(`${path} was changed in the notebook editor but could not be saved to disk.`);
  }
  return { ok: true };
}

function cellEdit(
  change: Exclude<CellChange, { readonly type: 'text' }>,
  notebook: vscode.NotebookDocument,
): vscode.NotebookEdit {
  if (change.type === 'delete') {
    return vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(change.at, change.at + 1));
  }
  const { type, source } = change.cell;
  const isCode = type === 'code';
  const language = notebook.getCells().find(({ kind }) => kind === vscode.NotebookCellKind.Code)
    ?.document.languageId;
  const data = new vscode.NotebookCellData(
    isCode ? vscode.NotebookCellKind.Code : vscode.NotebookCellKind.Markup,
    source,
    isCode ? (language ?? 'python') : type,
  );
  return vscode.NotebookEdit.insertCells(change.at, [data]);
}
