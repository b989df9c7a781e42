import { existsSync, readdirSync, type Dirent } from 'node:fs';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import {
  commandToContinue,
  GitSettings,
  isInRepository,
  realPath,
  remotesIn,
} from '../gitSettings';
import { couldLast, couldMatch, withoutSearched } from '../lastingFiles';
import type { FolderPlace, WorkspaceFolders } from '../workspaceFolders';
import { onlyReads, withoutCode } from './carriers';
import {
  ADDRESS,
  filesNamedInPart,
  folderOfOption,
  fromSubcommand,
  keepsFiles,
  programName,
  remotesOf,
  writesItsFiles,
} from './programs';
import { settingsChanged } from './settingsChanged';
import { type ShellPart, withAllCarried } from './shellCommand';

/** Whether a path, seen from a folder, is in the workspace. Both may be relative to where a command begins. */
export type IsInside = (path: string, folder: string) => boolean;

/** Files that lead nowhere and hold none of the user's work. */
const HARMLESS = new Set(['/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr', '/dev/tty']);

/** Folders of programs: a command may run these programs, but not name them otherwise. */
const PROGRAMS = /^(\/bin|\/usr\/bin|\/usr\/local\/bin|\/opt)\/(?!.*\.\.)/;

/**
 * How a command leads out of the workspace, as a sentence; undefined when nothing it names does.
 * This prevents accidents and is no sandbox: a program does what it likes.
 *
 * A word counts as a path from every folder that the command may enter.
 */
export function leadsOutside(parts: readonly ShellPart[], isInside: IsInside): string | undefined {
  const all = withAllCarried(parts);
  for (const { words } of all) {
    const [program = '', ...rest] = words;
    if (/^(pushd|popd|dirs)$/.test(program))
      return `It runs ${program}, which changes to an unnamed folder.`;
    if (program === 'cd' && folderEntered(rest) === undefined)
      return 'It changes to an unnamed folder.';
  }
  const found = namedOutside(all, foldersEntered(parts), isInside);
  return found === undefined ? undefined : outsideText(found);
}

export function outsideText(path: string): string {
  return `It names ${path}, which is outside the workspace.`;
}

/** The first path that these programs name and that is outside, seen from one of the folders. */
export function namedOutside(
  programs: readonly ShellPart[],
  folders: readonly string[],
  isInside: IsInside,
): string | undefined {
  return programs
    .flatMap(pathsNamed)
    .find((path) => !HARMLESS.has(path) && !folders.every((folder) => isInside(path, folder)));
}

/** Every path that a program may mean by its words, variables and redirections. */
export function pathsNamed({ words, redirects, assignments }: ShellPart): readonly string[] {
  const [program = ''] = words;
  return [
    ...(PROGRAMS.test(program) ? [] : pathsIn(program)),
    ...withoutCode(words)
      .filter((word) => !isDelimiter(program, word))
      .flatMap(pathsIn),
    ...assignments.flatMap(({ value }) => pathsIn(value)),
    ...redirects.map(({ path }) => path),
  ];
}

/** The folders that a command may be in, relative to where it begins, which is the first. */
export function foldersEntered(parts: readonly ShellPart[]): readonly string[] {
  const folders = ['.'];
  for (const { words } of withAllCarried(parts)) {
    const [program = '', ...rest] = words;
    const folder = /^(cd|pushd)$/.test(program)
      ? folderEntered(rest)
      : programName(program) === 'env'
        ? folderOfOption(words)
        : undefined;
    if (folder !== undefined) folders.push(...folders.map((one) => `${one}/${folder}`));
  }
  return folders;
}

/**
 * The first file that outlasts the session and that a command may change, as written there. A path counts
 * from every folder that the command may enter, with links followed; a pattern counts when it could
 * match such a file. Programs that only read may be given such files.
 */
export function lastingNamed(parts: readonly ShellPart[], place: FolderPlace): string | undefined {
  const entered = foldersEntered(parts);
  const from = realPath(place.root);
  const real = realFolders(place.folders);
  const git = new GitSettings(real);
  const lasts = (path: string, isWritten: boolean, folders = entered): boolean =>
    couldLast(path, isWritten) ||
    folders
      .flatMap((folder) => walked(from, folder, path))
      .some((found) => {
        const names = real.pathsOf(found);
        const way = relative(from, found).split(sep).join('/');
        return (
          [way, ...names].some((name) => couldLast(name, isWritten)) ||
          (names.length > 0 && git.kindOf(found) !== undefined)
        );
      });
  /** Whether a folder is that of the workspace, or around it. */
  const holdsRoot = (path: string): boolean =>
    entered
      .flatMap((folder) => walked(from, folder, path))
      .some((found) => real.all.some(({ root }) => relative(root, found).split(sep).every(isUp)));
  for (const part of withAllCarried(parts)) {
    const written = part.redirects.filter(({ writes }) => writes).map(({ path }) => path);
    const found = written.find((path) => !HARMLESS.has(path) && lasts(path, true));
    if (found !== undefined) return found;
    if (part.words[0] === 'cd' || keepsFiles(part.words) || onlyReads(part.words)) continue;
    if (wholeFolders(part).some(holdsRoot)) return 'the whole workspace';
    const settings = settingsChanged(part.words);
    if (settings !== undefined) return settings;
    const writes = writesItsFiles(part.words);
    // To run such a file does not change it.
    const words = ['', ...withoutSearched(part.words.slice(1))];
    const named = [
      ...pathsNamed({ ...part, words, redirects: [] }),
      ...filesNamedInPart(part.words),
    ];
    const own = folderOfOption(part.words);
    const folders =
      own === undefined ? entered : [...entered, ...entered.map((one) => `${one}/${own}`)];
    const lasting = named.find((path) => lasts(path, writes, folders));
    if (lasting !== undefined) return lasting;
  }
  return undefined;
}

/** Whether a program changes files that its words name. */
export function changesFiles(words: readonly string[]): boolean {
  return writesItsFiles(words) && !keepsFiles(words) && !onlyReads(words);
}

/** `..`, or nothing. */
function isUp(name: string): boolean {
  return name === '' || name === '..';
}

/** Tests of `find` that leave out most files. */
const CHOOSES = /^-(i?name|i?path|i?wholename|empty)$/;
/** Patterns that match most files: `*`, `./*`, `*.*`, `[!x]*`. */
const MATCHES_MOST = /^([*?./]|\[[^\]]*\])+$/;

/** Folders in which a program may delete or change every file. */
function wholeFolders({ words, carried }: ShellPart): readonly string[] {
  const [program = '', subcommand = '', ...others] = fromSubcommand(words);
  const isGit = program === 'git' && subcommand === 'rm' && !others.includes('--cached');
  if (program === 'rm' || isGit) {
    const rest = isGit ? others : [subcommand, ...others];
    const isRecursive = rest.some((word) => /^(-[a-zA-Z]*[rR]|--r)/.test(word));
    return isRecursive ? rest.filter((word) => word !== '' && !word.startsWith('-')) : [];
  }
  if (program !== 'find') return [];
  const rest = words.slice(1);
  const changes =
    rest.includes('-delete') || withAllCarried(carried).some((one) => changesFiles(one.words));
  const chosen = rest.filter(
    (word, at) =>
      CHOOSES.test(word) &&
      !/^(!|-not)$/.test(rest[at - 1] ?? '') &&
      (word === '-empty' || !MATCHES_MOST.test(rest[at + 1] ?? '')),
  );
  const alternatives = rest.filter((word) => /^-or?$/.test(word));
  if (!changes || chosen.length > alternatives.length) return [];
  const from = rest.findIndex((word) => !/^-([HLP]|O\d|D)$/.test(word));
  const until = rest.findIndex((word, at) => at >= from && /^[-(!]/.test(word));
  const folders = rest.slice(from, until < 0 ? undefined : until);
  return folders.length === 0 ? ['.'] : folders;
}

/**
 * How git would use a folder as another repository, whose settings may run programs, as a sentence. A remote
 * that the repository does not know may be a folder that the command makes first.
 */
export function whyFolderAsRemote(
  parts: readonly ShellPart[],
  { root, folders }: FolderPlace,
): string | undefined {
  const entered = foldersEntered(parts);
  const isAlone = withAllCarried(parts).length === 1;
  for (const { words } of withAllCarried(parts)) {
    const remotes = remotesOf(words);
    if (remotes === undefined) continue;
    const own = folderOfOption(words);
    const places = entered.map((one) => resolve(root, one, own ?? '.'));
    const isFolder = (path: string) =>
      [...places, ...entered].some((one) => existsSync(resolve(root, one, path)));
    const isOwn = (url: string) =>
      isFolder(url) && places.some((one) => folders.pathOf(resolve(one, url)) !== undefined);
    const repositories = places.filter(isInRepository);
    const known = (repositories.length > 0 ? repositories : places).map(remotesIn);
    const folder = remotes.find(isFolder);
    // Without a repository git does nothing, unless another program makes one first.
    if (folder === undefined && isAlone && repositories.length === 0) continue;
    const unknown = remotes.find(
      (name) => !ADDRESS.test(name) && !known.every((one) => one.has(name)),
    );
    if (folder === undefined && unknown !== undefined)
      return `It uses ${unknown}, which is no remote of this repository and may be a folder that the command makes.`;
    const urls = known.flatMap((one) => {
      const all = words.includes('--all') || !one.has('origin') ? [...one.keys()] : ['origin'];
      return (remotes.length === 0 ? all : remotes).flatMap((name) => one.get(name) ?? []);
    });
    const found = folder ?? urls.find(isOwn);
    if (found !== undefined)
      return `It uses the folder ${found} as a repository, whose settings can run programs.`;
  }
  return undefined;
}

/** How a command continues a rebase whose state names commands, as a sentence. */
export function whyCommandUnderWay(
  parts: readonly ShellPart[],
  { root }: FolderPlace,
): string | undefined {
  for (const { words } of withAllCarried(parts)) {
    const [program, subcommand = '', ...rest] = fromSubcommand(words);
    const continues =
      program === 'git' &&
      /^(rebase|cherry-pick|revert)$/.test(subcommand) &&
      rest.some((word) => /^--(c|s|ed)/.test(word));
    if (!continues) continue;
    const found = foldersEntered(parts)
      .map((one) => commandToContinue(resolve(root, one, folderOfOption(words) ?? '.')))
      .find((one) => one !== undefined);
    if (found !== undefined) return `It continues a rebase or cherry-pick that runs: ${found}.`;
  }
  return undefined;
}

/** The folder that `cd` enters; undefined when its words do not determine it. */
function folderEntered(words: readonly string[]): string | undefined {
  const [folder, ...more] = words.filter((word) => !/^-([LPe@]+|-)$/.test(word));
  const isNamed = folder !== undefined && folder !== '' && !folder.startsWith('-');
  return isNamed && more.length === 0 ? folder : undefined;
}

/** How an address begins that names no file of this machine. */
const URL =
  '(https?|ssh|git|wss?|postgres(ql)?|mysql|mariadb|mongodb(\\+srv)?|rediss?|amqps?|mqtts?):\\/\\/';

/**
 * Possible paths in a word: the word itself, parts after a separator, and an option's attached
 * value.
 */
function pathsIn(word: string): readonly string[] {
  if (new RegExp(`^${URL}`, 'i').test(word)) return [];
  const pieces = word
    .replace(new RegExp(`\\b${URL}[^\\s'"]+`, 'gi'), '')
    .split(/[\s<>'"=,:;@&|(){}]+/);
  // The value of `--out=a/b` is one of the pieces.
  const whole = word.startsWith('-') && word.includes('=') ? [] : [word];
  const paths = [...whole, ...pieces].flatMap((piece) =>
    piece.startsWith('-') ? attachedTo(piece) : [piece],
  );
  return [...new Set(paths)].filter((path) => path !== '');
}

/** `awk -F/` and `cut -d/` name a delimiter, not a folder. */
function isDelimiter(program: string, word: string): boolean {
  return /^([gm]?awk|cut)$/.test(program) && /^-[Fd]\/$/.test(word);
}

/** Paths that may be attached to an option: `../x` in `-C../x`, `Makefile` in `-qOMakefile`. */
function attachedTo(option: string): readonly string[] {
  const at = option.search(/[./~]/);
  const letters = /^-[a-zA-Z]+/.exec(option)?.[0].length ?? 1;
  return [
    ...(at < 0 ? [] : [option.slice(at)]),
    ...Array.from({ length: Math.min(letters - 1, MOST_LETTERS) }, (_, index) =>
      option.slice(index + 2),
    ),
  ];
}

/** Most letters of options in one word before a value. */
const MOST_LETTERS = 8;

/** Judges a command's paths by the files on disk and follows links. */
export function insideFolders({ root, folders }: FolderPlace): IsInside {
  const from = realPath(root);
  const real = realFolders(folders);
  return (path, folder) => {
    if (path.startsWith('~')) return false;
    const absolute = resolve(root, folder, path);
    const isNamed = isAbsolute(path) || path.split(/[/\\]/).includes('..');
    const isInside = [folders, real].some((one) => one.pathOf(absolute) !== undefined);
    if (isNamed && !isInside) return false;
    return walked(from, folder, path).every((found) => real.pathOf(found) !== undefined);
  };
}

function realFolders(folders: WorkspaceFolders): WorkspaceFolders {
  return folders.movedTo(realPath);
}

/** Most files that the patterns of a path are followed to. */
const MOST_MATCHES = 5_000;

/**
 * Where the system gets from a folder: it follows a link before the `..` after it. A pattern leads to every
 * folder, link and lasting file that it could match, and stays as it is for what does not exist yet.
 */
function walked(from: string, ...paths: readonly string[]): readonly string[] {
  let at: readonly string[] = [from];
  for (const path of paths) {
    if (isAbsolute(path)) at = [parse(path).root];
    for (const name of path.split(sep === '/' ? '/' : /[/\\]/)) {
      if (name === '..') at = at.map((one) => dirname(one));
      else if (name !== '' && name !== '.') at = at.flatMap((one) => namedIn(one, name));
      // Too many to follow: they may lead anywhere.
      if (at.length > MOST_MATCHES) return [parse(from).root];
    }
  }
  return at;
}

function namedIn(folder: string, name: string): readonly string[] {
  const own = realPath(join(folder, name));
  if (!/[*?[]/.test(name)) return [own];
  const found = entriesOf(folder).filter(
    (entry) =>
      (entry.isDirectory() || entry.isSymbolicLink() || couldLast(entry.name, true)) &&
      entry.name.startsWith('.') === name.startsWith('.') &&
      couldMatch(name, entry.name),
  );
  return [own, ...found.map((entry) => realPath(join(folder, entry.name)))];
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // It is missing, or no folder.
  }
}
