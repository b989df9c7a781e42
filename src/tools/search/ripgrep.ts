import type { FileQuery } from './fileQuery';
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { FoundText } from '../../agent/workspace';
import type { WorkspaceFolders } from '../../agent/workspaceFolders';
import { refused, type Result } from '../../contextWindow/result';
import { childEnvironment, findProgram, isExecutable } from '../processes/childEnvironment';
import { decoded } from '../files/encoding';
import { excerpt } from '../files/textLines';

import { fileNameGlobs } from './glob';
import { reasonOf } from '../files/fileOnDisk';

/**
 * Finds ripgrep: the given file if its path is absolute, or `rg` on the PATH outside the workspace;
 * undefined when there is none.
 */
export function findRipgrep(
  folders: WorkspaceFolders,
  given?: string,
  pathVariable?: string,
): string | undefined {
  if (given !== undefined && isAbsolute(given) && isExecutable(given)) return given;
  return findProgram('rg', folders, pathVariable);
}

/** Lists files with ripgrep, sorted; reads at most one more than `limit`. */
export async function listWithRipgrep(
  rg: string,
  query: FileQuery,
  limit: number,
  signal: AbortSignal,
): Promise<Result<{ readonly paths: readonly string[]; readonly more: boolean }>> {
  const paths: string[] = [];
  const call = listCall(query, await siblingsOf(query));
  const failure = await eachLine(rg, query.root, call, signal, (line) => {
    const path = pathOf(line, call);
    const name = isMeant(query, path) ? query.nameOf(path) : undefined;
    if (name !== undefined) paths.push(name);
    return paths.length <= limit;
  });
  if (failure !== undefined) return refused(failure);
  return { ok: true, paths: paths.slice(0, limit), more: paths.length > limit };
}

/** Searches contents with ripgrep; lines as `path:line:text`. */
export async function searchWithRipgrep(
  rg: string,
  query: FileQuery,
  pattern: string,
  limit: number,
  signal: AbortSignal,
): Promise<Result<FoundText>> {
  const lines: string[] = [];
  // Count a file's lines only at its end, once it is known not to be binary.
  let ofFile: string[] = [];
  let at = '';
  const call = searchCall(query, pattern, await siblingsOf(query));
  const failure = await eachLine(rg, query.root, call, signal, (json) => {
    const event = JSON.parse(json) as RipgrepEvent;
    if (event.type === 'begin') {
      ofFile = [];
      const path = pathOf(textOf(event.data.path), call);
      at = query.nameOf(path) ?? path;
    }
    if (event.type === 'match') {
      const path = pathOf(textOf(event.data.path), call);
      const name = isMeant(query, path) ? query.nameOf(path) : undefined;
      if (name !== undefined) ofFile.push(`${name}:${matchText(event.data)}`);
    }
    if (event.type === 'end') {
      if (event.data.binary_offset === null) lines.push(...ofFile);
      ofFile = [];
    }
    return lines.length + ofFile.length <= limit;
  });
  const all = [...lines, ...ofFile];
  if (failure === LATE && all.length > 0) {
    return { ok: true, lines: all.slice(0, limit), more: true, lateAt: at };
  }
  if (failure !== undefined) return refused(failure);
  return { ok: true, lines: all.slice(0, limit), more: all.length > limit };
}

/** ripgrep encodes bytes that are not UTF-8 in base64, such as Latin-1. */
type Text = { readonly text: string } | { readonly bytes: string };

interface Match {
  readonly path: Text;
  readonly lines: Text;
  readonly line_number: number;
  /** Byte offsets. */
  readonly submatches: readonly { readonly start: number }[];
}

type RipgrepEvent =
  | { readonly type: 'context' | 'summary' }
  | { readonly type: 'begin'; readonly data: { readonly path: Text } }
  | { readonly type: 'match'; readonly data: Match }
  | { readonly type: 'end'; readonly data: { readonly binary_offset: number | null } };

function textOf(text: Text): string {
  if ('text' in text) return text.text;
  const bytes = Buffer.from(text.bytes, 'base64');
  return decoded(bytes)?.text ?? bytes.toString('utf8');
}

function matchText({ lines, line_number, submatches }: Match): string {
  const line = textOf(lines).replace(/\r?\n$/, '');
  const start = Buffer.from(line).subarray(0, submatches[0]?.start ?? 0);
  return `${line_number}:${excerpt(line, start.toString().length)}`;
}

function pathOf(printed: string, { prefix }: RipgrepCall): string {
  return prefix + printed.replace(/^\.\//, '');
}

function isMeant(query: FileQuery, path: string): boolean {
  return (
    query.isFile ||
    ((query.path === '' || path.startsWith(`${query.path}/`)) && query.matches(path))
  );
}

/** Every sibling of the path from the root down to the folder, since none of them is walked. */
async function siblingsOf({ root, path, isFile, rules }: FileQuery): Promise<readonly string[]> {
  if (path === '' || isFile || rules === undefined) return [];
  const segments = path.split('/');
  const levels = segments.map(async (own, depth) => {
    const parents = segments.slice(0, depth);
    const names = await readdir(join(root, ...parents)).catch(() => []);
    return names.filter((name) => name !== own).map((name) => [...parents, name].join('/'));
  });
  return (await Promise.all(levels)).flat();
}

/** Runs ripgrep until it ends or `take` has enough; returns what went wrong. */
async function eachLine(
  rg: string,
  root: string,
  call: RipgrepCall,
  signal: AbortSignal,
  take: (line: string) => boolean,
): Promise<string | undefined> {
  if (signal.aborted) return STOPPED;
  const child = startRipgrep(rg, join(root, call.folder), call);
  if (typeof child === 'string') return child;
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  let isLate = false;
  // A .gitignore that is a pipe would make it wait forever.
  const limit = setTimeout(() => (isLate = kill()), LONGEST_MS);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const closed = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(`ripgrep could not start: ${error.message}`));
    child.once('close', () => resolve(undefined));
  });
  let enough = false;
  const lines = createInterface({ input: child.stdout, crlfDelay: Infinity });
  lines.on('line', (line) => {
    if (enough || take(line)) return;
    enough = true;
    kill();
  });
  const failure = await closed;
  signal.removeEventListener('abort', kill);
  clearTimeout(limit);
  if (signal.aborted) return STOPPED;
  if (isLate) return LATE;
  const complaint = errors.trim();
  return failure ?? (complaint === '' || enough ? undefined : `ripgrep: ${complaint}`);
}

/** Time limit of one search, ms. */
const LONGEST_MS = 60_000;

const LATE = `The search took over ${LONGEST_MS / 1_000} s; search in one folder.`;
const STOPPED = 'The search was stopped.';

function startRipgrep(rg: string, cwd: string, { args }: RipgrepCall) {
  try {
    return spawn(rg, args, {
      cwd,
      env: childEnvironment(process.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
  } catch (error) {
    return `ripgrep could not start: ${reasonOf(error)}`;
  }
}

/** The folder and arguments of a ripgrep call; `prefix` goes before the printed paths. */
interface RipgrepCall {
  /** Relative to the root. */
  readonly folder: string;
  readonly args: readonly string[];
  readonly prefix: string;
}

/** Most characters of arguments that only save work. */
const LONGEST_ARGS = 20_000;

/**
 * Ignore rules as the user sees them in the editor: the workspace's own, whether or not it is a git
 * repository, and none from parent folders or the machine. Hidden files are included, .git is not.
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

/** The call that lists files; `siblings` are names to skip. */
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
 * The folder is not an argument, because ripgrep would then ignore the .gitignore files above it:
 * it starts at the root with a list of names to skip. An ignored folder was named explicitly, so
 * there it starts inside.
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
 * Narrows the walk by file name only. Not with --glob, which would include ignored files; the whole
 * glob is applied to the results.
 */
function nameFilter(glob: string | undefined): readonly string[] {
  const names = glob === undefined ? undefined : fileNameGlobs(glob);
  if (names === undefined) return [];
  return [...names.map((name) => `--type-add=wanted:${name}`), '--type=wanted'];
}

function escapeGlob(path: string): string {
  return path.replace(/[\\*?[\]{}!# ]/g, '\\$&');
}
