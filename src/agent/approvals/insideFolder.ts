import { existsSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { IsInside } from './commandPaths';

/** Judges paths of commands by the files that are there, with links followed. `root` is absolute. */
export function insideFolder(root: string): IsInside {
  const realRoot = realPath(root);
  return (path, folder) => {
    if (path.startsWith('~')) return false;
    const absolute = resolve(root, folder, path);
    const isNamed = isAbsolute(path) || path.split(/[/\\]/).includes('..');
    if (isNamed && !isBelow(root, absolute) && !isBelow(realRoot, absolute)) return false;
    return isBelow(realRoot, realPath(absolute));
  };
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * Follows links as far as the path exists; what does not exist yet leads where its folder leads. A
 * link that leads nowhere leads outside: it may lead anywhere once its target is made.
 */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) return sep;
  const parent = dirname(path);
  return parent === path ? path : join(realPath(parent), basename(path));
}
