import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative } from 'node:path';

/**
 * Finds a program on the PATH, in absolute folders alone, and never in the workspace: it would be
 * the workspace's program, not the user's. Undefined when there is none.
 */
export function findProgram(
  name: string,
  root: string,
  pathVariable = process.env['PATH'] ?? '',
): string | undefined {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  return pathVariable
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(root, folder))
    .map((folder) => join(folder, file))
    .find(isExecutable);
}

/** Says whether a path is a file that this process may run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isInside(root: string, folder: string): boolean {
  const way = relative(root, folder);
  return !way.startsWith('..') && !isAbsolute(way);
}
