import * as z from 'zod/mini';
import { refused, type Result } from '../contextWindow/result';
import { globPattern, type GlobPattern } from './globPattern';

/** Says whether a path relative to the workspace, with forward slashes, is matched. */
export type PathMatcher = (path: string) => boolean;

/** What a tool takes to look at some files alone. */
export const FILE_GLOB = z
  .optional(z.string())
  .check(
    z.describe('Only files that match, for example "*.ts", "src/**/*.{ts,tsx}" or "!*.test.ts".'),
  );

/** Longest glob, characters. */
const LONGEST_GLOB = 1_000;

/** Most globs that the braces of one may stand for: `{a,b}{a,b}` stands for four. */
const MOST_ALTERNATIVES = 200;

/**
 * Makes a matcher that reads globs as .gitignore and ripgrep do: a glob without a slash is for the
 * file name in any folder, one with a slash is for the path from the root. `*` `?` `[a-z]` `[!a-z]`
 * `**` `{a,b}` and a leading `!` for "all but"; `folder/` means everything in it. Refuses what is no
 * glob, or too large a one.
 */
export function globMatcher(glob: string): Result<{ readonly matches: PathMatcher }> {
  if (glob.length > LONGEST_GLOB) {
    return refused(`The glob has ${glob.length} characters; the most are ${LONGEST_GLOB}.`);
  }
  const negated = glob.startsWith('!');
  const globs = alternatives(negated ? glob.slice(1) : glob);
  if (globs === undefined) {
    return refused(
      `The braces of ${glob} stand for over ${MOST_ALTERNATIVES} globs; use fewer of them.`,
    );
  }
  const patterns: GlobPattern[] = [];
  for (const one of globs) {
    const anchored = one.includes('/') ? one.replace(/^\//, '') : `**/${one}`;
    const pattern = globPattern(anchored, 'anywhere');
    if (pattern === undefined) return refused(`${glob} is not a valid glob.`);
    patterns.push(pattern);
  }
  // "All but node_modules" also excludes what is in the folder.
  const matches: PathMatcher = negated
    ? (path) => !patterns.some((pattern) => pattern.matchesAbove(path))
    : (path) => patterns.some((pattern) => pattern.matches(path));
  return { ok: true, matches };
}

/** The file-name part of every alternative; undefined where the file name alone does not decide. */
export function fileNameGlobs(glob: string): readonly string[] | undefined {
  if (glob.startsWith('!')) return undefined;
  const names = alternatives(glob)?.map((one) => one.split('/').at(-1) ?? '');
  return names?.every((name) => name !== '' && !/\*\*|[[\\{]/.test(name)) === true
    ? names
    : undefined;
}

/** The globs that braces stand for; undefined where they are too many. */
function alternatives(glob: string): readonly string[] | undefined {
  return expandBraces(glob)?.map((one) => {
    const clean = one.replace(/^\.\//, '');
    return clean.endsWith('/') ? `${clean}**` : clean;
  });
}

/** A glob that is still to be written out, and where its next brace is looked for. */
interface Unfinished {
  readonly glob: string;
  readonly from: number;
}

/** Writes out `{a,b}`, nested ones too; a brace that is never closed stands for itself. */
function expandBraces(glob: string): readonly string[] | undefined {
  const done: string[] = [];
  const left: Unfinished[] = [{ glob, from: 0 }];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    const braces = firstBraces(one);
    if (braces === undefined) {
      done.push(one.glob);
    } else {
      const { open, close, options } = braces;
      const before = one.glob.slice(0, open);
      const after = one.glob.slice(close + 1);
      for (const option of options.toReversed()) {
        left.push({ glob: before + option + after, from: open });
      }
    }
    if (done.length + left.length > MOST_ALTERNATIVES) return undefined;
  }
  return done;
}

/** The first braces that are closed, with what stands between their own commas. */
function firstBraces({ glob, from }: Unfinished) {
  const open = glob.indexOf('{', from);
  if (open === -1) return undefined;
  const cuts = [open];
  let depth = 0;
  for (let at = open; at < glob.length; at++) {
    const char = glob[at];
    if (char === '{') depth++;
    if (char === ',' && depth === 1) cuts.push(at);
    if (char === '}' && --depth === 0) {
      const ends = [...cuts.slice(1), at];
      const options = ends.map((end, index) => glob.slice((cuts[index] ?? 0) + 1, end));
      return { open, close: at, options };
    }
  }
  return undefined;
}
