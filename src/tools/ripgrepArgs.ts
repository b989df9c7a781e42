import type { FileQuery } from './fileQuery';
import { fileNameGlobs } from './glob';

/** Where ripgrep is started, and with what; its paths begin behind `prefix`. */
export interface RipgrepCall {
  /** Relative to the root. */
  readonly folder: string;
  readonly args: readonly string[];
  /** What to put before the paths it prints. */
  readonly prefix: string;
}

/** Most characters of arguments that only save work. */
const LONGEST_ARGS = 20_000;

/**
 * Ignore rules as the user sees them in the editor: those of the workspace whether or not it is a
 * git repository, none of the folders above it nor of the machine. Hidden files count, .git does not.
 */
const COMMON = [
  '--no-config',
  '--no-messages',
  '--color=never',
  '--sort=path',
  '--hidden',
  '--glob=!.git',
  '--no-require-git',
  '--no-ignore-parent',
  '--no-ignore-global',
  '--no-ignore-exclude',
  '--path-separator=/',
];

/** The call that lists files; `siblings` are the names to pass by (see `prunedSiblings`). */
export function listCall(query: FileQuery, siblings: readonly string[]): RipgrepCall {
  return callWith(['--files'], query, siblings);
}

/** The call that searches contents and prints one JSON object a line. */
export function searchCall(
  query: FileQuery,
  pattern: string,
  siblings: readonly string[],
): RipgrepCall {
  return callWith(['--json', '--crlf', `--regexp=${pattern}`], query, siblings);
}

/**
 * A folder is not given as an argument, because ripgrep would then pass over the .gitignore files
 * above it: it starts at the root and is told what to leave aside. A folder that is itself ignored
 * was asked for by name, so there it starts inside.
 */
function callWith(mode: readonly string[], query: FileQuery, siblings: readonly string[]) {
  const args = [...COMMON, ...mode];
  if (query.isFile) {
    return { folder: '', prefix: '', args: [...args, '--no-ignore', '--', `./${query.path}`] };
  }
  args.push(...nameFilter(query.glob));
  if (query.rules === undefined) {
    return { folder: query.path, prefix: `${query.path}/`, args: [...args, '--', '.'] };
  }
  const prune = siblings.map((path) => `--glob=!/${escapeGlob(path)}`);
  const fits = prune.reduce((sum, arg) => sum + arg.length, 0) <= LONGEST_ARGS;
  return { folder: '', prefix: '', args: [...args, ...(fits ? prune : []), '--', '.'] };
}

/**
 * Narrows the walk by file name only. Not with --glob, which would bring ignored files back;
 * the whole glob is applied to what comes out.
 */
function nameFilter(glob: string | undefined): readonly string[] {
  const names = glob === undefined ? undefined : fileNameGlobs(glob);
  if (names === undefined) return [];
  return [...names.map((name) => `--type-add=wanted:${name}`), '--type=wanted'];
}

function escapeGlob(path: string): string {
  return path.replace(/[\\*?[\]{}!# ]/g, '\\$&');
}
