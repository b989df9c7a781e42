import { createHash, randomUUID } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { namedBySettings } from '../../agent/gitSettings';
import { HELD_FOLDERS, lastingFolder } from '../../agent/lastingFiles';
import type { WorkspaceFolders } from '../../agent/workspaceFolders';
import { visiblePath } from '../../contextWindow/visibleText';
import { pathIn, projectFolders, WALK_BOUNDS, type WalkBounds } from '../search/ignoreRules';

/** What a command in a sandbox may read in the workspace, but not change. */
export interface Guarded {
  /** Files and folders that outlast the session; absolute. */
  readonly lasting: readonly string[];
  /** The `.git` of each repository; absolute. */
  readonly repositories: readonly Repository[];
  /** Missing ones that are made for as long as the command runs: only what exists can be read-only. */
  readonly held: readonly Held[];
}

interface Repository {
  readonly path: string;
  /** The files and folders in it that decide what git runs; undefined where `path` is a file. */
  readonly deciding?: readonly string[];
}

/** A placeholder: an empty folder, or a file with this text. */
interface Held {
  readonly path: string;
  readonly text?: string;
}

/** What outlasts the session in a workspace, at a moment. */
interface Found extends Guarded {
  /** The identity of each lasting file, folder and repository, by path. */
  readonly known: ReadonlyMap<string, string>;
  /** The targets of lasting links, which cannot be made read-only. */
  readonly links: ReadonlyMap<string, string>;
  /** Folders that look like a repository of their own. */
  readonly bare: readonly string[];
  /** The folders that were looked at; absolute. */
  readonly folders: ReadonlySet<string>;
  /** False when the bounds ended the search. */
  readonly isAll: boolean;
}

/** The files that are guarded while a command runs. */
export interface Guard {
  readonly guarded: Guarded;
  /** A line for the output where not everything is guarded. */
  readonly note?: string;
  /** What must not outlive the command: placeholders, and the list of them; absolute. */
  readonly leftovers: readonly string[];
  /** Removes the placeholders; for a command in the foreground, moves aside what it made. */
  release(isForeground: boolean): Promise<readonly string[]>;
}

const NOT_ALL =
  '[The workspace has too many files to look at all: in the folders that were not looked at, the sandbox protects no files that outlast the session.]';

/** Finds what a command may not change in the folders it can write to, and makes the placeholders. */
export async function guardFiles(
  roots: readonly string[],
  {
    hasPlaceholders,
    bounds = WALK_BOUNDS,
    folders,
  }: {
    readonly hasPlaceholders: boolean;
    readonly bounds?: WalkBounds;
    /** Names the files in sentences; without it by their paths in their folder. */
    readonly folders?: WorkspaceFolders | undefined;
  },
): Promise<Guard> {
  for (const root of roots) removeLeftovers(root);
  const closed = new Map<string, Stats>();
  const noteClosed = (folder: string): void => {
    const stats = statsAt(folder);
    if (stats !== undefined && !mayEnter(folder)) closed.set(folder, stats);
  };
  const found = await Promise.all(
    roots.map(async (root) => ({
      root,
      before: await findGuarded(root, roots, bounds, noteClosed),
    })),
  );
  const holds = found.map(({ root, before }) => hold(root, hasPlaceholders ? before.held : []));
  const held = found.flatMap(({ before }) => before.held);
  // What appears in a placeholder, someone else has made.
  const placeholders = held.map(({ path }) => [path, identityOf(path)] as const);
  return {
    guarded: {
      lasting: found.flatMap(({ before }) => before.lasting),
      repositories: found.flatMap(({ before }) => before.repositories),
      held,
    },
    note: found.every(({ before }) => before.isAll) ? undefined : NOT_ALL,
    leftovers: holds.flatMap(({ paths }) => paths),
    release: async (isForeground) => {
      for (const hold of holds) hold.release();
      const lines: string[] = [];
      const opened: (() => void)[] = [];
      const open = (folder: string): void => {
        const before = closed.get(folder);
        // The user closed it, and the command did not get into it.
        if (before !== undefined && isUntouched(folder, before)) return;
        if (unlock(folder) && before !== undefined)
          opened.push(() => changeMode(folder, before.mode));
      };
      for (const { root, before } of isForeground ? found : []) {
        const known = new Map([...before.known, ...placeholders]);
        const after = await findGuarded(root, roots, bounds, open);
        const nameOf = (path: string) => folders?.pathOf(path) ?? relative(root, path);
        lines.push(...moveAside({ root, nameOf }, { ...before, known }, after));
      }
      for (const close of opened.reverse()) close();
      return lines;
    },
  };
}

/** Names in a repository's folder that decide what git runs. */
const DECIDING = new Set(['config', 'config.worktree', 'hooks', 'info', 'commondir', 'gitdir']);

/** Finds it in one folder. What a link or git's settings name counts in any of the `roots`. */
async function findGuarded(
  root: string,
  roots: readonly string[],
  bounds: WalkBounds,
  enter: (folder: string) => void,
): Promise<Found> {
  const canWrite = (path: string) => roots.some((one) => path.startsWith(`${one}${sep}`));
  const paths = new Set<string>();
  const gits = [join(root, '.git')];
  const bare: string[] = [];
  const folders = new Set<string>([root]);
  let isAll = true;
  const lasts = (path: string) => lastingFolder(path) !== undefined;
  for await (const folder of projectFolders(root, lasts, bounds, enter)) {
    if (folder === 'cut') {
      isAll = false;
      break;
    }
    const path = join(root, folder.path);
    folders.add(path);
    const names = folder.entries.map(({ name }) => name);
    for (const name of names) {
      const found = lastingFolder(pathIn(folder.path, name));
      if (found !== undefined) paths.add(join(root, found));
    }
    if (folder.path !== '') gits.push(join(path, '.git'));
    if (['HEAD', 'objects', 'refs'].every((name) => names.includes(name))) bare.push(path);
  }
  // The root counts whatever its size.
  for (const name of isAll ? [] : await namesIn(root)) if (lasts(name)) paths.add(join(root, name));
  const links = new Map<string, string>();
  const lasting = new Set<string>();
  for (const path of paths) {
    if (statsAt(path)?.isSymbolicLink() !== true) lasting.add(path);
    else {
      links.set(path, readlinkSync(path));
      const target = realOf(path);
      if (target !== undefined && canWrite(target)) lasting.add(target);
    }
  }
  const repositories: Repository[] = [];
  const held: Held[] = HELD_FOLDERS.map((path) => ({ path: join(root, path) }));
  for (const path of gits) {
    if (statsAt(path)?.isDirectory() === true) enter(path);
    const stats = statsAt(path);
    if (stats?.isSymbolicLink() === true) links.set(path, readlinkSync(path));
    if (stats?.isFile() === true) repositories.push({ path });
    if (stats?.isDirectory() !== true) continue;
    const folders = await settingsFolders(path);
    const own = folders.flatMap((one) => ownHeld(one, !one.startsWith(join(path, 'worktrees'))));
    held.push(...own);
    const named = folders.flatMap((one) => namedBySettings(one, dirname(path)));
    for (const { path: one } of named) {
      const isThere = statsAt(one) !== undefined;
      if (isThere && canWrite(one) && !one.startsWith(path)) lasting.add(one);
    }
    const deciding = [...(await decidingIn(folders)), ...own.map((one) => one.path)];
    repositories.push({ path, deciding: [...new Set(deciding)] });
  }
  const all = [...paths, ...repositories.map(({ path }) => path), ...bare];
  return {
    lasting: [...lasting].sort(),
    repositories,
    held: held.filter(
      ({ path }) => statsAt(path) === undefined && statsAt(dirname(path))?.isDirectory() === true,
    ),
    known: new Map(all.map((path) => [path, identityOf(path)])),
    links,
    bare,
    folders,
    isAll,
  };
}

/**
 * Placeholders in a repository. Its `commondir` names its own folder, as git does where the file is missing:
 * a command could make it, to let git read settings from elsewhere.
 */
function ownHeld(git: string, isWhole: boolean): readonly Held[] {
  if (!isWhole) return [];
  const config = textOf(join(git, 'config')) ?? '';
  return [
    { path: join(git, 'commondir'), text: '.\n' },
    { path: join(git, 'hooks') },
    { path: join(git, 'info') },
    ...(/worktreeconfig/i.test(config) ? [{ path: join(git, 'config.worktree'), text: '' }] : []),
  ];
}

/** How deep the folders of submodules are searched: their names can have slashes. */
const DEEPEST_MODULE = 6;

/** The folders with settings in a repository: its own, those of its submodules and worktrees. */
async function settingsFolders(git: string): Promise<readonly string[]> {
  const worktrees = (await namesIn(join(git, 'worktrees'))).map((name) =>
    join(git, 'worktrees', name),
  );
  return [git, ...worktrees, ...(await modulesIn(join(git, 'modules'), DEEPEST_MODULE))];
}

async function modulesIn(folder: string, depth: number): Promise<readonly string[]> {
  if (depth === 0) return [];
  const found: string[] = [];
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const isModule = statsAt(join(path, 'HEAD')) !== undefined;
    if (isModule) found.push(path);
    found.push(...(await modulesIn(isModule ? join(path, 'modules') : path, depth - 1)));
  }
  return found;
}

/** The deciding files in folders with settings. */
async function decidingIn(folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    for (const name of await namesIn(folder)) {
      if (DECIDING.has(name)) found.push(join(folder, name));
    }
  }
  return found;
}

function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** A file's data; undefined where it is missing, or in a folder that no one may enter. */
function statsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Whether the user may list a folder and reach what is in it, or has the given rights. */
function mayEnter(folder: string, rights = constants.R_OK | constants.X_OK): boolean {
  try {
    accessSync(folder, rights);
    return true;
  } catch {
    return false;
  }
}

/** Whether no one has reached anything in a closed folder: to open it changes its data. */
function isUntouched(folder: string, before: Stats): boolean {
  const now = statsAt(folder);
  return (
    now?.ino === before.ino && now.ctimeMs === before.ctimeMs && !mayEnter(folder, constants.X_OK)
  );
}

/** Lets the user enter a folder again: a command may have closed it, so that no one sees what is in it. */
function unlock(folder: string, more = 0): boolean {
  if (mayEnter(folder, constants.R_OK | constants.X_OK | more)) return false;
  const stats = statsAt(folder);
  return stats?.isDirectory() === true && changeMode(folder, stats.mode | 0o700);
}

function changeMode(folder: string, mode: number): boolean {
  try {
    chmodSync(folder, mode & 0o7777);
    return true;
  } catch {
    return false; // It is another user's, and stays as it is.
  }
}

function unlockBelow(folder: string): void {
  if (statsAt(folder)?.isDirectory() !== true) return;
  unlock(folder, constants.W_OK);
  for (const name of entriesIn(folder) ?? []) unlockBelow(join(folder, name));
}

/** The names in a folder; undefined where it is none, or no one may list it. */
function entriesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}

/** A file that was renamed and made again is another one. */
function identityOf(path: string): string {
  const stats = statsAt(path);
  return stats === undefined ? '' : `${stats.dev} ${stats.ino}`;
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** How many running commands of this process need each placeholder. */
const needed = new Map<string, number>();

/** The name of a list of placeholders begins with this, and ends with the process that made them. */
const listName = (root: string): string =>
  `plimsoll-held-${createHash('sha256').update(root).digest('hex').slice(0, 16)}-`;

/** Makes placeholders. A list of them in the temporary folder outlives a crash of this process. */
function hold(
  root: string,
  wanted: readonly Held[],
): { readonly paths: readonly string[]; release(): void } {
  const list = join(tmpdir(), `${listName(root)}${process.pid}-${randomUUID()}`);
  const own = [...wanted];
  if (own.length > 0) writeFileSync(list, JSON.stringify(own), { mode: 0o600 });
  for (const { path, text } of own) {
    needed.set(path, (needed.get(path) ?? 0) + 1);
    try {
      if (text === undefined) mkdirSync(path);
      else writeFileSync(path, text, { flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return {
    paths: own.length === 0 ? [] : [...own.map(({ path }) => path), list],
    release: () => {
      for (const one of own.splice(0)) {
        const left = (needed.get(one.path) ?? 1) - 1;
        if (left > 0) needed.set(one.path, left);
        else {
          needed.delete(one.path);
          removeHeld(one);
        }
      }
      rmSync(list, { force: true });
    },
  };
}

/** Removes a placeholder, unless someone has used it meanwhile. */
function removeHeld({ path, text }: Held): void {
  unlock(dirname(path), constants.W_OK);
  try {
    if (text === undefined) rmdirSync(path);
    else if (textOf(path) === text) rmSync(path);
  } catch {
    // It is gone, or holds a file now.
  }
}

/** Removes the placeholders of processes that ended without doing so. */
function removeLeftovers(root: string): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(listName(root))) continue;
    const pid = Number(name.slice(listName(root).length).split('-', 1)[0]);
    if (isRunning(pid)) continue;
    const list = join(tmpdir(), name);
    for (const held of readList(list)) {
      if (held.path.startsWith(`${root}${sep}`)) removeHeld(held);
    }
    rmSync(list, { force: true });
  }
}

function readList(file: string): readonly Held[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Held[];
  } catch {
    return [];
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Most files named in a line. */
const MOST_NAMED = 12;

/** Moves out of the workspace what a command has made and no one has approved. */
function moveAside(
  { root, nameOf }: { readonly root: string; readonly nameOf: (path: string) => string },
  before: Found,
  after: Found,
): readonly string[] {
  const isNew = (path: string): boolean =>
    (before.isAll || before.folders.has(dirname(path))) &&
    before.known.get(path) !== identityOf(path);
  const made = [
    ...[...after.known.keys()].filter(
      (path) => basename(path) !== '.git' && !after.bare.includes(path) && !before.links.has(path),
    ),
    ...after.repositories
      .map(({ path }) => path)
      .filter((path) => isNew(path) && !isPlainRepository(path, root)),
    ...after.bare
      .filter((path) => isNew(path) && !isPlainRepository(path, root))
      .map((path) => join(path, 'config')),
  ].filter(isNew);
  const replaced = [...before.links].filter(([path, target]) => linkAt(path) !== target);
  const paths = [...new Set([...made, ...replaced.map(([path]) => path)])];
  const aside = paths.length === 0 ? '' : mkdtempSync(join(tmpdir(), 'plimsoll-aside-'));
  const moved: string[] = [];
  const left: string[] = [];
  for (const path of paths) {
    try {
      if (moveOut(path, join(aside, nameOf(path)))) moved.push(path);
    } catch {
      left.push(path);
    }
  }
  for (const [path, target] of replaced) {
    try {
      if (statsAt(path) === undefined) symlinkSync(target, path);
    } catch {
      // Its folder is gone, too.
    }
  }
  const named = (paths: readonly string[]): string => {
    const names = paths.slice(0, MOST_NAMED).map((path) => visiblePath(nameOf(path)));
    const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : '';
    return `${names.join(', ')}${more}`;
  };
  return [
    ...(moved.length === 0
      ? []
      : [
          `[A command in the sandbox may not make files that outlast the session. Moved to ${aside}: ${named(moved)}. Make them with a tool that edits files, which asks the user.]`,
        ]),
    ...(left.length === 0
      ? []
      : [
          `[A command in the sandbox made files that outlast the session, and they could not be moved away: ${named(left)}. Ask the user to look at them.]`,
        ]),
  ];
}

function linkAt(path: string): string | undefined {
  return statsAt(path)?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
}

/** Moves a file or folder of the workspace to another place; returns whether there was one. */
function moveOut(from: string, to: string): boolean {
  // No folder on the way may have become a link to elsewhere.
  if (realOf(dirname(from)) !== dirname(from)) return false;
  unlock(dirname(from), constants.W_OK);
  if (statsAt(from) === undefined) return false;
  mkdirSync(dirname(to), { recursive: true });
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    unlockBelow(from);
    cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    rmSync(from, { recursive: true });
  }
  return true;
}

/** Settings of a repository that name no program. */
const PLAIN_SECTIONS: Readonly<Record<string, RegExp>> = {
  core: /^(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol)$/,
  remote: /^(url|pushurl|fetch|tagopt)$/,
  branch: /^(remote|merge|rebase)$/,
  submodule: /^(url|active)$/,
  user: /^(name|email)$/,
  init: /^defaultbranch$/,
  extensions: /^(objectformat|refstorage|compatobjectformat)$/,
};

/** Whether a new repository runs nothing: it has only plain settings and no hooks. */
function isPlainRepository(git: string, root: string): boolean {
  const stats = statsAt(git);
  if (stats?.isFile() === true) {
    const named = /^gitdir: (.+)\n?$/.exec(textOf(git) ?? '')?.[1];
    const folder = named === undefined ? undefined : realOf(resolve(dirname(git), named));
    return (
      folder?.startsWith(`${root}${sep}`) === true &&
      statsAt(folder)?.isDirectory() === true &&
      isPlainRepository(folder, root)
    );
  }
  if (stats?.isDirectory() !== true) return false;
  unlock(git);
  unlock(join(git, 'hooks'));
  const names = entriesIn(git);
  if (names === undefined) return false;
  const hooks = names.includes('hooks') ? entriesIn(join(git, 'hooks')) : [];
  // The settings of a worktree are those of its repository.
  const config = names.includes('config')
    ? textOf(join(git, 'config'))
    : names.includes('commondir')
      ? ''
      : undefined;
  const common = textOf(join(git, 'commondir'))?.trim();
  const isOwn = common === undefined || common === '../..';
  return (
    isOwn &&
    config !== undefined &&
    isPlainConfig(config) &&
    !names.includes('config.worktree') &&
    hooks?.every((name) => name.endsWith('.sample')) === true
  );
}

function isPlainConfig(text: string): boolean {
  let section = '';
  return text.split('\n').every((line) => {
    const header = /^\[(\w+)(?: "[^"]*")?\]$/.exec(line.trim());
    if (header !== null) {
      section = (header[1] ?? '').toLowerCase();
      return Object.hasOwn(PLAIN_SECTIONS, section);
    }
    if (line.trim() === '' || /^\s*[#;]/.test(line)) return true;
    const [, key = '', value = ''] = /^\s*(\w+)\s*=\s*([^\\]*)$/.exec(line) ?? [];
    return PLAIN_SECTIONS[section]?.test(key.toLowerCase()) === true && !value.includes('::');
  });
}

function textOf(file: string): string | undefined {
  const stats = statsAt(file);
  if (stats?.isFile() !== true || stats.size >= 1_000_000) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // No one may read it.
  }
}
