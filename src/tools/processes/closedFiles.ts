import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';

/** Files as far as the user may reach them: a command may have closed their folder to its own user. */

/** A file's data; undefined where it is missing, or in a folder that no one may enter. */
export function statsAt(path: string | Buffer): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Whether the user may list a folder and open its files, or has the given rights. */
export function mayEnter(folder: string, rights = constants.R_OK | constants.X_OK): boolean {
  try {
    accessSync(folder, rights);
    return true;
  } catch {
    return false;
  }
}

/** Whether no one has reached anything in a closed folder: to open it changes its data. */
export function isUntouched(folder: string, before: Stats): boolean {
  const now = statsAt(folder);
  return (
    now?.ino === before.ino && now.ctimeMs === before.ctimeMs && !mayEnter(folder, constants.X_OK)
  );
}

/** Lets the user enter a folder again: a command may have closed it to hide its files. */
export function unlock(folder: string, more = 0): boolean {
  if (mayEnter(folder, constants.R_OK | constants.X_OK | more)) return false;
  return changeMode(folder, (mode) => mode | 0o700);
}

/** Opens a file without a right to read it; only on Linux. */
const O_PATH = 0o10000000;

/**
 * Changes the rights of a folder; on Linux of nothing else that a running command puts in its place. Returns
 * false where that cannot be done.
 */
export function changeMode(folder: string, modeAfter: (mode: number) => number): boolean {
  try {
    if (process.platform !== 'linux') {
      const stats = lstatSync(folder);
      if (stats.isDirectory()) chmodSync(folder, modeAfter(stats.mode) & 0o7777);
      return stats.isDirectory();
    }
    const opened = openSync(folder, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    try {
      const path = `/proc/self/fd/${opened}`;
      // A link may be in place of a folder above it.
      if (readlinkSync(path) !== folder) return false;
      chmodSync(path, modeAfter(fstatSync(opened).mode) & 0o7777);
      return true;
    } finally {
      closeSync(opened);
    }
  } catch {
    return false; // It is another user's, or missing, and stays as it is.
  }
}

export function unlockBelow(folder: string): void {
  if (statsAt(folder)?.isDirectory() !== true) return;
  unlock(folder, constants.W_OK);
  for (const name of entriesIn(folder) ?? []) unlockBelow(join(folder, name));
}

/** The names in a folder; undefined where it is none, or no one may list it. */
export function entriesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}

/** A file that was renamed and made again is another one. */
export function identityOf(path: string | Buffer): string {
  const stats = statsAt(path);
  return stats === undefined ? '' : `${stats.dev} ${stats.ino}`;
}

export function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Calls `act` with another path of a folder, which stays that folder whatever a running command puts in its place.
 * Returns undefined without calling it where a link leads there.
 */
export function inRealFolder<T>(
  folder: string | Buffer,
  act: (path: string | Buffer) => T,
): T | undefined {
  const bytes = Buffer.from(folder);
  if (process.platform !== 'linux')
    return realpathSync.native(folder, 'buffer').equals(bytes) ? act(folder) : undefined;
  const opened = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const path = `/proc/self/fd/${opened}`;
    return readlinkSync(path, 'buffer').equals(bytes) ? act(path) : undefined;
  } finally {
    closeSync(opened);
  }
}

export function textOf(file: string): string | undefined {
  const stats = statsAt(file);
  if (stats?.isFile() !== true || stats.size >= 1_000_000) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // No one may read it.
  }
}
