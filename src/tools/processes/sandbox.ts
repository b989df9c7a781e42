import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { LASTING_NAMES } from '../../agent/lastingFiles';
import type { WorkspaceFolders } from '../../agent/workspaceFolders';
import { refused, type Result } from '../../contextWindow/result';
import { childEnvironment } from './childEnvironment';
import { commandMark, startWatcher } from './commandWatcher';
import { guardFiles, type Guard, type Guarded } from './guardedFiles';
import { withoutInherited } from './inheritedFiles';
import { keyringFilter, withFileOf } from './systemCalls';

/** Time limit for the check that a sandbox works; ms. */
const PROBE_MS = 10_000;

/** A program that runs another and limits it to the workspace. */
export interface Sandbox {
  readonly name: 'bubblewrap' | 'sandbox-exec';
  /** What commands may do in it, as a sentence. */
  readonly guards: string;
  readonly program: string;
  /** Prepares one command that runs in a folder; absolute. */
  prepare(cwd: string): Promise<PreparedSandbox>;
}

export interface PreparedSandbox extends Omit<Guard, 'guarded'> {
  /** Arguments of the sandbox's program before the program to run. */
  readonly args: readonly string[];
}

interface SandboxPlace {
  /** The folders of the workspace; absolute, without links. */
  readonly roots: readonly string[];
  /** Names their files; without it a path is relative to its folder. */
  readonly folders?: WorkspaceFolders;
  /** The user's home folder; absolute. */
  readonly home: string;
  /** The folders of PATH. */
  readonly path: string;
  readonly network: boolean;
}

/** Finds a working sandbox on this system; refuses when there is none, or when it does not hold. */
export async function findSandbox(place: SandboxPlace): Promise<Result<{ sandbox: Sandbox }>> {
  const isAroundHome = (root: string) =>
    `${place.home}/`.startsWith(root.endsWith('/') ? root : `${root}/`);
  if (place.roots.some(isAroundHome))
    return refused('the workspace contains your home folder, which a sandbox has to hide.');
  const sandbox = sandboxFor(process.platform, place, existsSync);
  if (sandbox === undefined) {
    return refused(
      process.platform === 'linux'
        ? 'the sandbox needs bubblewrap (bwrap) 0.8 or newer, which is not installed. Install it, or turn the sandbox off.'
        : 'there is no sandbox for commands on this system. Turn the sandbox off.',
    );
  }
  const failure = await probe(sandbox, place.roots[0] ?? '/');
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
  const network = place.network
    ? 'have network access, also to servers and abstract sockets of this computer'
    : 'have no network access';
  const writes = `they can write only to ${place.roots.join(', ')} and temporary files`;
  const prepare = async (cwd: string): Promise<PreparedSandbox> => {
    const hasPlaceholders = platform === 'linux';
    const guard = await guardFiles(place.roots, { hasPlaceholders, folders: place.folders });
    const { guarded } = guard;
    const args =
      platform === 'darwin'
        ? ['-p', seatbeltProfile(place, guarded, exists)]
        : bubblewrapArgs({ ...place, cwd }, guarded, exists);
    return { ...guard, args };
  };
  return platform === 'linux'
    ? {
        name: 'bubblewrap',
        guards: `${writes}, see nothing else of the disk but programs and public settings, and ${network}.`,
        program,
        prepare,
      }
    : {
        name: 'sandbox-exec',
        guards: `${writes}, cannot see ${place.home}, other users or volumes, and ${network}.`,
        program,
        prepare,
      };
}

/** Folders of programs and their libraries. */
const SYSTEM = '/usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix/store /snap'.split(' ');

/** Settings of the kernel. */
const KERNEL = ['/proc/sys', '/proc/irq', '/proc/bus', '/proc/fs', '/proc/sysrq-trigger'];

/** Settings of the system that programs read; none of them holds a secret. */
const SETTINGS = (
  'alternatives bash.bashrc ca-certificates ca-certificates.conf crypto-policies debian_version fonts group gitconfig host.conf ' +
  'hosts inputrc java ld.so.cache ld.so.conf ld.so.conf.d localtime locale.alias locale.conf magic mime.types nsswitch.conf ' +
  'os-release passwd pki/tls pki/ca-trust profile protocols python3 services ssl/certs ssl/openssl.cnf terminfo timezone'
).split(' ');

/** What finding hosts by name needs; /etc/resolv.conf may lead to one of the others. */
const RESOLVING = [
  '/etc/resolv.conf',
  '/run/systemd/resolve',
  '/run/resolvconf',
  '/mnt/wsl/resolv.conf',
];

/**
 * Order matters: later mounts cover earlier ones. Nothing of the disk is visible that is not named here. The
 * command gets no capabilities and cannot make namespaces: either would let root undo the mounts.
 */
export function bubblewrapArgs(
  { roots, home, path, network, cwd }: SandboxPlace & { readonly cwd: string },
  { lasting, repositories, held }: Guarded,
  exists: (path: string) => boolean,
): readonly string[] {
  const readOnly = (paths: readonly string[]) =>
    paths.filter(exists).flatMap((one) => ['--ro-bind', one, one]);
  return [
    ['--unshare-all', '--unshare-user', '--disable-userns', '--cap-drop', 'ALL'],
    network ? ['--share-net'] : [],
    ['--die-with-parent'],
    readOnly(SYSTEM),
    readOnly(SETTINGS.map((name) => `/etc/${name}`)),
    network ? readOnly(RESOLVING) : [],
    ['--dev', '/dev'],
    ['--proc', '/proc'],
    // Root in the sandbox is root for the kernel's settings, which can name a program to run outside.
    KERNEL.flatMap((path) => ['--ro-bind-try', path, path]),
    // A list of the user's keys.
    ['--ro-bind-try', '/dev/null', '/proc/keys'],
    ['--tmpfs', '/tmp'],
    ['--tmpfs', '/var/tmp'],
    ['--tmpfs', home],
    readOnly(programsIn(path, home, exists)),
    roots.flatMap((root) => ['--bind', root, root]),
    // Mounted onto itself, so that it cannot be renamed.
    repositories.flatMap(({ path: git, deciding }) =>
      deciding === undefined
        ? ['--ro-bind', git, git]
        : ['--bind', git, git, ...deciding.flatMap((one) => ['--ro-bind', one, one])],
    ),
    [...lasting, ...held.map((one) => one.path)].flatMap((one) => ['--ro-bind', one, one]),
    ['--chdir', cwd],
    ['--'],
  ].flat();
}

/** A profile for Apple's sandbox; the last matching rule decides. */
export function seatbeltProfile(
  { roots, home, path, network }: SandboxPlace,
  { lasting, repositories }: Guarded,
  exists: (path: string) => boolean,
): string {
  const below = (folders: readonly string[]) =>
    folders.map((folder) => `(subpath ${JSON.stringify(folder)})`).join(' ');
  const programs = programsIn(path, home, exists).filter((folder) => folder.startsWith(`${home}/`));
  const readOnly = [
    ...repositories.flatMap(({ path: git, deciding }) => deciding ?? [git]),
    ...lasting,
  ];
  return [
    '(version 1)',
    '(allow default)',
    ...(network ? [] : ['(deny network*)']),
    '(deny file-write*)',
    `(allow file-write* ${below([...roots, '/private/tmp', '/private/var/folders'])} (subpath "/dev"))`,
    `(deny file-read-data ${below([home, '/Users', '/Volumes'])})`,
    `(allow file-read-data ${below([...roots, ...programs])})`,
    ...(readOnly.length === 0 ? [] : [`(deny file-write* ${below(readOnly)})`]),
    // Missing ones, too, at any depth and in any case.
    ...roots.map(
      (root) =>
        `(deny file-write* ${LASTING_NAMES.map((name) => `(regex #"^${escaped(root)}/(.*/)?${anyCase(name)}(/|$)")`).join(' ')})`,
    ),
    ...roots.map((root) => `(allow file-write* (regex #"^${escaped(root)}/(.*/)?node_modules/"))`),
  ].join('\n');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\"]/g, '\\$&');
}

function anyCase(name: string): string {
  return escaped(name).replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** Folders of PATH outside the system's, with their libraries. */
function programsIn(
  path: string,
  home: string,
  exists: (path: string) => boolean,
): readonly string[] {
  const folders = path
    .split(':')
    .filter((folder) => folder.startsWith('/') && exists(folder))
    // Not a folder with everything of the user's in it.
    .filter((folder) => !`${home}/`.startsWith(folder.endsWith('/') ? folder : `${folder}/`))
    .filter(
      (folder) => !SYSTEM.some((system) => folder === system || folder.startsWith(`${system}/`)),
    );
  const libraries = folders
    .filter((folder) => basename(folder) === 'bin')
    .map((folder) => join(dirname(folder), 'lib'))
    .filter(exists);
  return [...new Set([...folders, ...libraries])];
}

/** Messages of systems and common programs that a sandbox denied a file or the network. */
const BLOCKED =
  /read-only file system|operation not permitted|permission denied|could not resolve host|temporary failure in name resolution|network is unreachable|getaddrinfo|\b(?:EROFS|EPERM|EACCES|ENETUNREACH|EAI_AGAIN|ENOTFOUND)\b/i;

/** Whether a failed command may have been blocked by the sandbox. */
export function mayBeBlocked(output: string): boolean {
  return BLOCKED.test(output);
}

/** Tries to leave the sandbox as root could: by writing outside, unmounting, and remounting. */
const ATTEMPTS = (outside: string, root: string): string =>
  [
    `if echo x > '${outside}/written' 2>/dev/null; then echo 'it can write outside the workspace'; fi`,
    `if umount -l '${root}' 2>/dev/null || umount -l /tmp 2>/dev/null; then echo 'it can unmount folders'; fi`,
    `if mount -o remount,bind,rw /usr 2>/dev/null; then echo 'it can make folders writable'; fi`,
    `if test -w /proc/sys/kernel/core_pattern; then echo "it can change the kernel's settings"; fi`,
  ].join('\n');

/**
 * Starts a program in a sandbox, without the files that this process was started with. Under bubblewrap it
 * cannot reach the user's keyrings, which no mount hides.
 */
export function spawnInSandbox(
  { name, program }: Pick<Sandbox, 'name' | 'program'>,
  words: readonly string[],
  streams: readonly ('pipe' | 'ignore')[],
  options: SpawnOptions,
): ChildProcess {
  const start = (args: readonly string[], all: readonly ('pipe' | 'ignore' | number)[]) =>
    withoutInherited(all, (stdio) => spawn(program, args, { ...options, stdio }));
  if (name !== 'bubblewrap') return start(words, streams);
  return withFileOf(keyringFilter(), (file) =>
    start(['--seccomp', `${streams.length}`, ...words], [...streams, file]),
  );
}

/** Runs a few attempts to leave the sandbox; returns what went wrong. */
export async function probe(
  sandbox: Pick<Sandbox, 'name' | 'program' | 'prepare'>,
  root: string,
): Promise<string | undefined> {
  const mark = commandMark();
  const options = { timeout: PROBE_MS, env: { ...childEnvironment(process.env), [mark]: '1' } };
  const outside = await mkdtemp(join(tmpdir(), 'plimsoll-outside-'));
  const { args, leftovers, release } = await sandbox.prepare(root);
  const watcher = startWatcher(mark, leftovers);
  try {
    const words = [...args, '/bin/sh', '-c', ATTEMPTS(outside, root)];
    const ran = await outputOf(spawnInSandbox(sandbox, words, ['ignore', 'pipe', 'pipe'], options));
    // A file of the same path in the sandbox is only temporary.
    const found = existsSync(join(outside, 'written')) ? [ran.trim().split('\n')[0]] : [];
    const other = ran.split('\n').filter((line) => line !== '' && !line.includes('write outside'));
    return [...found, ...other][0];
  } finally {
    watcher.dismiss();
    await release(false);
    await rm(outside, { recursive: true, force: true });
  }
}

/** What a process wrote; the first line of its errors if it failed. */
function outputOf(child: ChildProcess): Promise<string> {
  let [output, errors] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('close', (code, signal) => {
      const failure = errors.trim().split('\n')[0] || `it ended with ${signal ?? code}`;
      resolve(code === 0 ? output : failure);
    });
  });
}

/** The sandbox's folders with links followed: it knows only real paths. */
export function sandboxPlace(place: SandboxPlace): SandboxPlace {
  const real = (path: string) => (existsSync(path) ? realpathSync(path) : path);
  // A missing folder cannot be mounted; of several, one may be missing.
  const there = place.roots.filter((root) => existsSync(root));
  const roots = (there.length > 0 ? there : place.roots).map(real);
  return { ...place, roots, folders: place.folders?.movedTo(real), home: real(place.home) };
}
