import * as vscode from 'vscode';

/** As much of the API of VS Code's git extension as is used. */
interface GitApi {
  readonly repositories: readonly GitRepository[];
}

interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly workingTreeChanges: readonly GitChange[];
    readonly untrackedChanges?: readonly GitChange[];
  };
  /** The differences of the index, or of the folder to it, as git prints them. */
  diff(cached?: boolean): Promise<string>;
}

interface GitChange {
  readonly uri: vscode.Uri;
  readonly status: number;
}

/** The status of a file that git does not know. */
const UNTRACKED = 7;

/**
 * What is not committed in the repository of a folder, as the editor's own git tells it: staged, not
 * staged, and the names of new files. Undefined where there is no git or no repository.
 */
export async function gitChanges(root: string): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension('vscode.git');
  if (extension === undefined) return undefined;
  const exported = (await extension.activate()) as { getAPI(version: 1): GitApi };
  const { repositories } = exported.getAPI(1);
  const isOver = ({ rootUri }: GitRepository) => `${root}/`.startsWith(`${rootUri.fsPath}/`);
  const [repository] = repositories
    .filter(isOver)
    .toSorted((one, other) => other.rootUri.fsPath.length - one.rootUri.fsPath.length);
  if (repository === undefined) return undefined;
  const { workingTreeChanges, untrackedChanges = [] } = repository.state;
  const fresh = [...workingTreeChanges, ...untrackedChanges]
    .filter(({ status }) => status === UNTRACKED)
    .map(({ uri }) => `new file, not added: ${vscode.workspace.asRelativePath(uri, false)}`);
  const parts = [await repository.diff(true), await repository.diff(false), fresh.join('\n')];
  return parts.filter((part) => part.trim() !== '').join('\n');
}
