import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isIgnored, RULE_FILES, withRulesOf, type IgnoreRules } from './ignoreRules';

/** Bounds of a walk: most entries of folders that are looked at, and its longest time; ms. */
export interface WalkBounds {
  readonly entries: number;
  readonly ms: number;
}

export const WALK_BOUNDS: WalkBounds = { entries: 40_000, ms: 1_000 };

/** So many entries are looked at however long it takes: a busy machine does not make a project large. */
const FEW_ENTRIES = 500;

/** A folder of the project, relative to its root; '' for the root itself. */
export interface ProjectFolder {
  readonly path: string;
  readonly entries: readonly Dirent[];
  /** What rules leave out of it, its own included. */
  readonly rules: IgnoreRules;
}

/**
 * Goes through the folders of a project, the nearest to the root first. Git's own folder, installed
 * packages and what rules leave out are not the project's, unless `isWanted` says so of a folder.
 * The last thing it gives is `cut` where the bounds ended it.
 */
export async function* projectFolders(
  root: string,
  isWanted: (path: string) => boolean,
  { entries: most, ms }: WalkBounds = WALK_BOUNDS,
): AsyncGenerator<ProjectFolder | 'cut', void> {
  const until = performance.now() + ms;
  let left = most;
  const folders: { readonly path: string; readonly rules: IgnoreRules }[] = [
    { path: '', rules: [] },
  ];
  // The list grows while it is gone through.
  for (const { path: folder, rules: outer } of folders) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    left -= entries.length;
    if (left < 0 || (most - left > FEW_ENTRIES && performance.now() > until)) {
      yield 'cut';
      return;
    }
    const hasRules = entries.some(({ name }) => RULE_FILES.includes(name));
    const rules = hasRules ? await withRulesOf(root, folder, outer) : outer;
    const own = entries.filter(({ name }) => name !== '.git' && name !== 'node_modules');
    yield { path: folder, entries: own, rules };
    for (const entry of own) {
      if (!entry.isDirectory()) continue;
      const path = pathIn(folder, entry.name);
      if (isWanted(path) || !isIgnored(rules, path, true)) folders.push({ path, rules });
    }
  }
}

/** The path of an entry of a folder. */
export function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
