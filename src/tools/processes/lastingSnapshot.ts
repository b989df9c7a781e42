import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { LastingChange } from '../../contextWindow/event';
import { isPackage, lastingKind, scriptsIn } from '../../agent/lastingFiles';
import { pathIn, projectFolders, WALK_BOUNDS, type WalkBounds } from '../search/ignoreRules';
import { readRegularFile } from '../files/fileOnDisk';

/** Most files compared. */
const MOST_FILES = 2_000;

/** Larger files are compared by size and times alone; bytes. */
const LARGEST_COMPARED = 1_000_000;

/** The state of a workspace's lasting files at a moment. */
export interface LastingSnapshot {
  /** By path, relative to the workspace; equal `stats` make another look unnecessary. */
  readonly files: ReadonlyMap<string, { readonly stats: string; readonly content: string }>;
  /** False when the bounds ended the search. */
  readonly isAll: boolean;
}

/**
 * Records every lasting file: git's first, then folder by folder from the root down. Ignored files
 * and installed packages do not count. `before` avoids reading unchanged files again.
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

/** The differences between two snapshots, sorted by path. */
export function lastingChanges(
  before: LastingSnapshot,
  after: LastingSnapshot,
): readonly LastingChange[] {
  const changes: LastingChange[] = [];
  for (const [path, { content }] of after.files) {
    const known = before.files.get(path);
    if (known === undefined) {
      // It may only have been outside the bounds.
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

/** Adds files by path with their locations; returns whether that is all of them. */
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

/** Files that change what git does, not the data that every commit changes. */
const OF_GIT = ['config', 'config.worktree', 'info/attributes'];

/** Git's files; in a worktree `.git` is a file, and they are elsewhere. */
async function findGit(root: string, found: Map<string, string>): Promise<void> {
  const git = join(root, '.git');
  const stats = await lstat(git).catch(() => undefined);
  if (stats === undefined) return;
  if (!stats.isDirectory()) found.set('.git', git);
  for (const folder of await gitFolders(git)) {
    for (const name of OF_GIT) found.set(`.git/${name}`, join(folder, name));
    const hooks = await readdir(join(folder, 'hooks')).catch(() => []);
    for (const name of hooks.slice(0, 200)) {
      // Git ships sample hooks, which do not run.
      if (!name.endsWith('.sample')) found.set(`.git/hooks/${name}`, join(folder, 'hooks', name));
    }
  }
}

/** The folders with a repository's settings; a worktree's own comes last. */
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
    return []; // A broken pointer: git ignores it too.
  }
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

/** A package.json without scripts counts as absent: it lasts from its first script on. */
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
