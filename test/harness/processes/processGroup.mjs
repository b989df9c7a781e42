import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { undoAtExit } from './leavings.mjs';

/** Longest time for a group to end on its own, in ms. */
const patience = 4000;

/**
 * Starts a command as the leader of its own process group; `stop` ends the group and all
 * descendants.
 *
 * The group is not enough: shells of a terminal and commands of the agent lead their own groups. So
 * every descendant also carries a mark in its environment, by which `stop` finds it.
 */
export function startGroup(command, args, { cwd, env, stdio }) {
  const mark = randomUUID();
  const child = spawn(command, args, {
    cwd,
    env: { ...env, PLIMSOLL_RUN: mark },
    stdio,
    detached: true,
  });
  const exited = new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal));
    child.once('error', resolve);
  });
  const killNow = undoAtExit(() => {
    signalGroup(child.pid, 'SIGKILL');
    killMarked(`PLIMSOLL_RUN=${mark}`);
  });
  async function stop() {
    signalGroup(child.pid, 'SIGTERM');
    await Promise.race([exited, new Promise((resolve) => setTimeout(resolve, patience).unref())]);
    killNow();
    await exited;
  }
  return { child, exited, stop };
}

function signalGroup(pid, signal) {
  try {
    // Windows has no process groups; the mark does not help there either, but the editor ends its
    // own children.
    if (pid) process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // The group is already gone.
  }
}

function killMarked(mark) {
  if (process.platform !== 'linux') return;
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!pid || pid === process.pid) continue;
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
      if (environment.includes(mark)) process.kill(pid, 'SIGKILL');
    } catch {
      // It has already ended, or belongs to another user.
    }
  }
}
