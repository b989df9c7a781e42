import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { LastingChange } from '../../contextWindow/event';
import { isPackage, lastingKind, scriptsIn } from '../../agent/lastingFiles';
import { pathIn, projectFolders, WALK_BOUNDS, type WalkBounds } from '../search/ignoreRules';
import { readRegularFile } from '../files/fileOnDisk';

/** Most files that are compared. */
const MOST_FILES = 2_000;

/** Larger files are told apart by size and times alone; bytes. */
const LARGEST_COMPARED = 1_000_000;

/** How the lasting files of a workspace are at a moment. */
export interface LastingSnapshot {
  /** By path, relative to the workspace; `stats` says whether to look at all. */
  readonly files: ReadonlyMap<string, { readonly stats: string; readonly content: string }>;
  /** False where the bounds ended the search. */
  readonly isAll: boolean;
}

/**
 * Looks at every file that lasts: those of git first, then folder by folder, the nearest first. What
 * rules leave out and packages that are installed are not the project's. `before` saves reading what
 * has not changed since.
 */
export async function lastingSnapshot(
  root: string,
  before?: LastingSnapshot,
  bounds: WalkBounds = WALK_BOUNDS,
): Promise<LastingSnapshot> {
  const found = new Map<string, string>();
  const isAll = await findLasting(root, found, bounds);
  const files = new Map<string, { stats: string; content: string }>();
  for (const [path, file] of found) {
    const stats = await statsOf(file);
    if (stats === undefined) continue;
    const known = before?.files.get(path);
    const content = known?.stats === stats ? known.content : await contentOf(path, file, stats);
    files.set(path, { stats, content });
  }
  return { files, isAll };
}

/** What is other in the later of two snapshots, in the order of paths. */
export function lastingChanges(
  before: LastingSnapshot,
  after: LastingSnapshot,
): readonly LastingChange[] {
  const changes: LastingChange[] = [];
  for (const [path, { content }] of after.files) {
    const known = before.files.get(path);
    if (known === undefined) {
      // It may only have been beyond the bounds.
      if (before.isAll && content !== NOTHING) changes.push({ path, how: 'made' });
    } else if (known.content !== content) changes.push({ path, how: 'changed' });
  }
  for (const [path, { content }] of before.files) {
    if (after.isAll && content !== NOTHING && !after.files.has(path)) {
      changes.push({ path, how: 'gone' });
    }
  }
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Fills in the files by path, with where each is; says whether that is all of them. */
async function findLasting(
  root: string,
  found: Map<string, string>,
  bounds: WalkBounds,
): Promise<boolean> {
  await findGit(root, found);
  const lasts = (path: string) => lastingKind(path) !== undefined;
  for await (const folder of projectFolders(root, lasts, bounds)) {
    if (folder === 'cut' || found.size > MOST_FILES) return false;
    for (const entry of folder.entries) {
      const path = pathIn(folder.path, entry.name);
      if (!entry.isDirectory() && (lasts(path) || isPackage(path)))
        found.set(path, join(root, path));
    }
  }
  return true;
}

/** What git acts on; not what it stores, which every commit changes. */
const OF_GIT = ['config', 'config.worktree', 'info/attributes'];

/** Files of git; in a worktree, whose `.git` is a file, they lie elsewhere. */
async function findGit(root: string, found: Map<string, string>): Promise<void> {
  const git = join(root, '.git');
  const stats = await lstat(git).catch(() => undefined);
  if (stats === undefined) return;
  if (!stats.isDirectory()) found.set('.git', git);
  for (const folder of await gitFolders(git)) {
    for (const name of OF_GIT) found.set(`.git/${name}`, join(folder, name));
    const hooks = await readdir(join(folder, 'hooks')).catch(() => []);
    for (const name of hooks.slice(0, 200)) {
      // Git ships samples, which do not run.
      if (!name.endsWith('.sample')) found.set(`.git/hooks/${name}`, join(folder, 'hooks', name));
    }
  }
}

/** The folders that hold a repository's settings; that of a worktree comes last. */
async function gitFolders(git: string): Promise<readonly string[]> {
  try {
    if ((await stat(git)).isDirectory()) return [git];
    const pointer = await readRegularFile(git, 10_000);
    const own = /^gitdir: (.+)$/m.exec(String(pointer))?.[1];
    if (own === undefined) return [];
    const folder = resolve(dirname(git), own);
    const common = await readFile(join(folder, 'commondir'), 'utf8').catch(() => '');
    return common === '' ? [folder] : [resolve(folder, common.trim()), folder];
  } catch {
    return []; // A pointer that leads nowhere: git does nothing either.
  }
}

/** What changes with every write; undefined where there is no file. */
async function statsOf(file: string): Promise<string | undefined> {
  const own = await lstat(file).catch(() => undefined);
  if (own === undefined) return undefined;
  const target = own.isSymbolicLink() ? await stat(file).catch(() => undefined) : own;
  return [own, target]
    .map((one) => `${one?.ino} ${one?.size} ${one?.mode} ${one?.mtimeMs} ${one?.ctimeMs}`)
    .join(' ');
}

/** The content of a package.json without scripts: it begins to last with the first of them. */
const NOTHING = contentName('', '{}');

async function contentOf(path: string, file: string, stats: string): Promise<string> {
  try {
    const link = (await lstat(file)).isSymbolicLink() ? await readlink(file) : '';
    const read = await readRegularFile(await realpath(file), LARGEST_COMPARED);
    if (typeof read === 'string') return `${read} ${stats}`;
    const text =
      isPackage(path) && lastingKind(path) === undefined ? scriptsIn(String(read)) : read;
    return contentName(link, text);
  } catch {
    return `unread ${stats}`;
  }
}

function contentName(link: string, text: string | Buffer): string {
  return createHash('sha256').update(`${link}\0`).update(text).digest('hex');
}
