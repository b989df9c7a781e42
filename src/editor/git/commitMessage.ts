import * as vscode from 'vscode';
import type { ChangesToCommit } from '../../agent/writeCommitMessage';
import { maskEnvFiles } from '../../agent/secrets/envFiles';
import type { WorkspaceFolders } from '../../agent/workspaceFolders';
import type { Refusal } from '../../contextWindow/result';
import { visiblePath } from '../../contextWindow/visibleText';
import { loadPart } from '../loading';
import type { Services } from '../services';
import type { CurrentSession } from '../session/currentSession';
import type { Problem } from '../session/state';
import { EditorWorkspace } from '../tools/editorWorkspace';
import {
  gitRepositories,
  type GitRepository,
  repositoryOver,
  unstagedChanges,
} from './gitExtension';

/** How many commits show the style of their messages. */
const STYLE_COMMITS = 10;

/** Longest wait for the model, ms. */
const LONGEST_WAIT_MS = 60_000;

const NO_GIT = 'No commit message was written: the Git extension of VS Code is missing or off.';
const NO_REPOSITORY = 'No commit message was written: no Git repository is open.';
const NO_CHANGES = 'No commit message was written: there are no changes to commit.';
const UNTRUSTED = 'No commit message was written: you have not trusted this workspace.';
const AT_WORK = 'The commit message is being written.';
const TYPED = 'You typed a commit message meanwhile, so Plimsoll did not replace it.';

type CommitServices = Pick<Services, 'access' | 'folders' | 'loadTools' | 'notices' | 'report'>;

/** Writes the commit message of a repository into its field in the source control view. */
export class CommitMessage {
  readonly #atWork = new Set<string>();

  constructor(
    private readonly services: CommitServices,
    private readonly current: Pick<CurrentSession, 'session'>,
    /** Shows why no model can be asked, with the button that helps. */
    private readonly warn: (problem: Problem) => void,
  ) {}

  get commands() {
    return { writeCommitMessage: (...given: readonly unknown[]) => this.#command(given) };
  }

  async #command([given]: readonly unknown[]): Promise<void> {
    const refusal = await this.#begin(given);
    if (refusal !== undefined) this.services.notices.warn(refusal);
  }

  async #begin(given: unknown): Promise<Refusal> {
    if (!vscode.workspace.isTrusted) return UNTRUSTED;
    const repositories = await gitRepositories();
    if (repositories === undefined) return NO_GIT;
    const { now: folders } = this.services.folders;
    const possible = repositoriesFor(given, repositories, folders);
    if (possible.length === 0) return NO_REPOSITORY;
    const repository = await chosenOf(possible, folders);
    if (repository === undefined) return undefined;
    const name = repository.rootUri.toString();
    if (this.#atWork.has(name)) return AT_WORK;
    this.#atWork.add(name);
    try {
      return await vscode.window.withProgress(
        { location: vscode.ProgressLocation.SourceControl, title: AT_WORK },
        () => this.#write(repository),
      );
    } finally {
      this.#atWork.delete(name);
    }
  }

  async #write(repository: GitRepository): Promise<Refusal> {
    const { access } = this.services;
    await access.refresh();
    const problem = access.problem ?? (await access.allowKey());
    if (problem !== undefined) {
      this.warn(problem);
      return undefined;
    }
    const begun = repository.inputBox.value;
    const changes = await this.#changes(repository, begun);
    if (changes.diff.trim() === '') return NO_CHANGES;
    const part = import('../../agent/writeCommitMessage');
    const { writeCommitMessage } = await loadPart('The commit message writer', part);
    const { session } = this.current;
    const written = await writeCommitMessage(
      {
        model: access.connection,
        estimator: access.estimator,
        ...(session === undefined ? {} : { session }),
      },
      access.agentSettings,
      changes,
      AbortSignal.timeout(LONGEST_WAIT_MS),
    );
    if (!written.ok) return written.message;
    if (repository.inputBox.value !== begun) return TYPED;
    repository.inputBox.value = written.message;
    return undefined;
  }

  /** The staged changes, or all if none are staged. */
  async #changes(repository: GitRepository, begun: string): Promise<ChangesToCommit> {
    await this.#learnSecrets();
    const staged = await repository.diff(true);
    const diff = staged.trim() === '' ? await unstagedChanges(repository) : staged;
    // A repository without commits has no log.
    const commits = await repository.log({ maxEntries: STYLE_COMMITS }).catch(() => []);
    const subjects = commits.map(({ message }) => message.split('\n', 1).join(''));
    return { diff, subjects, begun };
  }

  /** A diff may show values of `.env` files, which are masked once they are known. */
  async #learnSecrets(): Promise<void> {
    const { loadTools, folders } = this.services;
    if (folders.now === undefined) return;
    await maskEnvFiles(new EditorWorkspace((await loadTools(folders.now)).disk), 'all');
  }
}

/**
 * The repository whose button was clicked, else those of the workspace's folders, else all that
 * are open below them.
 */
function repositoriesFor(
  given: unknown,
  repositories: readonly GitRepository[],
  folders: WorkspaceFolders | undefined,
): readonly GitRepository[] {
  const { rootUri } = (given ?? {}) as { readonly rootUri?: unknown };
  if (rootUri instanceof vscode.Uri) {
    return repositories.filter((one) => one.rootUri.toString() === rootUri.toString());
  }
  const over = (folders?.all ?? []).flatMap(({ root }) => repositoryOver(root, repositories) ?? []);
  if (over.length > 0) return [...new Set(over)];
  return repositories.filter(({ rootUri: { fsPath } }) => folders?.pathOf(fsPath) !== undefined);
}

/** The only repository, or the one that the user chooses; undefined if they choose none. */
async function chosenOf(
  repositories: readonly GitRepository[],
  folders: WorkspaceFolders | undefined,
): Promise<GitRepository | undefined> {
  const [only, ...others] = repositories;
  if (others.length === 0) return only;
  const rows = repositories.map((repository) => {
    const { fsPath } = repository.rootUri;
    return { label: visiblePath(folders?.pathOf(fsPath) ?? fsPath), repository };
  });
  const title = 'Plimsoll: Choose a Repository for the Commit Message';
  return (await vscode.window.showQuickPick(rows, { title }))?.repository;
}
