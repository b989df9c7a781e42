import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { refused, type Result } from '../../contextWindow/result';
import { childEnvironment } from './childEnvironment';

/** How long the system may take to show that a sandbox works; ms. */
const PROBE_MS = 10_000;

/** A program that runs another, and keeps it from everything but the workspace. */
export interface Sandbox {
  readonly name: 'bubblewrap' | 'sandbox-exec';
  /** What commands may do under it, as a sentence. */
  readonly guards: string;
  readonly program: string;
  /** Its arguments before the program that it runs. */
  readonly args: readonly string[];
}

export interface SandboxPlace {
  /** The workspace; absolute, without links. */
  readonly root: string;
  /** The user's home folder; absolute. */
  readonly home: string;
  /** Folders that programs are looked for in, as PATH names them. */
  readonly path: string;
  readonly network: boolean;
}

/** What of a workspace is run or told later, outside the sandbox: it can be read there, not written. */
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

/** Finds the sandbox of this system; refuses where there is none, or none that works. */
export async function findSandbox(place: SandboxPlace): Promise<Result<{ sandbox: Sandbox }>> {
  const sandbox = sandboxFor(process.platform, place, existsSync);
  if (sandbox === undefined) {
    return refused(
      process.platform === 'linux'
        ? 'a sandbox needs bubblewrap (bwrap), which is not there. Install it, or go on without.'
        : 'there is no sandbox for commands on this system. Go on without.',
    );
  }
  const failure = await probe(sandbox);
  return failure === undefined
    ? { ok: true, sandbox }
    : refused(`${sandbox.name} does not work here: ${failure}`);
}

/** The sandbox that a system has; `exists` says whether a file is there. */
export function sandboxFor(
  platform: NodeJS.Platform,
  place: SandboxPlace,
  exists: (path: string) => boolean,
): Sandbox | undefined {
  const find = (name: string) =>
    ['/usr/bin', '/bin', '/usr/local/bin'].map((folder) => join(folder, name)).find(exists);
  const program = find(platform === 'darwin' ? 'sandbox-exec' : 'bwrap');
  if (program === undefined || (platform !== 'linux' && platform !== 'darwin')) return undefined;
  const guards = `they write only in ${place.root} and to temporary files, do not see ${place.home}, and ${
    place.network ? 'have the network' : 'have no network'
  }.`;
  return platform === 'linux'
    ? { name: 'bubblewrap', guards, program, args: bubblewrapArgs(place, exists) }
    : { name: 'sandbox-exec', guards, program, args: ['-p', seatbeltProfile(place, exists)] };
}

/** Order counts: what comes later covers what came before. */
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
    // Sockets of services are here, which would do outside what is not done inside.
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

/** A profile of Apple's sandbox, whose last rule that matches counts. */
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

/** Folders of programs below the home folder, with the libraries beside them. */
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

/** What systems and common programs say where a sandbox keeps them from a file or the network. */
const BLOCKED =
  /read-only file system|operation not permitted|permission denied|could not resolve host|temporary failure in name resolution|network is unreachable|getaddrinfo|\b(?:EROFS|EPERM|EACCES|ENETUNREACH|EAI_AGAIN|ENOTFOUND)\b/i;

/** Says whether a command that failed may have done so because a sandbox kept it from something. */
export function mayBeBlocked(output: string): boolean {
  return BLOCKED.test(output);
}

/** Runs nothing in the sandbox; says what went wrong, if anything. */
function probe({ program, args }: Sandbox): Promise<string | undefined> {
  const options = { timeout: PROBE_MS, env: childEnvironment(process.env) };
  return new Promise((resolve) => {
    execFile(program, [...args, '/usr/bin/env', 'true'], options, (error, _out, stderr) =>
      resolve(error === null ? undefined : stderr.trim().split('\n')[0] || error.message),
    );
  });
}

/** The place of a sandbox, with links followed: a sandbox knows no others. */
export function sandboxPlace(place: SandboxPlace): SandboxPlace {
  const real = (path: string) => (existsSync(path) ? realpathSync(path) : path);
  return { ...place, root: real(place.root), home: real(place.home) };
}
