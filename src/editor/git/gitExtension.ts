import * as vscode from 'vscode';

/** The part of the git extension's API that is used. */
interface GitApi {
  readonly repositories: readonly GitRepository[];
}

export interface GitRepository {
  readonly rootUri: vscode.Uri;
  /** The field of the commit message. */
  readonly inputBox: { value: string };
  readonly state: {
    readonly workingTreeChanges: readonly GitChange[];
    readonly untrackedChanges?: readonly GitChange[];
  };
  /** The diff of the index, or of the working tree, as git prints it. */
  diff(cached?: boolean): Promise<string>;
  log(options: { readonly maxEntries: number }): Promise<readonly { readonly message: string }[]>;
}

interface GitChange {
  readonly uri: vscode.Uri;
  readonly status: number;
}

/** The status of an untracked file. */
const UNTRACKED = 7;

/** The open repositories, by VS Code's git extension; undefined if it is off or missing. */
export async function gitRepositories(): Promise<readonly GitRepository[] | undefined> {
  const extension = vscode.extensions.getExtension('vscode.git');
  if (extension === undefined) return undefined;
  const exported = (await extension.activate()) as { getAPI(version: 1): GitApi };
  try {
    return exported.getAPI(1).repositories;
  } catch {
    // The setting git.enabled is false.
    return undefined;
  }
}

/** The innermost repository that contains a folder. */
export function repositoryOver(
  folder: string,
  repositories: readonly GitRepository[],
): GitRepository | undefined {
  return repositories
    .filter(({ rootUri }) => `${folder}/`.startsWith(`${rootUri.fsPath}/`))
    .toSorted((one, other) => other.rootUri.fsPath.length - one.rootUri.fsPath.length)
    .at(0);
}

/** The uncommitted changes: staged, unstaged, and the names of new files. */
export async function pendingChanges(repository: GitRepository): Promise<string> {
  const parts = [await repository.diff(true), await unstagedChanges(repository)];
  return parts.filter((part) => part.trim() !== '').join('\n');
}

/** The changes that are not staged, and the names of new files. */
export async function unstagedChanges(repository: GitRepository): Promise<string> {
  const { workingTreeChanges, untrackedChanges = [] } = repository.state;
  const fresh = [...workingTreeChanges, ...untrackedChanges]
    .filter(({ status }) => status === UNTRACKED)
    .map(({ uri }) => `new file, not added: ${vscode.workspace.asRelativePath(uri, false)}`);
  const parts = [await repository.diff(false), fresh.join('\n')];
  return parts.filter((part) => part.trim() !== '').join('\n');
}
