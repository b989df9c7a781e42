import { execFile } from 'node:child_process';
import { devNull } from 'node:os';
import type { FolderPlace, WorkspaceFolders } from '../../agent/workspaceFolders';
import { childEnvironment, findProgram } from './childEnvironment';

/** Longest output that is read; bytes. */
const LONGEST_OUTPUT = 64_000_000;

/**
 * Turns off everything that a repository's configuration may run: hooks, a file system monitor, and
 * fetches for a partial clone.
 */
const QUIET = [
  '--no-pager',
  '--no-optional-locks',
  '--literal-pathspecs',
  '-c',
  'core.fsmonitor=false',
  '-c',
  `core.hooksPath=${devNull}`,
];

/** Git's files below a folder at a moment. */
export interface CommittedFiles {
  /** Content names by path, relative to the folder; without links and submodules. */
  readonly contents: ReadonlyMap<string, string>;
  /** Paths that a sparse checkout leaves out of the folder. */
  readonly skipped: ReadonlySet<string>;
}

/**
 * Reads which files were committed below a folder at a moment (ms since the epoch), by this clone's
 * reflog. Undefined without git, a repository, or a record of that moment. It only reads git's own
 * data: reading files of the folder could run a filter.
 */
export async function committedAt(
  { root, folders }: FolderPlace,
  at: number,
  signal: AbortSignal,
): Promise<CommittedFiles | undefined> {
  const git = findGit(folders);
  if (git === undefined) return undefined;
  const ask = (...args: readonly string[]) => answerOf(git, root, args, signal);
  const moment = new Date(at).toISOString().replace(/\.\d+/, '');
  const commit = await ask('rev-parse', '--verify', `HEAD@{${moment}}^{commit}`);
  // A warning says that the reflog begins later.
  if (commit === undefined || commit.warning !== '') return undefined;
  const tree = await ask('ls-tree', '-r', '-z', commit.output.trim());
  const index = await ask('ls-files', '-t', '-z');
  if (tree === undefined || index === undefined) return undefined;
  return { contents: contentsOf(tree.output), skipped: skippedIn(index.output) };
}

/** A file in git's index, and its state when git last looked. */
export interface TrackedFile {
  /** The name of its content. */
  readonly blob: string;
  readonly bytes: number;
  /** Whole ms since the epoch. */
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** An index entry in git's debug format. */
const TRACKED =
  /100\d{3} ([0-9a-f]+) 0\t([^\0]+)\0  ctime: (\d+):(\d+)\n  mtime: (\d+):(\d+)\n.*\n.*\n  size: (\d+)\t/g;

/**
 * Reads git's index below a folder. Empty without git or a repository; entries in an unknown format
 * are left out.
 */
export async function trackedFiles(
  { root, folders }: FolderPlace,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, TrackedFile>> {
  const git = findGit(folders);
  const args = ['ls-files', '--stage', '--debug', '-z'];
  const index = git && (await answerOf(git, root, args, signal));
  if (index === undefined || index === '') return new Map();
  const ms = (seconds = '0', nanos = '0') =>
    Number(seconds) * 1_000 + Math.floor(Number(nanos) / 1e6);
  return new Map(
    [...index.output.matchAll(TRACKED)].map(([, blob = '', path = '', c, cNs, m, mNs, bytes]) => [
      path,
      { blob, bytes: Number(bytes), mtimeMs: ms(m, mNs), ctimeMs: ms(c, cNs) },
    ]),
  );
}

/** Git's stored content by name; undefined when it cannot be read. */
export async function storedContent(
  { root, folders }: FolderPlace,
  name: string,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const git = findGit(folders);
  const answer = git && (await answerOf(git, root, ['cat-file', 'blob', name], signal, 'latin1'));
  return answer === undefined || answer === '' ? undefined : Buffer.from(answer.output, 'latin1');
}

/** A submodule in git's index. */
const LINKED = /^160000 [0-9a-f]+ \d\t([^]+)$/;

/** Longest time for reading an index, ms. */
const INDEX_MS = 10_000;

/**
 * Reads the folders of the submodules in a repository's index, also of one that another user owns: their bytes
 * in Latin-1. Undefined when git cannot read the index.
 */
export async function linkedInIndex(
  git: string,
  root: string,
): Promise<readonly string[] | undefined> {
  const args = ['-c', 'safe.directory=*', 'ls-files', '--stage', '-z'];
  const index = await answerOf(git, root, args, AbortSignal.timeout(INDEX_MS), 'latin1');
  return index?.output.split('\0').flatMap((entry) => LINKED.exec(entry)?.[1] ?? []);
}

/** Finds git on the PATH, never in the workspace, whose programs are not the user's. */
export function findGit(folders: WorkspaceFolders, pathVariable?: string): string | undefined {
  return findProgram('git', folders, pathVariable);
}

interface Answer {
  readonly output: string;
  readonly warning: string;
}

function answerOf(
  git: string,
  cwd: string,
  args: readonly string[],
  signal: AbortSignal,
  encoding: 'utf8' | 'latin1' = 'utf8',
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const options = {
      cwd,
      encoding,
      env: gitEnvironment(),
      signal,
      killSignal: 'SIGKILL',
      maxBuffer: LONGEST_OUTPUT,
      windowsHide: true,
    } as const;
    execFile(git, [...QUIET, ...args], options, (error, output, warning) =>
      resolve(error === null ? { output, warning } : undefined),
    );
  });
}

/** No variable that points git elsewhere, no secrets, and no protocol to fetch with. */
function gitEnvironment(): Record<string, string> {
  const kept = Object.entries(childEnvironment(process.env)).filter(
    ([name]) => !/^GIT_/i.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  };
}

/** A line of `ls-tree`: mode, kind, content name, path. */
const ENTRY = /^100\d{3} blob ([0-9a-f]+)\t([^]+)$/;

function contentsOf(tree: string): ReadonlyMap<string, string> {
  return new Map(
    tree.split('\0').flatMap((entry) => {
      const [, content, path] = ENTRY.exec(entry) ?? [];
      return content === undefined || path === undefined ? [] : [[path, content] as const];
    }),
  );
}

function skippedIn(index: string): ReadonlySet<string> {
  const entries = index.split('\0').filter((entry) => entry.startsWith('S '));
  return new Set(entries.map((entry) => entry.slice(2)));
}
