import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { globPattern, type GlobPattern } from './globPattern';
import { readRegularFile } from './regularFile';

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
