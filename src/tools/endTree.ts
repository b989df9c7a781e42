import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { listProcesses, treeOf } from './processTree';

/** Time between SIGTERM and SIGKILL, and how long the end is waited for after that; ms. */
const GRACE_MS = 1_000;
const PATIENCE_MS = 2_000;
const POLL_MS = 20;

/**
 * Ends a command's whole process tree: SIGTERM first, SIGKILL for what is still there after a
 * grace. Resolves when all are gone, or with the ids the system would not let go of.
 */
export async function endTree(leader: number, mark?: string): Promise<readonly number[]> {
  if (process.platform === 'win32') return endWindowsTree(leader);
  const tree = async () => treeOf(leader, await listProcesses(mark));
  // The group first: it is signalled in one go, however fast it forks.
  signalAll([-leader, ...(await tree())], 'SIGTERM');
  if ((await waitUntilGone(tree, GRACE_MS)).length === 0) return [];
  const giveUp = performance.now() + PATIENCE_MS;
  for (;;) {
    // Again each time: what was started in between is killed as well.
    const left = await tree();
    if (left.length === 0 || performance.now() > giveUp) return left;
    signalAll([-leader, ...left], 'SIGKILL');
    await delay(POLL_MS);
  }
}

/** Waits until a tree is empty, at most `patienceMs`; answers what is left of it. */
export async function waitUntilGone(
  tree: () => Promise<readonly number[]>,
  patienceMs: number,
): Promise<readonly number[]> {
  const giveUp = performance.now() + patienceMs;
  for (;;) {
    const left = await tree();
    if (left.length === 0 || performance.now() > giveUp) return left;
    await delay(POLL_MS);
  }
}

function signalAll(pids: readonly number[], signal: 'SIGTERM' | 'SIGKILL'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended by itself, or is not ours to end.
    }
  }
}

function endWindowsTree(leader: number): Promise<readonly number[]> {
  return new Promise((resolve) => {
    execFile('taskkill', ['/pid', String(leader), '/T', '/F'], () => resolve([]));
  });
}
