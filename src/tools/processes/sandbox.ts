import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { refused, type Result } from '../../contextWindow/result';
import { childEnvironment } from './childEnvironment';

/** Time limit for the check that a sandbox works; ms. */
const PROBE_MS = 10_000;

/** A program that runs another and limits it to the workspace. */
export interface Sandbox {
  readonly name: 'bubblewrap' | 'sandbox-exec';
  /** What commands may do in it, as a sentence. */
  readonly guards: string;
  readonly program: string;
  /** Its arguments before the program to run. */
  readonly args: readonly string[];
}

export interface SandboxPlace {
  /** The workspace; absolute, without links. */
  readonly root: string;
  /** The user's home folder; absolute. */
  readonly home: string;
  /** The folders of PATH. */
  readonly path: string;
  readonly network: boolean;
}

/**
 * Workspace files that run or instruct later, outside the sandbox: readable there, but not
 * writable.
 */
const READ_ONLY = [
  '.git/hooks',
  '.git/config',
  '.husky',
  '.vscode',
  '.devcontainer',
  '.plimsoll',
  '.envrc',
  'AGENTS.md',
  'CLAUDE.md',
];

/** Finds a working sandbox on this system; refuses when there is none. */
export async function findSandbox(place: SandboxPlace): Promise<Result<{ sandbox: Sandbox }>> {
  const sandbox = sandboxFor(process.platform, place, existsSync);
  if (sandbox === undefined) {
    return refused(
      process.platform === 'linux'
        ? 'the sandbox needs bubblewrap (bwrap), which is not installed. Install it, or turn the sandbox off.'
        : 'there is no sandbox for commands on this system. Turn the sandbox off.',
    );
  }
  const failure = await probe(sandbox);
  return failure === undefined
    ? { ok: true, sandbox }
    : refused(`${sandbox.name} does not work here: ${failure}`);
}

/** The system's sandbox; `exists` checks for a file. */
export function sandboxFor(
  platform: NodeJS.Platform,
  place: SandboxPlace,
  exists: (path: string) => boolean,
): Sandbox | undefined {
  const find = (name: string) =>
    ['/usr/bin', '/bin', '/usr/local/bin'].map((folder) => join(folder, name)).find(exists);
  const program = find(platform === 'darwin' ? 'sandbox-exec' : 'bwrap');
  if (program === undefined || (platform !== 'linux' && platform !== 'darwin')) return undefined;
  const guards = `they can write only to ${place.root} and temporary files, cannot see ${place.home}, and ${
    place.network ? 'have network access' : 'have no network access'
  }.`;
  return platform === 'linux'
    ? { name: 'bubblewrap', guards, program, args: bubblewrapArgs(place, exists) }
    : { name: 'sandbox-exec', guards, program, args: ['-p', seatbeltProfile(place, exists)] };
}

/** Order matters: later mounts cover earlier ones. */
function bubblewrapArgs(
  { root, home, path, network }: SandboxPlace,
  exists: (path: string) => boolean,
): readonly string[] {
  const readOnly = (folders: readonly string[]) =>
    folders.flatMap((folder) => ['--ro-bind', folder, folder]);
  return [
    ['--unshare-all'],
    network ? ['--share-net'] : [],
    ['--die-with-parent'],
    ['--ro-bind', '/', '/'],
    ['--dev', '/dev'],
    ['--proc', '/proc'],
    ['--tmpfs', '/tmp'],
    // Holds sockets of services, which would do outside what the sandbox forbids.
    exists('/run') ? ['--tmpfs', '/run'] : [],
    network ? ['--ro-bind-try', '/run/systemd/resolve', '/run/systemd/resolve'] : [],
    ['--tmpfs', home],
    readOnly(programsIn(home, path, exists)),
    ['--bind', root, root],
    readOnly(readOnlyIn(root, exists)),
    ['--chdir', root],
    ['--'],
  ].flat();
}

/** A profile for Apple's sandbox; the last matching rule decides. */
function seatbeltProfile(
  { root, home, path, network }: SandboxPlace,
  exists: (path: string) => boolean,
): string {
  const below = (folders: readonly string[]) =>
    folders.map((folder) => `(subpath ${JSON.stringify(folder)})`).join(' ');
  const programs = programsIn(home, path, exists);
  const readOnly = readOnlyIn(root, exists);
  return [
    '(version 1)',
    '(allow default)',
    ...(network ? [] : ['(deny network*)']),
    '(deny file-write*)',
    `(allow file-write* ${below([root, '/private/tmp', '/private/var/folders'])} (subpath "/dev"))`,
    `(deny file-read-data ${below([home])})`,
    `(allow file-read-data ${below([root, ...programs])})`,
    ...(readOnly.length === 0 ? [] : [`(deny file-write* ${below(readOnly)})`]),
  ].join('\n');
}

/** Program folders below the home folder, with their libraries. */
function programsIn(
  home: string,
  path: string,
  exists: (path: string) => boolean,
): readonly string[] {
  const folders = path
    .split(':')
    .filter((folder) => folder.startsWith(`${home}/`) && exists(folder));
  const libraries = folders
    .filter((folder) => basename(folder) === 'bin')
    .map((folder) => join(dirname(folder), 'lib'))
    .filter(exists);
  return [...new Set([...folders, ...libraries])];
}

function readOnlyIn(root: string, exists: (path: string) => boolean): readonly string[] {
  return READ_ONLY.map((name) => join(root, name)).filter(exists);
}

/** Messages of systems and common programs that a sandbox denied a file or the network. */
const BLOCKED =
  /read-only file system|operation not permitted|permission denied|could not resolve host|temporary failure in name resolution|network is unreachable|getaddrinfo|\b(?:EROFS|EPERM|EACCES|ENETUNREACH|EAI_AGAIN|ENOTFOUND)\b/i;

/** Whether a failed command may have been blocked by the sandbox. */
export function mayBeBlocked(output: string): boolean {
  return BLOCKED.test(output);
}

/** Runs an empty command in the sandbox; returns what went wrong. */
function probe({ program, args }: Sandbox): Promise<string | undefined> {
  const options = { timeout: PROBE_MS, env: childEnvironment(process.env) };
  return new Promise((resolve) => {
    execFile(program, [...args, '/usr/bin/env', 'true'], options, (error, _out, stderr) =>
      resolve(error === null ? undefined : stderr.trim().split('\n')[0] || error.message),
    );
  });
}

/** The sandbox's folders with links followed: it knows only real paths. */
export function sandboxPlace(place: SandboxPlace): SandboxPlace {
  const real = (path: string) => (existsSync(path) ? realpathSync(path) : path);
  return { ...place, root: real(place.root), home: real(place.home) };
}
