import { closeSync, openSync, rmSync, statSync, utimesSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { undoAtExit } from '../leavings.mjs';

/** A lock not touched for this long belongs to a process that died, ms. */
const staleAfter = 30_000;

/**
 * Runs `work` while no other process holds the lock file.
 *
 * Its holder keeps the file's time fresh, which works across containers where process ids mean nothing. Two waiters
 * taking over a stale lock at the same moment would both install; the rename at the end makes that harmless.
 */
export async function withInstallLock(lockFile, say, work) {
  for (let waited = false; !tryLock(lockFile); waited = true) {
    if (!waited) say(`Another process is installing; waiting for it (${lockFile}).`);
    await sleep(500);
    if (isStale(lockFile)) rmSync(lockFile, { force: true });
  }
  const unlock = undoAtExit(() => rmSync(lockFile, { force: true }));
  const heartbeat = setInterval(() => utimesSync(lockFile, new Date(), new Date()), 5000);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    unlock();
  }
}

function tryLock(lockFile) {
  try {
    closeSync(openSync(lockFile, 'wx'));
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isStale(lockFile) {
  try {
    return Date.now() - statSync(lockFile).mtimeMs > staleAfter;
  } catch {
    return false;
  }
}
