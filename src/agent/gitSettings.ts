import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { couldMatch, type LastingKind } from './lastingFiles';
import type { WorkspaceFolders } from './workspaceFolders';

/** A file or folder that git's settings name: hooks elsewhere than in `.git`, or further settings. */
interface NamedByGit {
  /** Absolute, with links followed as far as it exists. */
  readonly path: string;
  readonly kind: Extract<LastingKind, 'git' | 'hook'>;
}

/** How many files of settings may include one another. */
const MOST_INCLUDED = 5;

/** A setting that names hooks or further settings, also on the line of its section. */
const SETTING = /^\s*(?:\[[^\]\n]*\]\s*)?(hookspath|path)\s*=\s*"?([^"\n#;]+?)"?\s*$/gim;

/** What the settings in one folder of git name; `worktree` is the folder that hooks are relative to. */
export function namedBySettings(folder: string, worktree: string): readonly NamedByGit[] {
  const read = [join(folder, 'config'), join(folder, 'config.worktree')];
  const named: NamedByGit[] = [];
  // The list grows by what these files include.
  for (const file of read) {
    for (const [, key = '', path = ''] of (textOf(file) ?? '').matchAll(SETTING)) {
      if (path.startsWith('~')) continue; // In the home folder, outside the workspace.
      const isInclude = key.toLowerCase() === 'path';
      const found = realPath(resolve(isInclude ? dirname(file) : worktree, path));
      named.push({ kind: isInclude ? 'git' : 'hook', path: found });
      if (isInclude && read.length < MOST_INCLUDED && !read.includes(found)) read.push(found);
    }
  }
  return named;
}

/** The strategies that git knows. */
const STRATEGIES = 'ort|recursive|resolve|octopus|ours|subtree';

/**
 * The state of a rebase or cherry-pick under way, and what in it `--continue` runs: the commands of its steps, and
 * a strategy that git does not know, which is a program.
 */
export const UNDER_WAY: Readonly<Record<string, RegExp>> = {
  'rebase-merge/git-rebase-todo': /^[ \t]*(?:x|exec)[ \t].*/gm,
  'rebase-merge/strategy': new RegExp(String.raw`^(?!(?:${STRATEGIES})?\s*$).*`, 'g'),
  'sequencer/opts': new RegExp(
    String.raw`^[ \t]*strategy[ \t]*=[ \t]*(?!(?:${STRATEGIES})[ \t]*$).*`,
    'gim',
  ),
};

/** The commands in the state of a rebase, each once: the same one may follow many steps. */
export function commandsUnderWay(path: string, text: string): readonly string[] {
  const [, commands] = Object.entries(UNDER_WAY).find(([name]) => path.endsWith(name)) ?? [];
  const found = commands === undefined ? [] : (text.match(commands) ?? []);
  return [...new Set(found)].sort();
}

/** A command that git would run if the rebase under way around a folder continued. */
export function commandToContinue(folder: string): string | undefined {
  const git = join(folder, '.git');
  if (!existsSync(git))
    return folder === dirname(folder) ? undefined : commandToContinue(dirname(folder));
  return gitFolders(git)
    .flatMap((one) => Object.keys(UNDER_WAY).map((name) => join(one, name)))
    .flatMap((path) => commandsUnderWay(path, textOf(path) ?? ''))[0]
    ?.trim();
}

/** Whether a folder is in a repository. */
export function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  return folder !== dirname(folder) && isInRepository(dirname(folder));
}

/** The remotes of the repository around a folder, each with its addresses. */
export function remotesIn(folder: string): ReadonlyMap<string, readonly string[]> {
  const git = join(folder, '.git');
  if (!existsSync(git)) return folder === dirname(folder) ? new Map() : remotesIn(dirname(folder));
  const remotes = new Map<string, readonly string[]>();
  let remote: string | undefined;
  for (const line of gitFolders(git).flatMap(
    (one) => textOf(join(one, 'config'))?.split('\n') ?? [],
  )) {
    if (/^\s*\[/.test(line)) remote = /^\s*\[remote\s+"(.+?)"\]/i.exec(line)?.[1];
    if (remote === undefined) continue;
    const url = /^\s*(?:push)?url\s*=\s*"?(.*?)"?\s*$/i.exec(line)?.[1];
    remotes.set(remote, [...(remotes.get(remote) ?? []), ...(url === undefined ? [] : [url])]);
  }
  return remotes;
}

/**
 * Tells which files of a workspace last because the settings of their repository name them
 * (`core.hooksPath`, `include.path`). Each repository is read once, so make a new one for each call.
 */
export class GitSettings {
  readonly #roots: readonly string[];
  readonly #named = new Map<string, readonly NamedByGit[]>();

  constructor(folders: WorkspaceFolders) {
    this.#roots = folders.all.map(({ root }) => realPath(root));
  }

  /** The kind of a file or folder; `path` is absolute, with links followed. */
  kindOf(path: string): NamedByGit['kind'] | undefined {
    const around = this.#roots.filter((root) => isAround(root, path));
    for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
      const found = this.#namedIn(folder).find(({ path: named }) => covers(named, path));
      if (found !== undefined) return found.kind;
      // The workspace may be a folder of a larger repository.
      const isOutermost = around.length > 0 && around.every((root) => isAround(folder, root));
      if (isOutermost && existsSync(join(folder, '.git'))) break;
    }
    // The settings of one folder may name a file of another.
    return this.#roots
      .flatMap((root) => this.#namedIn(root))
      .find(({ path: named }) => covers(named, path))?.kind;
  }

  #namedIn(folder: string): readonly NamedByGit[] {
    const known = this.#named.get(folder);
    if (known !== undefined) return known;
    const named = gitFolders(join(folder, '.git')).flatMap((git) => namedBySettings(git, folder));
    this.#named.set(folder, named);
    return named;
  }
}

/** Whether a path, or a pattern of the shell, is the named file or folder, or below it. */
function covers(named: string, path: string): boolean {
  const [names, words] = [named.split(sep), path.split(sep)];
  return names.every((name, at) => {
    const word = words[at] ?? '';
    // Some file systems take one case for the other.
    return word.toLowerCase() === name.toLowerCase() || couldMatch(word, name);
  });
}

function isAround(folder: string, path: string): boolean {
  return folder === path || path.startsWith(`${folder}${sep}`);
}

/**
 * The folders with the settings of a repository; in a worktree `.git` is a file that names them, and its
 * own folder comes last.
 */
export function gitFolders(git: string): readonly string[] {
  const named = /^gitdir: (.+)\n?$/.exec(textOf(git) ?? '')?.[1];
  if (named === undefined) return [git];
  const own = resolve(dirname(git), named);
  const common = textOf(join(own, 'commondir'))?.trim();
  return common === undefined ? [own] : [resolve(own, common), own];
}

/** Bytes of the largest settings that are read. */
const LARGEST = 16_000_000;

function textOf(path: string): string | undefined {
  try {
    // To read a pipe or a device would never end.
    const stats = statSync(path);
    return stats.isFile() && stats.size <= LARGEST ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined; // It is missing, or a folder: git finds no settings there either.
  }
}

/**
 * Follows links as far as the path exists; a missing file counts as part of its folder. A broken
 * link counts as outside: its target may be created anywhere.
 */
export function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  if (isLink(path)) return sep;
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent), basename(path));
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false; // It is missing, or below a file.
  }
}
