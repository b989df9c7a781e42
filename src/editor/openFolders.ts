import * as vscode from 'vscode';
import { foldersAt, type WorkspaceFolders } from '../agent/workspaceFolders';
import type { Refusal } from '../contextWindow/result';
import { visibleLine } from '../contextWindow/visibleText';

/** The folders of the workspace on a disk. VS Code adds and removes all but the first while it runs. */
export class OpenFolders {
  #known: WorkspaceFolders | undefined;

  /** The same object until they change; undefined if no folder is open. */
  get now(): WorkspaceFolders | undefined {
    const [first, ...others] = this.#open.filter(isOnDisk).map(({ uri }) => uri.fsPath);
    if (first === undefined) return undefined;
    const roots = [first, ...others] as const;
    const before = this.#known?.all ?? [];
    const isSame =
      before.length === roots.length && before.every(({ root }, at) => root === roots[at]);
    if (this.#known === undefined || !isSame) this.#known = foldersAt(roots, this.#known);
    return this.#known;
  }

  /** Says which folders are on no disk, such as those of a virtual file system. */
  get leftOut(): Refusal {
    const names = this.#open.filter((folder) => !isOnDisk(folder)).map(({ name }) => name);
    if (names.length === 0) return undefined;
    const list = names.map((name) => visibleLine(name)).join(', ');
    return `The agent works only on folders on a disk. It does not see ${list}.`;
  }

  get #open(): readonly vscode.WorkspaceFolder[] {
    return vscode.workspace.workspaceFolders ?? [];
  }
}

function isOnDisk({ uri }: vscode.WorkspaceFolder): boolean {
  return uri.scheme === 'file';
}

/** The path of a file in the workspace; undefined if the file is elsewhere. */
export function pathBelow(
  { now }: Pick<OpenFolders, 'now'>,
  { scheme, fsPath }: vscode.Uri,
): string | undefined {
  return scheme === 'file' ? now?.pathOf(fsPath) : undefined;
}
