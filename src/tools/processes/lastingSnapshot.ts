import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { LastingChange } from '../../contextWindow/event';
import { commandsUnderWay, gitFolders, namedBySettings, UNDER_WAY } from '../../agent/gitSettings';
import { isPackage, lastingFolder, lastingKind, scriptsIn } from '../../agent/lastingFiles';
import { oneFolder, type FolderPlace, type WorkspaceFolders } from '../../agent/workspaceFolders';
import { followed } from '../files/insideWorkspace';
import {
  type IgnoreRules,
  pathIn,
  projectFolders,
  WALK_BOUNDS,
  type WalkBounds,
} from '../search/ignoreRules';
import { readRegularFile } from '../files/fileOnDisk';
import { findGit as gitProgram } from './git';
import { gitlinksOf } from './gitlinks';
import { isPlainRepository } from './plainRepository';

/** Most files compared. */
const MOST_FILES = 2_000;

/** Larger files are compared by size and times alone; bytes. */
const LARGEST_COMPARED = 1_000_000;

/** Most entries of a folder that lasts as a whole, such as `.husky`. */
const MOST_IN_FOLDER = 1_000;

/** The state of a workspace's lasting files at a moment. */
export interface LastingSnapshot {
  /** By path, relative to the workspace; equal `stats` make another look unnecessary. */
  readonly files: ReadonlyMap<string, { readonly stats: string; readonly content: string }>;
  /** The folders that were looked at; '' for the root. */
  readonly folders: ReadonlySet<string>;
  /** The ignore rules in them: those that a command makes hide nothing. */
  readonly rules: ReadonlyMap<string, IgnoreRules>;
  /** Lasting folders, such as `.husky`, with too many files. */
  readonly tooLarge: ReadonlySet<string>;
  /** Files and folders that last because git's settings name them. */
  readonly byGit: ReadonlySet<string>;
  /** The folders with a repository; '' for the root. */
  readonly repositories: ReadonlySet<string>;
  /** False when the bounds ended the search: deeper folders were not looked at. */
  readonly isAll: boolean;
}

/**
 * Records every lasting file: git's and those of the root first, whatever the size of the
 * workspace, then folder by folder from the root down, within bounds. Below the root, ignored files
 * and installed packages do not count. `before` avoids reading unchanged files again.
 */
export async function lastingSnapshot(
  root: string,
  before?: LastingSnapshot,
  bounds: WalkBounds = WALK_BOUNDS,
  workspace: WorkspaceFolders = oneFolder(root),
): Promise<LastingSnapshot> {
  const found: Found = {
    files: new Map(),
    folders: new Set(),
    rules: new Map(),
    tooLarge: new Set(),
    byGit: new Set(),
    repositories: new Set(),
  };
  await findRepositories(root, workspace, found, before);
  await findInRoot(root, found);
  const isAll = await findDeeper(root, found, bounds, before?.rules);
  // A file that was found once is looked at again, even where the search does not reach.
  for (const path of before?.files.keys() ?? []) {
    if (!isOfGit(path)) found.files.set(path, join(root, path));
  }
  const files = new Map<string, { stats: string; content: string }>();
  for (const [path, file] of found.files) {
    const stats = await statsOf(file);
    if (stats === undefined) continue;
    const known = before?.files.get(path);
    const content = known?.stats === stats ? known.content : await contentOf(path, file, stats);
    files.set(path, { stats, content });
  }
  const { folders, rules, tooLarge, byGit, repositories } = found;
  return { files, folders, rules, tooLarge, byGit, repositories, isAll };
}

/** The differences between two snapshots, sorted by path. */
export function lastingChanges(
  before: LastingSnapshot,
  after: LastingSnapshot,
): readonly LastingChange[] {
  const changes: LastingChange[] = [];
  const isNewToGit = (path: string) =>
    lastingKind(path) === undefined &&
    !isPackage(path) &&
    [...after.byGit].some((name) => !before.byGit.has(name) && `${path}/`.startsWith(`${name}/`));
  for (const [path, { content }] of after.files) {
    const known = before.files.get(path);
    // Unknown before, it may be unchanged: the change of git's settings is reported instead.
    if (known === undefined && isNewToGit(path)) continue;
    if (known === undefined) {
      // It may only have been outside the bounds.
      if (wasSearched(before, path) && content !== NOTHING) changes.push({ path, how: 'made' });
    } else if (known.content !== content && !(isUnderWay(path) && content === NOTHING))
      changes.push({ path, how: 'changed' });
  }
  for (const [path, { content }] of before.files) {
    if (content !== NOTHING && !isUnderWay(path) && !after.files.has(path))
      changes.push({ path, how: 'gone' });
  }
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether a lasting file at this path would have been found. */
function wasSearched({ folders, tooLarge, isAll }: LastingSnapshot, path: string): boolean {
  if (isAll || isOfGit(path)) return true;
  const last = lastingFolder(path) ?? path;
  return folders.has(folderOf(last)) && !tooLarge.has(last);
}

function folderOf(path: string): string {
  return path.includes('/') ? dirname(path) : '';
}

function isOfGit(path: string): boolean {
  return path.split('/').includes('.git');
}

/** A search under way. */
interface Found {
  /** Locations by path. */
  readonly files: Map<string, string>;
  readonly folders: Set<string>;
  readonly rules: Map<string, IgnoreRules>;
  readonly tooLarge: Set<string>;
  readonly byGit: Set<string>;
  readonly repositories: Set<string>;
}

/** Adds what lasts in the root and its `.github`, ignored or not. */
async function findInRoot(root: string, found: Found): Promise<void> {
  for (const folder of ['', '.github']) await findIn(root, folder, found);
}

/** Adds what lasts in one folder: files, and the files of folders that last as a whole. */
async function findIn(
  root: string,
  folder: string,
  found: Found,
  entries?: readonly Dirent[],
): Promise<void> {
  for (const entry of entries ?? (await entriesOf(root, folder))) {
    const path = pathIn(folder, entry.name);
    if (path === '.git' || (lastingKind(path) === undefined && !isPackage(path))) continue;
    if (entry.isDirectory()) await findBelow(root, path, found);
    else found.files.set(path, join(root, path));
  }
  found.folders.add(folder);
}

/** Adds every file of a folder that lasts as a whole. */
async function findBelow(root: string, folder: string, found: Found): Promise<void> {
  const folders = [folder];
  let left = MOST_IN_FOLDER;
  // The list grows during the loop.
  for (const path of folders) {
    const entries = await entriesOf(root, path);
    left -= entries.length;
    if (left < 0) {
      found.tooLarge.add(folder);
      return;
    }
    for (const entry of entries) {
      const inner = pathIn(path, entry.name);
      if (entry.isDirectory()) folders.push(inner);
      else found.files.set(inner, join(root, inner));
    }
  }
}

async function entriesOf(root: string, folder: string): Promise<readonly Dirent[]> {
  return readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
}

/** Adds what lasts below the root; returns whether that is all of it. */
async function findDeeper(
  root: string,
  found: Found,
  bounds: WalkBounds,
  known: ReadonlyMap<string, IgnoreRules> | undefined,
): Promise<boolean> {
  const lasts = (path: string) => lastingKind(path) !== undefined;
  for await (const folder of projectFolders(root, lasts, bounds, undefined, known)) {
    if (folder === 'cut' || found.files.size > MOST_FILES) return false;
    found.rules.set(folder.path, folder.rules);
    if (lasts(folder.path) || found.folders.has(folder.path)) continue;
    await findIn(root, folder.path, found, folder.entries);
  }
  return found.tooLarge.size === 0;
}

/** Files that change what git does, not the data that every commit changes. */
const OF_GIT = ['config', 'config.worktree', 'info/attributes'];

/** Most repositories whose files are compared. */
const MOST_REPOSITORIES = 200;

/**
 * Adds git's files of the repository in the root, and of each submodule, which git enters for `git status`. One that
 * the index no longer has, as after a checkout, is looked at again; a new one counts if it runs something.
 */
async function findRepositories(
  root: string,
  folders: WorkspaceFolders,
  found: Found,
  before: LastingSnapshot | undefined,
): Promise<void> {
  const program = gitProgram(folders);
  const known = before?.repositories;
  const repositories = new Set(['', ...(known ?? [])]);
  const real = await realpath(root);
  // Each repository adds its submodules to the set.
  for (const at of repositories) {
    const git = join(root, at, '.git');
    const isPlain = known?.has(at) === false && isPlainRepository(git, real);
    const isThere = isPlain || (await findGit({ root, folders }, at, found));
    if (isThere && !isPlain) found.repositories.add(at);
    const links = isThere && program !== undefined ? await gitlinksOf(git, program) : undefined;
    for (const link of links?.paths ?? []) {
      if (repositories.size < MOST_REPOSITORIES) repositories.add(pathIn(at, link));
    }
  }
}

/**
 * Adds git's files of the repository at a path in the root; returns whether there is one. In a worktree `.git` is a
 * file, and they are elsewhere.
 */
async function findGit({ root, folders }: FolderPlace, at: string, found: Found): Promise<boolean> {
  const git = join(root, at, '.git');
  const stats = await lstat(git).catch(() => undefined);
  if (stats === undefined) return false;
  const { files } = found;
  const path = pathIn(at, '.git');
  if (!stats.isDirectory()) files.set(path, git);
  for (const folder of gitFolders(git)) {
    for (const name of [...OF_GIT, ...Object.keys(UNDER_WAY)])
      files.set(`${path}/${name}`, join(folder, name));
    const hooks = await readdir(join(folder, 'hooks')).catch(() => []);
    for (const name of hooks.slice(0, 200)) {
      // Git ships sample hooks, which do not run.
      if (!name.endsWith('.sample'))
        files.set(`${path}/hooks/${name}`, join(folder, 'hooks', name));
    }
    // Remotes that no settings name.
    for (const kind of ['remotes', 'branches']) {
      for (const name of (await readdir(join(folder, kind)).catch(() => [])).slice(0, 200))
        files.set(`${path}/${kind}/${name}`, join(folder, kind, name));
    }
    for (const { path: named } of namedBySettings(folder, join(root, at)))
      await findNamed({ root, folders }, named, found);
  }
  return true;
}

/** Adds a file or folder that git's settings name, if it is in the workspace and not git's own. */
async function findNamed(
  { root, folders }: FolderPlace,
  path: string,
  found: Found,
): Promise<void> {
  const way = relative(await realpath(root), path)
    .split(sep)
    .join('/');
  const isInside = (await followed(folders)).pathOf(path) !== undefined;
  if (way === '' || !isInside || isOfGit(way)) return;
  found.byGit.add(way);
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isDirectory() === true) await findBelow(root, way, found);
  else found.files.set(way, path);
}

/** Data that changes with every write; undefined without a file. */
async function statsOf(file: string): Promise<string | undefined> {
  const own = await lstat(file).catch(() => undefined);
  if (own === undefined) return undefined;
  const target = own.isSymbolicLink() ? await stat(file).catch(() => undefined) : own;
  return [own, target]
    .map((one) => `${one?.ino} ${one?.size} ${one?.mode} ${one?.mtimeMs} ${one?.ctimeMs}`)
    .join(' ');
}

/** A file that runs nothing counts as absent: a package.json without scripts, a rebase without commands. */
const NOTHING = contentName('', '{}');

async function contentOf(path: string, file: string, stats: string): Promise<string> {
  try {
    const link = (await lstat(file)).isSymbolicLink() ? await readlink(file) : '';
    const read = await readRegularFile(await realpath(file), LARGEST_COMPARED);
    if (typeof read === 'string') return `${read} ${stats}`;
    const text = isUnderWay(path)
      ? commandsUnderWay(path, String(read)).join('\n') || '{}'
      : isPackage(path) && lastingKind(path) === undefined
        ? scriptsIn(String(read))
        : read;
    return contentName(link, text);
  } catch {
    return `unread ${stats}`;
  }
}

/** Whether a file disappears, or loses its commands, when git has run them. */
function isUnderWay(path: string): boolean {
  return Object.keys(UNDER_WAY).some((name) => path.endsWith(`.git/${name}`));
}

function contentName(link: string, text: string | Buffer): string {
  return createHash('sha256').update(`${link}\0`).update(text).digest('hex');
}
