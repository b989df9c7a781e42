import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile } from '../files/fileOnDisk';
import { globPattern, type GlobPattern } from './glob';

/** Files with ignore rules; later ones override earlier ones, as in ripgrep. */
const RULE_FILES = ['.gitignore', '.ignore', '.rgignore'];

/** Larger rule files are ignored; bytes. */
const LARGEST_RULES = 1_000_000;

/** Most rules of one folder, and the longest rule in characters; the rest is ignored. */
const MOST_RULES = 10_000;
const LONGEST_RULE = 1_000;

interface Rule {
  /** Whether it includes a path again that an earlier rule excluded. */
  readonly isException: boolean;
  readonly isForFolders: boolean;
  readonly pattern: GlobPattern;
}

/** The rules of nested folders, the outermost first; within a folder the strongest first. */
export type IgnoreRules = readonly { readonly folder: string; readonly rules: readonly Rule[] }[];

/** Adds the rules in a folder (relative to the root, '' for the root itself). */
export async function withRulesOf(
  root: string,
  folder: string,
  outer: IgnoreRules,
): Promise<IgnoreRules> {
  const place = join(await realpath(root), folder);
  const texts = await Promise.all(
    RULE_FILES.map(async (name) => {
      // A missing or unreadable rule file excludes nothing.
      const read = await readRegularFile(join(place, name), LARGEST_RULES).catch(() => 'none');
      return read instanceof Buffer ? read.toString('utf8') : '';
    }),
  );
  const rules = texts
    .join('\n')
    .split(/\r?\n/)
    .slice(0, MOST_RULES)
    .flatMap((line) => ruleOf(line) ?? [])
    .toReversed();
  return rules.length === 0 ? outer : [...outer, { folder, rules }];
}

/**
 * Whether the rules exclude a path; the innermost folder with a matching rule decides. Paths in an
 * excluded folder never get here, because no one walks into it.
 */
export function isIgnored(rules: IgnoreRules, path: string, isFolder: boolean): boolean {
  for (const { folder, rules: own } of rules.toReversed()) {
    const relative = folder === '' ? path : path.slice(folder.length + 1);
    const decides = own.find(
      (rule) => (isFolder || !rule.isForFolders) && rule.pattern.matches(relative),
    );
    if (decides !== undefined) return !decides.isException;
  }
  return false;
}

/** The rules inside a folder; undefined when the folder itself is excluded. */
export async function rulesDownTo(root: string, folder: string): Promise<IgnoreRules | undefined> {
  let rules = await withRulesOf(root, '', []);
  const segments = folder === '' ? [] : folder.split('/');
  for (const index of segments.keys()) {
    const path = segments.slice(0, index + 1).join('/');
    if (segments[index] === '.git' || isIgnored(rules, path, true)) return undefined;
    rules = await withRulesOf(root, path, rules);
  }
  return rules;
}

/** Parses one line as git does; undefined for a comment, a blank line or an invalid pattern. */
function ruleOf(line: string): Rule | undefined {
  if (line.startsWith('#') || line.length > LONGEST_RULE) return undefined;
  const trimmed = line.replace(/^\uFEFF/, '').replace(/(?<!\\|\s)\s+$/, '');
  const isException = trimmed.startsWith('!');
  const bare = trimmed.slice(isException ? 1 : 0);
  const isForFolders = bare.endsWith('/');
  const glob = isForFolders ? bare.slice(0, -1) : bare;
  if (glob.trim() === '') return undefined;
  const anchored = glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`;
  // `a/**` matches the files in the folder, not the folder.
  const pattern = globPattern(anchored.replace(/\/\*\*$/, '/**/*'), 'betweenSlashes');
  return pattern === undefined ? undefined : { isException, isForFolders, pattern };
}

/** Limits of a walk: most folder entries, and its time; ms. */
export interface WalkBounds {
  readonly entries: number;
  readonly ms: number;
}

export const WALK_BOUNDS: WalkBounds = { entries: 40_000, ms: 1_000 };

/**
 * This many entries are read regardless of the time: a busy machine does not make a project large.
 */
const FEW_ENTRIES = 500;

/** A folder of the project, relative to its root; '' for the root itself. */
interface ProjectFolder {
  readonly path: string;
  readonly entries: readonly Dirent[];
  /** The ignore rules inside it, its own included. */
  readonly rules: IgnoreRules;
}

/**
 * Walks the folders of a project, those nearest to the root first. Skips git's own folder,
 * installed packages and ignored folders, unless `isWanted` accepts the folder. Yields `cut` last
 * when the limits ended the walk. `enter` is called before a folder is read. Of the folders in `known`, the rules
 * there count instead of those on disk.
 */
export async function* projectFolders(
  root: string,
  isWanted: (path: string) => boolean,
  { entries: most, ms }: WalkBounds = WALK_BOUNDS,
  enter?: (folder: string) => void,
  known?: ReadonlyMap<string, IgnoreRules>,
): AsyncGenerator<ProjectFolder | 'cut', void> {
  const until = performance.now() + ms;
  let left = most;
  const folders: { readonly path: string; readonly rules: IgnoreRules }[] = [
    { path: '', rules: [] },
  ];
  // The list grows during the loop.
  for (const { path: folder, rules: outer } of folders) {
    enter?.(join(root, folder));
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    left -= entries.length;
    if (left < 0 || (most - left > FEW_ENTRIES && performance.now() > until)) {
      yield 'cut';
      return;
    }
    const hasRules = entries.some(({ name }) => RULE_FILES.includes(name));
    const own = hasRules ? await withRulesOf(root, folder, outer) : outer;
    const rules = known?.get(folder) ?? own;
    const there = entries.filter(({ name }) => name !== '.git' && name !== 'node_modules');
    yield { path: folder, entries: there, rules };
    for (const entry of there) {
      if (!entry.isDirectory()) continue;
      const path = pathIn(folder, entry.name);
      if (isWanted(path) || !isIgnored(rules, path, true)) folders.push({ path, rules });
    }
  }
}

export function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
