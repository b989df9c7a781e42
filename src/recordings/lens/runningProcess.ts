/** Whether a process exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** A turn that has not ended, and whose file was not written for so long, was cut off; ms. */
const LONGEST_SILENCE_MS = 10 * 60_000;

/** Whether a session was written a moment ago; a time in the future is none. */
export function isRecent(usedAt: number, now: number): boolean {
  return Math.abs(now - usedAt) < LONGEST_SILENCE_MS;
}
