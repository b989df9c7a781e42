import { randomUUID } from 'node:crypto';
import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  type Stats,
} from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { gitFolders, namedBySettings } from '../../agent/gitSettings';
import { HELD_FOLDERS, lastingFolder } from '../../agent/lastingFiles';
import { oneFolder, type WorkspaceFolders } from '../../agent/workspaceFolders';
import { visiblePath } from '../../contextWindow/visibleText';
import {
  type IgnoreRules,
  pathIn,
  projectFolders,
  WALK_BOUNDS,
  type WalkBounds,
} from '../search/ignoreRules';
import {
  changeMode,
  entriesIn,
  inRealFolder,
  identityOf,
  isUntouched,
  mayEnter,
  realOf,
  statsAt,
  textOf,
  unlock,
  unlockBelow,
} from './closedFiles';
import { findGit } from './git';
import { gitlinksOf, NO_LINKS } from './gitlinks';
import { heldNow, hold, isHeld, removeHeld, removeLeftovers, type Held } from './placeholders';
import { isPlainInner, isPlainRepository } from './plainRepository';

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

/** What outlasts the session in a workspace, at a moment. */
interface Found extends Guarded {
  /** The identity of each lasting file, folder and repository, by path. */
  readonly known: ReadonlyMap<string, string>;
  /** The folders with settings in `.git`: of submodules and worktrees, which git uses again by their name. */
  readonly inner: ReadonlySet<string>;
  /** The targets of lasting links, which cannot be made read-only. */
  readonly links: ReadonlyMap<string, string>;
  /** Folders that look like a repository of their own. */
  readonly bare: readonly string[];
  /** The folders that were looked at, by their path in the root, with the ignore rules in each. */
  readonly rules: ReadonlyMap<string, IgnoreRules>;
  /** The `.git` of each submodule, and the names of those that are no text. */
  readonly linked: ReadonlySet<string>;
  readonly odd: ReadonlyMap<string, string>;
  /** False when the bounds ended the search. */
  readonly isAll: boolean;
  /** The repositories whose index could not be read. */
  readonly unread: readonly string[];
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

const NOT_ALL_NOW =
  '[The workspace now has too many files to look at all: the command may have made files that outlast the session in the folders that were not looked at.]';

const NOT_ALL =
  '[The workspace has too many files to look at all: in the folders that were not looked at, the sandbox protects no files that outlast the session.]';

function unreadNote(
  repositories: readonly string[],
  nameOf: (path: string) => string,
): readonly string[] {
  return repositories.length === 0
    ? []
    : [
        `[The index of git in ${namesOf(repositories, nameOf)} cannot be read: the sandbox protects no submodule in an ignored folder.]`,
      ];
}

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
  const program = findGit(folders ?? oneFolder(roots[0] ?? sep));
  const closed = new Map<string, Stats>();
  const noteClosed = (folder: string): void => {
    const stats = statsAt(folder);
    if (stats !== undefined && !mayEnter(folder)) closed.set(folder, stats);
  };
  const found = await Promise.all(
    roots.map(async (root) => ({
      root,
      before: await findGuarded({ root, roots, bounds, program, enter: noteClosed }),
    })),
  );
  const nameIn = (root: string, path: string) => folders?.pathOf(path) ?? relative(root, path);
  const notes = [
    ...(found.every(({ before }) => before.isAll) ? [] : [NOT_ALL]),
    ...found.flatMap(({ root, before }) => unreadNote(before.unread, (path) => nameIn(root, path))),
  ];
  const holds = found.map(({ root, before }) => hold(root, hasPlaceholders ? before.held : []));
  const held = found.flatMap(({ before }) => before.held);
  // What appears in a placeholder, someone else has made.
  const placeholders = held.map(({ path }) => [path, identityOf(path)] as const);
  return {
    guarded: {
      // No one sees the files of a closed folder, and a command could open it and close it again.
      lasting: [...found.flatMap(({ before }) => before.lasting), ...closed.keys()],
      repositories: found.flatMap(({ before }) => before.repositories),
      held,
    },
    note: notes.length === 0 ? undefined : notes.join('\n'),
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
          opened.push(() => changeMode(folder, () => before.mode));
      };
      for (const { root, before } of isForeground ? found : []) {
        const known = new Map([...before.known, ...placeholders]);
        const after = await findGuarded(
          { root, roots, bounds, program, enter: open },
          {
            ...before,
            known,
          },
        );
        if (before.isAll && !after.isAll) lines.push(NOT_ALL_NOW);
        const nameOf = (path: string) => nameIn(root, path);
        const moved = hasPlaceholders ? movedWhole(before, after) : new Map<string, string>();
        for (const [path, from] of moved) {
          for (const one of before.held.filter((one) => one.path.startsWith(`${from}${sep}`)))
            removeHeld({ ...one, path: join(path, relative(from, one.path)) });
          known.set(path, identityOf(path));
          for (const one of before.inner) {
            if (one.startsWith(`${from}${sep}`))
              known.set(join(path, relative(from, one)), before.known.get(one) ?? '');
          }
        }
        const unread = after.unread.filter((path) => !before.unread.includes(path));
        lines.push(...unreadNote(unread, nameOf));
        lines.push(...moveAside({ root, nameOf }, { ...before, known }, after));
      }
      for (const close of opened.reverse()) close();
      return lines;
    },
  };
}

/** Names in a repository's folder that decide what git runs. */
const DECIDING = new Set(
  'config config.worktree hooks info commondir gitdir remotes branches'.split(' '),
);

/** How it is found in one folder of the workspace. */
interface Search {
  readonly root: string;
  /** What a link or git's settings name counts in any of these. */
  readonly roots: readonly string[];
  readonly bounds: WalkBounds;
  /** Git, where it is installed. */
  readonly program: string | undefined;
  /** Is called for a folder before it is read. */
  readonly enter: (folder: string) => void;
}

/** `before`: the result before a command, whose new ignore rules and settings then do not count. */
async function findGuarded(
  { root, roots, bounds, program, enter }: Search,
  before?: Found,
): Promise<Found> {
  const canWrite = (path: string) => roots.some((one) => path.startsWith(`${one}${sep}`));
  const paths = new Set<string>();
  const gits = new Set([join(root, '.git')]);
  const bare: string[] = [];
  const rules = new Map<string, IgnoreRules>();
  let isAll = true;
  const lasts = (path: string) => lastingFolder(path) !== undefined;
  for await (const folder of projectFolders(root, lasts, bounds, enter, before?.rules)) {
    if (folder === 'cut') {
      isAll = false;
      break;
    }
    const path = join(root, folder.path);
    rules.set(folder.path, folder.rules);
    const names = folder.entries.map(({ name }) => name);
    for (const name of names) {
      const found = lastingFolder(pathIn(folder.path, name));
      if (found !== undefined) paths.add(join(root, found));
    }
    if (folder.path !== '') gits.add(join(path, '.git'));
    if (!['HEAD', 'objects', 'refs'].every((name) => names.includes(name))) continue;
    bare.push(path);
    // What it has stays as it is; a new one is looked at as a folder.
    if (before?.known.has(path) !== false) gits.add(path);
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
  const inner = new Set<string>();
  const held: Held[] = HELD_FOLDERS.map((path) => ({ path: join(root, path) }));
  const linked = new Set<string>();
  const odd = new Map<string, string>();
  const unread: string[] = [];
  const addRepository = (git: string): void => {
    // A link on the way leads elsewhere: git does not follow it.
    if (git.startsWith(`${root}${sep}`) && realOf(dirname(git)) === dirname(git)) gits.add(git);
  };
  // Each repository adds its submodules to the set.
  for (const path of gits) {
    if (linked.has(path)) enter(dirname(path));
    if (statsAt(path)?.isDirectory() === true) enter(path);
    const isRead = before === undefined || before.known.get(path) === identityOf(path);
    if (statsAt(path) !== undefined && (isRead || isPlainRepository(path, root))) {
      const links = program === undefined ? NO_LINKS : await gitlinksOf(path, program);
      if (links === undefined) unread.push(path);
      for (const link of links?.paths ?? []) {
        const git = join(dirname(path), link, '.git');
        linked.add(git);
        addRepository(git);
      }
      for (const link of links?.odd ?? []) {
        const name = Buffer.from(`${dirname(path)}${sep}`).toString('latin1') + link;
        odd.set(name, identityOf(Buffer.from(`${name}/.git`, 'latin1')));
      }
    }
    const stats = statsAt(path);
    if (stats?.isSymbolicLink() === true) links.set(path, readlinkSync(path));
    if (stats?.isFile() === true) {
      repositories.push({ path });
      // Its own folder is in another `.git`, or anywhere else in the workspace.
      const own = realOf(gitFolders(path).at(-1) ?? path);
      if (own !== undefined && isRead && !own.split(sep).includes('.git')) addRepository(own);
    }
    if (stats?.isDirectory() !== true) continue;
    const folders = await settingsFolders(path);
    for (const one of folders) {
      if (one !== path) inner.add(one);
      const worktree = textOf(join(one, 'gitdir'))?.trim();
      if (worktree !== undefined) addRepository(resolve(one, worktree));
    }
    if (!mayEnter(path)) {
      repositories.push({ path });
      continue;
    }
    const own = folders
      .flatMap((one) => ownHeld(one))
      .filter((one) => statsAt(one.path) !== undefined || mayMakeIn(dirname(one.path)));
    held.push(...own);
    const named = folders.flatMap((one) => namedBySettings(one, dirname(path)));
    for (const { path: one } of named) {
      const isThere = statsAt(one) !== undefined;
      if (isThere && canWrite(one) && !one.startsWith(path)) lasting.add(one);
    }
    const deciding = [...(await decidingIn(folders)), ...own.map((one) => one.path)];
    repositories.push({ path, deciding: [...new Set(deciding)] });
  }
  const others = heldNow();
  const all = [...paths, ...repositories.map(({ path }) => path), ...bare, ...inner];
  return {
    lasting: [...lasting].sort(),
    repositories,
    held: held.filter(
      // One of another command stays until both have ended.
      ({ path }) => others.has(path) || (statsAt(path) === undefined && mayMakeIn(dirname(path))),
    ),
    known: new Map(all.map((path) => [path, identityOf(path)])),
    inner,
    links,
    bare,
    rules,
    linked,
    odd,
    isAll,
    unread,
  };
}

/**
 * Placeholders in a repository. Its `commondir` names its own folder, as git does where the file is missing:
 * a command could make it, to let git read settings from elsewhere.
 */
function ownHeld(git: string): readonly Held[] {
  const worktree = isWorktree(git);
  const config = textOf(join(worktree ? resolve(git, '../..') : git, 'config')) ?? '';
  const ofWorktree = /worktreeconfig/i.test(config)
    ? [{ path: join(git, 'config.worktree'), text: '' }]
    : [];
  if (worktree) return ofWorktree;
  const folders = ['hooks', 'info', 'remotes', 'branches'];
  return [
    { path: join(git, 'commondir'), text: '.\n' },
    ...folders.map((name) => ({ path: join(git, name) })),
    ...ofWorktree,
  ];
}

function isWorktree(folder: string): boolean {
  return basename(dirname(folder)) === 'worktrees' && !isRepository(dirname(folder));
}

function isRepository(folder: string): boolean {
  return statsAt(join(folder, 'HEAD')) !== undefined;
}

/** How deep the folders of submodules are searched: their names can have slashes. */
const DEEPEST_MODULE = 6;

/** The folders with settings in a repository: its own, those of its worktrees and submodules, and of these. */
async function settingsFolders(git: string, depth = DEEPEST_MODULE): Promise<readonly string[]> {
  const worktrees = (await namesIn(join(git, 'worktrees'))).map((name) =>
    join(git, 'worktrees', name),
  );
  return [git, ...worktrees, ...(await modulesIn(join(git, 'modules'), depth))];
}

async function modulesIn(folder: string, depth: number): Promise<readonly string[]> {
  if (depth === 0) return [];
  const found: string[] = [];
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    found.push(
      ...(isRepository(path)
        ? await settingsFolders(path, depth - 1)
        : await modulesIn(path, depth - 1)),
    );
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

/** Whether a command can make something in a folder, perhaps after it has opened it. */
function mayMakeIn(folder: string): boolean {
  const stats = statsAt(folder);
  if (stats?.isDirectory() !== true) return false;
  return stats.uid === process.getuid?.() || mayEnter(folder, constants.W_OK);
}

/** Most files named in a line. */
const MOST_NAMED = 12;

/**
 * The repositories that a command moved with the folders around them, each with its former path. What decides
 * which programs git runs was mounted in them, and so was read-only. Left out are those whose settings or hooks
 * lead out of their folder, where they would find something else now.
 */
function movedWhole(before: Found, after: Found): ReadonlyMap<string, string> {
  const former = new Map(
    before.repositories.flatMap(({ path, deciding }) =>
      deciding === undefined ? [] : [[before.known.get(path) ?? '', path] as const],
    ),
  );
  return new Map(
    after.repositories.flatMap(({ path }) => {
      const from = former.get(identityOf(path));
      const isMoved = from !== undefined && from !== path && basename(path) === '.git';
      return isMoved && staysInFolder(path) ? [[path, from] as const] : [];
    }),
  );
}

function staysInFolder(git: string): boolean {
  const hooks = join(git, 'hooks');
  const isLink = (path: string): boolean => statsAt(path)?.isSymbolicLink() === true;
  return (
    namedBySettings(git, dirname(git)).every(({ path }) => path.startsWith(dirname(git) + sep)) &&
    ![git, hooks, ...(entriesIn(hooks) ?? []).map((name) => join(hooks, name))].some(isLink)
  );
}

/** Moves out of the workspace what a command has made and no one has approved. */
function moveAside(
  { root, nameOf }: { readonly root: string; readonly nameOf: (path: string) => string },
  before: Found,
  after: Found,
): readonly string[] {
  const isChanged = (path: string): boolean => before.known.get(path) !== identityOf(path);
  const isNew = (path: string): boolean =>
    (before.isAll ||
      before.rules.has(relative(root, dirname(path)).split(sep).join('/')) ||
      after.linked.has(path)) &&
    isChanged(path);
  // Git looks for these in repositories that were there, and finds them again by their names.
  const mayRun = (path: string): boolean => isChanged(path) && !isPlainInner(path, root);
  const made = [
    ...[...after.known.keys()].filter(
      (path) =>
        basename(path) !== '.git' &&
        !after.inner.has(path) &&
        !after.bare.includes(path) &&
        !before.links.has(path),
    ),
    ...after.repositories
      .map(({ path }) => path)
      .filter((path) => isNew(path) && !isPlainRepository(path, root)),
    ...after.bare
      .filter((path) => isNew(path) && !isPlainRepository(path, root))
      .map((path) => join(path, 'config')),
  ].filter(isNew);
  const inner = [...after.inner].filter(mayRun);
  const replaced = [...before.links].filter(([path, target]) => linkAt(path) !== target);
  const paths = [...new Set([...made, ...inner, ...replaced.map(([path]) => path)])];
  const aside = paths.length === 0 ? '' : mkdtempSync(join(tmpdir(), 'plimsoll-aside-'));
  const moved: string[] = [];
  const renamed: string[] = [];
  const left: string[] = [];
  for (const path of paths) {
    try {
      if (moveOut(root, path, join(aside, nameOf(path)))) moved.push(path);
    } catch {
      left.push(path);
    }
  }
  if (aside !== '' && moved.length === 0) rmSync(aside, { recursive: true, force: true });
  for (const [link, identity] of after.odd) {
    if (identity === '' || before.odd.get(link) === identity) continue;
    const name = Buffer.from(link, 'latin1');
    const shown = join(root, relative(root, name.toString('utf8')));
    try {
      if (renameOdd(name)) renamed.push(join(shown, '.git'));
    } catch {
      left.push(join(shown, '.git'));
    }
  }
  for (const [path, target] of replaced) {
    try {
      if (statsAt(path) !== undefined) continue;
      inRealFolder(dirname(path), (real) => symlinkSync(target, join(`${real}`, basename(path))));
    } catch {
      // Its folder is gone, too.
    }
  }
  const named = (paths: readonly string[]): string => namesOf(paths, nameOf);
  return [
    ...(moved.length === 0
      ? []
      : [
          `[A command in the sandbox may not make files that outlast the session. Moved to ${aside}: ${named(moved)}. Make them with a tool that edits files, which asks the user.]`,
        ]),
    ...(renamed.length === 0
      ? []
      : [
          `[A command in the sandbox may not make a submodule in a folder whose name is not UTF-8. Renamed there: ${named(renamed)}.]`,
        ]),
    ...(left.length === 0
      ? []
      : [
          `[A command in the sandbox made files that outlast the session, and they could not be moved away: ${named(left)}. Ask the user to look at them.]`,
        ]),
  ];
}

function namesOf(paths: readonly string[], nameOf: (path: string) => string): string {
  const names = paths.slice(0, MOST_NAMED).map((path) => visiblePath(nameOf(path)));
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : '';
  return `${names.join(', ')}${more}`;
}

function linkAt(path: string): string | undefined {
  return statsAt(path)?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
}

/** Moves a file or folder of the workspace to another place; returns whether there was one. */
function moveOut(root: string, from: string, to: string): boolean {
  const folder = dirname(from);
  if (statsAt(from) === undefined) return false;
  unlock(folder, constants.W_OK);
  mkdirSync(dirname(to), { recursive: true });
  const isMoved = inRealFolder(folder, (real) => {
    const there = join(`${real}`, basename(from));
    try {
      renameSync(there, to);
    } catch (error) {
      // While another command runs, it could exchange the folder for a link, and files elsewhere be deleted.
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV' || isHeld(root)) throw error;
      unlockBelow(there);
      cpSync(there, to, { recursive: true, verbatimSymlinks: true });
      rmSync(there, { recursive: true });
    }
    return true;
  });
  if (isMoved === undefined) throw new Error('A link leads to its folder.');
  return true;
}

/**
 * Renames the `.git` of a folder whose name is no text, so that git no longer enters it; returns whether there
 * was one.
 */
function renameOdd(folder: Buffer): boolean {
  if (!existsSync(Buffer.concat([folder, Buffer.from('/.git')]))) return false;
  return (
    inRealFolder(folder, (real) => {
      const at = (name: string) => Buffer.concat([Buffer.from(real), Buffer.from(`/${name}`)]);
      renameSync(at('.git'), at(`git-moved-aside-${randomUUID()}`));
      return true;
    }) ?? false
  );
}
