import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Says whether a process exists and is not a zombie. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** Reads the process ids that a command wrote into a file, one a line. */
export function pidsIn(file: string): readonly number[] {
  return readFileSync(file, 'utf8').trim().split('\n').map(Number);
}

/** Waits until a file has this many complete lines. */
export async function untilWritten(file: string, lines: number): Promise<void> {
  for (;;) {
    if (existsSync(file) && readFileSync(file, 'utf8').split('\n').length > lines) return;
    await delay(5);
  }
}

/** Kills a process that a failed test left behind. */
export function endAnyway(pid: number): void {
  if (isRunning(pid)) process.kill(pid, 'SIGKILL');
}
