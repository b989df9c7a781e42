import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';

/** A process of this machine; zombies are not listed. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Linux only. */
  readonly session?: number;
  /** Start time in the system's format: ids are reused, an id with its start time is not. */
  readonly started: string;
  /** True if its environment has the mark; Linux only. */
  readonly marked: boolean;
}

/** Lists all processes; `mark` is the name of an environment variable to look for. */
export async function listProcesses(mark?: string): Promise<readonly ProcessInfo[]> {
  switch (process.platform) {
    case 'win32':
      return [];
    case 'linux':
      return linuxProcesses(mark);
    default:
      return psProcesses();
  }
}

/** Start times of known processes, by id. */
type KnownProcesses = ReadonlyMap<number, string>;

/**
 * Finds what a command started: its process group and session, everything marked or already known,
 * and all their descendants, so that a child in a new group is found too.
 */
export function treeOf(
  leader: number,
  processes: readonly ProcessInfo[],
  known: KnownProcesses = new Map(),
): readonly number[] {
  const tree = new Set(
    processes
      .filter(
        ({ pid, group, session, marked, started }) =>
          marked ||
          pid === leader ||
          group === leader ||
          session === leader ||
          known.get(pid) === started,
      )
      .map(({ pid }) => pid),
  );
  for (let size = -1; size !== tree.size;) {
    size = tree.size;
    for (const { pid, parent } of processes) if (tree.has(parent)) tree.add(pid);
  }
  tree.delete(process.pid);
  return [...tree];
}

/** Index of the start time among the fields after the state. */
const STARTED = 18;

function linuxProcesses(mark: string | undefined): readonly ProcessInfo[] {
  return readdirSync('/proc').flatMap((entry) => {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) return [];
    try {
      // "pid (any name) state parent group session ..."
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const [state, ...numbers] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [parent = 0, group = 0, session = 0] = numbers.map(Number);
      if (state === 'Z' || state === 'X') return [];
      const marked = mark !== undefined && isMarked(pid, mark);
      return [{ pid, parent, group, session, started: `${numbers[STARTED]}`, marked }];
    } catch {
      return []; // It has ended meanwhile.
    }
  });
}

function isMarked(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${mark}=`);
  } catch {
    return false; // It belongs to another user or has ended.
  }
}

async function psProcesses(): Promise<readonly ProcessInfo[]> {
  const columns = ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='];
  const { stdout } = await promisify(execFile)('ps', columns, { maxBuffer: 16_000_000 });
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, group, state, ...start] = line.trim().split(/\s+/);
    if (pid === undefined || pid === '' || state?.startsWith('Z') === true) return [];
    const [id, parentId, groupId] = [Number(pid), Number(parent), Number(group)];
    return [{ pid: id, parent: parentId, group: groupId, started: start.join(' '), marked: false }];
  });
}

/** Time between SIGTERM and SIGKILL, and then the longest wait for the end; ms. */
const GRACE_MS = 1_000;
const PATIENCE_MS = 2_000;
const POLL_MS = 20;

/** Ids of a command's remaining processes. */
type Tree = () => Promise<readonly number[]>;

/**
 * Ends a command's whole process tree: SIGTERM first, then SIGKILL for the rest. Resolves when all
 * have ended, or with the ids of those that did not.
 */
export async function endTree(leader: number, tree: Tree): Promise<readonly number[]> {
  if (process.platform === 'win32') return endWindowsTree(leader);
  // The group first: one signal reaches all of it, however fast it forks.
  signalAll([-leader, ...(await tree())], 'SIGTERM');
  if ((await waitUntilGone(tree, GRACE_MS)).length === 0) return [];
  const giveUp = performance.now() + PATIENCE_MS;
  for (;;) {
    // Listed again each time to catch processes that started meanwhile, and once more at the end so
    // that the list is not stale.
    const isLate = performance.now() > giveUp;
    const left = await tree();
    if (left.length === 0 || isLate) return left;
    signalAll([-leader, ...left], 'SIGKILL');
    await delay(POLL_MS);
  }
}

/** Waits up to `patienceMs` until a tree is empty; returns the rest. */
export async function waitUntilGone(tree: Tree, patienceMs: number): Promise<readonly number[]> {
  const giveUp = performance.now() + patienceMs;
  for (;;) {
    const isLate = performance.now() > giveUp;
    const left = await tree();
    if (left.length === 0 || isLate) return left;
    await delay(POLL_MS);
  }
}

function signalAll(pids: readonly number[], signal: 'SIGTERM' | 'SIGKILL'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has already ended, or we lack permission.
    }
  }
}

function endWindowsTree(leader: number): Promise<readonly number[]> {
  return new Promise((resolve) => {
    execFile('taskkill', ['/pid', String(leader), '/T', '/F'], () => resolve([]));
  });
}
