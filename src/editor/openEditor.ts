import * as vscode from 'vscode';
import type { Refusal } from '../contextWindow/result';
import { visibleLine } from '../contextWindow/visibleText';
import { insideWorkspace } from '../tools/files/insideWorkspace';
import { AGENT_VIEW } from './page';
import type { OpenFolders } from './openFolders';

/** The column for texts: never that of the Context panel, since a hidden page loses typed text. */
export class TextColumn {
  #panel: { readonly columnBeside: vscode.ViewColumn } | undefined;

  /** Keeps the column of a panel clear. */
  avoid(panel: { readonly columnBeside: vscode.ViewColumn }): void {
    this.#panel = panel;
  }

  get beside(): vscode.ViewColumn {
    return this.#panel?.columnBeside ?? vscode.ViewColumn.Active;
  }
}

/** Shows a text in an editor. */
export function showText(
  document: vscode.TextDocument,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  return unlessClosed(document.uri, () => vscode.window.showTextDocument(document, options));
}

/** Shows two texts in VS Code's diff editor. */
export function showDiff(
  left: vscode.Uri,
  right: vscode.Uri,
  title: string,
  options: vscode.TextDocumentShowOptions,
): Promise<void> {
  return unlessClosed(right, () =>
    vscode.commands.executeCommand('vscode.diff', left, right, title, options),
  );
}

/**
 * Opens an editor on a text. VS Code fails if the user closes the editor while it loads: the user
 * wanted that, so it is not an error. Any other failure is passed on.
 */
async function unlessClosed(uri: vscode.Uri, open: () => Thenable<unknown>): Promise<void> {
  let isClosed = false;
  const watch = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    isClosed ||= closed.some((tab) => isOn(tab, uri));
  });
  try {
    await open();
  } catch (error) {
    // VS Code's tab events may come a moment after its answer.
    await new Promise((resolve) => setTimeout(resolve, TOLD_MS));
    if (!isClosed) throw error;
  } finally {
    watch.dispose();
  }
}

/** Long enough for events that are on their way. */
const TOLD_MS = 50;

function isOn({ input }: vscode.Tab, uri: vscode.Uri): boolean {
  const shown =
    input instanceof vscode.TabInputTextDiff
      ? input.modified
      : input instanceof vscode.TabInputText
        ? input.uri
        : undefined;
  return shown?.toString() === uri.toString();
}

/** Opens a file of the workspace; `line` counts from 1. */
export async function openNamedFile(
  { now: folders }: Pick<OpenFolders, 'now'>,
  path: string,
  line?: number,
): Promise<Refusal> {
  if (folders === undefined) return 'No folder is open.';
  // A reply may name a file from the root of its folder.
  const others = folders.areNamed ? folders.inEach(path) : [];
  const found = await Promise.all([path, ...others].map((one) => insideWorkspace(folders, one)));
  const inside = found.find((one) => one.ok && one.kind === 'file') ?? found[0];
  if (inside?.ok !== true) return inside?.message;
  const shown = visibleLine(path);
  if (inside.kind === 'missing') return `There is no file ${shown} in this workspace.`;
  if (inside.kind !== 'file') return `${shown} is not a file.`;
  const uri = vscode.Uri.file(inside.realPath);
  const at = line === undefined ? undefined : new vscode.Position(Math.max(0, line - 1), 0);
  const selection = at === undefined ? {} : { selection: new vscode.Range(at, at) };
  await vscode.commands.executeCommand('vscode.open', uri, { preview: true, ...selection });
  return undefined;
}

/** Shows the Agent view and leaves the focus where it is. */
export async function showAgent(): Promise<void> {
  await vscode.commands.executeCommand(`${AGENT_VIEW}.focus`, { preserveFocus: true });
}

/** Shows the Agent view and focuses it. */
export async function focusAgent(): Promise<void> {
  await vscode.commands.executeCommand(`${AGENT_VIEW}.focus`);
}

/** Whether an editor is a side of a diff, which shows changed lines itself. */
export function isInDiff({ viewColumn }: vscode.TextEditor): boolean {
  return vscode.window.tabGroups.all.some(
    (group) =>
      group.viewColumn === viewColumn && group.activeTab?.input instanceof vscode.TabInputTextDiff,
  );
}
