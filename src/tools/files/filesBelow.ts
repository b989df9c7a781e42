import { readdir } from 'node:fs/promises';
import type { WorkspaceFolders } from '../../agent/workspaceFolders';
import { insideWorkspace } from './insideWorkspace';

/** Most files of one folder with those below it, and how deep; a project has a handful. */
export const MOST_BELOW = 50;
const MOST_FOLDERS = 3;

/** The files of a folder whose paths end so, sorted by path. Links are not followed. */
export async function filesBelow(
  folders: WorkspaceFolders,
  { folder, suffix }: { readonly folder: string; readonly suffix: string },
): Promise<{ readonly paths: readonly string[]; readonly isCut: boolean }> {
  const inside = await insideWorkspace(folders, folder).catch(() => undefined);
  const paths: string[] = [];
  if (inside?.ok !== true || inside.kind !== 'folder') return { paths, isCut: false };
  const waiting = [{ path: folder, depth: 0 }];
  // The list grows during the loop.
  for (const { path, depth } of waiting) {
    const entries = await readdir(folders.absolute(path), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.isFile() && `/${entry.name}`.endsWith(suffix)) paths.push(`${path}/${entry.name}`);
      const isBelow = entry.isDirectory() && depth < MOST_FOLDERS && waiting.length < MOST_BELOW;
      if (isBelow) waiting.push({ path: `${path}/${entry.name}`, depth: depth + 1 });
    }
  }
  paths.sort();
  return { paths: paths.slice(0, MOST_BELOW), isCut: paths.length > MOST_BELOW };
}
