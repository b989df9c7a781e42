import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

const pending = new Set();

/**
 * Registers what must be undone before this process ends, however it ends short of SIGKILL.
 *
 * Undoing is synchronous because it also runs in the exit event. Newest first: a process is ended before the folder
 * it writes to is removed. Returns a function that undoes it at once.
 */
export function undoAtExit(undo) {
  pending.add(undo);
  return () => {
    if (pending.delete(undo)) undo();
  };
}

/** Makes a folder under the system's temporary folder that is removed at exit, or earlier by `remove`. */
export function scratchFolder(purpose) {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `plimsoll-${purpose}-`)));
  const remove = undoAtExit(() => rmSync(path, { recursive: true, force: true, maxRetries: 10 }));
  return { path, remove };
}

process.on('exit', () => {
  for (const undo of [...pending].reverse()) {
    try {
      undo();
    } catch (error) {
      console.error(`Cleaning up failed: ${error.message}`);
    }
  }
});

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => process.exit(128 + constants.signals[signal]));
}
