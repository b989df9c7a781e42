import * as vscode from 'vscode';
import { foldersAt, type WorkspaceFolder, WorkspaceFolders } from '../agent/workspaceFolders';
import { isObject } from '../contextWindow/json';
import type { Refusal } from '../contextWindow/result';
import { visibleLine } from '../contextWindow/visibleText';

/** Key of the folders' names in the storage of the workspace. */
const STORED = 'plimsoll.folders';

/**
 * The folders of the workspace on a disk. VS Code adds and removes all but the first while it runs.
 * `storage` keeps their names, because the paths in the logs of its sessions begin with them.
 */
export class OpenFolders {
  #known: WorkspaceFolders | undefined;

  constructor(private readonly storage?: Pick<vscode.Memento, 'get' | 'update'>) {
    this.#known = storedFolders(storage?.get(STORED));
  }

  /** The same object until they change; undefined if no folder is open. */
  get now(): WorkspaceFolders | undefined {
    const [first, ...others] = this.#open.filter(isOnDisk).map(({ uri }) => uri.fsPath);
    if (first === undefined) return undefined;
    const roots = [first, ...others] as const;
    const before = this.#known?.all ?? [];
    const isSame =
      before.length === roots.length && before.every(({ root }, at) => root === roots[at]);
    if (this.#known === undefined || !isSame) {
      this.#known = foldersAt(roots, this.#known);
      const { all, past } = this.#known;
      void this.storage?.update(STORED, { all, ...past });
    }
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

/** The folders as they were stored; undefined if that is nothing that this version understands. */
function storedFolders(stored: unknown): WorkspaceFolders | undefined {
  if (!isObject(stored)) return undefined;
  const { all, gone = [], wasOne = false } = stored;
  if (!isFolders(all) || !isFolders(gone) || typeof wasOne !== 'boolean') return undefined;
  const [first, ...others] = all;
  return first && new WorkspaceFolders([first, ...others], { gone, wasOne });
}

function isFolders(value: unknown): value is readonly WorkspaceFolder[] {
  const isFolder = (one: unknown) =>
    isObject(one) && typeof one['name'] === 'string' && typeof one['root'] === 'string';
  return Array.isArray(value) && value.every(isFolder);
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
