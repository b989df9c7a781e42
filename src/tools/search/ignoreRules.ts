import type { Dirent } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile } from '../files/fileOnDisk';
import { globPattern, type GlobPattern } from './glob';

/** The files that hold rules, the later ones stronger, as ripgrep reads them. */
export const RULE_FILES = ['.gitignore', '.ignore', '.rgignore'];

/** Larger files are not read for rules; bytes. */
const LARGEST_RULES = 1_000_000;

/** Most rules of one folder, and the longest; characters. What is beyond is left out. */
const MOST_RULES = 10_000;
const LONGEST_RULE = 1_000;

interface Rule {
  /** Whether it brings back what a rule before it left out. */
  readonly isException: boolean;
  readonly isForFolders: boolean;
  readonly pattern: GlobPattern;
}

/** The rules of some nested folders, the outermost first; of one folder the strongest rule first. */
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
      // A rule file that is not there, or cannot be read, leaves nothing out.
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
 * Says whether the rules leave a path out; the innermost folder with a rule for it decides. What is
 * in a folder that is left out is not asked about: nobody walks into it.
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

/** The rules that hold inside a folder; undefined when the folder itself is left out. */
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

/** Reads one line as git does; undefined for a comment, a blank line, and what is no pattern. */
function ruleOf(line: string): Rule | undefined {
  if (line.startsWith('#') || line.length > LONGEST_RULE) return undefined;
  const trimmed = line.replace(/^\uFEFF/, '').replace(/(?<!\\|\s)\s+$/, '');
  const isException = trimmed.startsWith('!');
  const bare = trimmed.slice(isException ? 1 : 0);
  const isForFolders = bare.endsWith('/');
  const glob = isForFolders ? bare.slice(0, -1) : bare;
  if (glob.trim() === '') return undefined;
  const anchored = glob.includes('/') ? glob.replace(/^\//, '') : `**/${glob}`;
  // `a/**` is for what is in the folder, not for the folder.
  const pattern = globPattern(anchored.replace(/\/\*\*$/, '/**/*'), 'betweenSlashes');
  return pattern === undefined ? undefined : { isException, isForFolders, pattern };
}

/** Bounds of a walk: most entries of folders that are looked at, and its longest time; ms. */
export interface WalkBounds {
  readonly entries: number;
  readonly ms: number;
}

export const WALK_BOUNDS: WalkBounds = { entries: 40_000, ms: 1_000 };

/** So many entries are looked at however long it takes: a busy machine does not make a project large. */
const FEW_ENTRIES = 500;

/** A folder of the project, relative to its root; '' for the root itself. */
interface ProjectFolder {
  readonly path: string;
  readonly entries: readonly Dirent[];
  /** What rules leave out of it, its own included. */
  readonly rules: IgnoreRules;
}

/**
 * Goes through the folders of a project, the nearest to the root first. Git's own folder, installed
 * packages and what rules leave out are not the project's, unless `isWanted` says so of a folder.
 * The last thing it gives is `cut` where the bounds ended it.
 */
export async function* projectFolders(
  root: string,
  isWanted: (path: string) => boolean,
  { entries: most, ms }: WalkBounds = WALK_BOUNDS,
): AsyncGenerator<ProjectFolder | 'cut', void> {
  const until = performance.now() + ms;
  let left = most;
  const folders: { readonly path: string; readonly rules: IgnoreRules }[] = [
    { path: '', rules: [] },
  ];
  // The list grows while it is gone through.
  for (const { path: folder, rules: outer } of folders) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    left -= entries.length;
    if (left < 0 || (most - left > FEW_ENTRIES && performance.now() > until)) {
      yield 'cut';
      return;
    }
    const hasRules = entries.some(({ name }) => RULE_FILES.includes(name));
    const rules = hasRules ? await withRulesOf(root, folder, outer) : outer;
    const own = entries.filter(({ name }) => name !== '.git' && name !== 'node_modules');
    yield { path: folder, entries: own, rules };
    for (const entry of own) {
      if (!entry.isDirectory()) continue;
      const path = pathIn(folder, entry.name);
      if (isWanted(path) || !isIgnored(rules, path, true)) folders.push({ path, rules });
    }
  }
}

/** The path of an entry of a folder. */
export function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
