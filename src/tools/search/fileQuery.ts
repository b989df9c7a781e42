import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathFrom, type WorkspaceFolders } from '../../agent/workspaceFolders';
import { refused, type Result } from '../../contextWindow/result';
import { globMatcher, type PathMatcher } from './glob';
import { rulesDownTo, type IgnoreRules } from './ignoreRules';
import { followed, insideWorkspace } from '../files/insideWorkspace';

/** Where to search, resolved once so that ripgrep and the fallback give the same results. */
export interface FileQuery {
  /** A folder of the workspace. */
  readonly root: string;
  /** The folder or file to search, relative to the root; '' for the root. */
  readonly path: string;
  readonly isFile: boolean;
  /** The ignore rules inside; undefined when the place itself is ignored but was named. */
  readonly rules: IgnoreRules | undefined;
  readonly glob: string | undefined;
  readonly matches: PathMatcher;
  /** The path of the workspace for one from the root; undefined if another search finds it. */
  readonly nameOf: (path: string) => string | undefined;
}

/**
 * Resolves the place that the model named, one search for each folder of the workspace if it is the
 * whole; a glob may be relative to a folder of the workspace or to that place.
 */
export async function makeFileQueries(
  folders: WorkspaceFolders,
  asked: string,
  glob: string | undefined,
): Promise<Result<{ readonly queries: readonly FileQuery[] }>> {
  const inside = await insideWorkspace(folders, asked);
  if (!inside.ok) return inside;
  if (inside.kind === 'missing') return refused(`${inside.path} does not exist.`);
  if (inside.kind === 'other') return refused(`${inside.path} is not a regular file.`);
  const made = glob === undefined ? EVERYTHING : globMatcher(glob);
  if (!made.ok) return made;
  const real = await followed(folders);
  const whole = folders.isWhole(asked);
  const places = whole
    ? real.all.filter(({ root }) => existsSync(root)).map((folder) => ({ folder, path: '' }))
    : // Neither search follows links, so it starts at their target.
      [real.placeOf(inside.realPath) ?? { folder: real.first, path: '' }];
  const isFile = inside.kind !== 'folder';
  const queries = places.map(async ({ folder, path }): Promise<FileQuery> => {
    const nameOf = (file: string) => {
      const place = real.placeOf(join(folder.root, file));
      const isOther = whole && place?.folder !== folder;
      return place === undefined || isOther ? undefined : pathFrom(place.folder, place.path);
    };
    const matches = matcherFor(made.matches, { path, isFile, glob, nameOf });
    const rules = isFile ? undefined : await rulesDownTo(folder.root, path);
    return { root: folder.root, path, isFile, rules, glob, matches, nameOf };
  });
  return { ok: true, queries: await Promise.all(queries) };
}

/** Matches a path from the root of its folder, from the place of the search, or of the workspace. */
function matcherFor(
  matcher: PathMatcher,
  { path, isFile, glob, nameOf }: Pick<FileQuery, 'path' | 'isFile' | 'glob' | 'nameOf'>,
): PathMatcher {
  const skipped = path === '' || isFile ? 0 : path.length + 1;
  const negated = glob?.startsWith('!') === true;
  return (file) => {
    const names = [file, file.slice(skipped), nameOf(file) ?? file];
    return negated ? names.every(matcher) : names.some(matcher);
  };
}

const EVERYTHING = { ok: true, matches: () => true } as const;
