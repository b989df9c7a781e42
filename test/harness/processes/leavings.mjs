import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

const pending = new Set();

/**
 * Registers a cleanup to run before this process ends, unless SIGKILL ends it.
 *
 * Cleanups are synchronous because they also run in the exit event. The newest runs first: a
 * process ends before the folder that it writes to is removed. Returns a function that runs the
 * cleanup immediately.
 */
export function undoAtExit(undo) {
  pending.add(undo);
  return () => {
    if (pending.delete(undo)) undo();
  };
}

/**
 * Creates a folder in the system's temporary folder that is removed at exit, or earlier by
 * `remove`.
 */
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
