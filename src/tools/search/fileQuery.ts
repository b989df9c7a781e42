import { refused, type Result } from '../../contextWindow/result';
import { globMatcher, type PathMatcher } from './glob';
import { rulesDownTo, type IgnoreRules } from './ignoreRules';
import { insideWorkspace } from '../files/insideWorkspace';

/** Where to search, resolved once so that ripgrep and the fallback give the same results. */
export interface FileQuery {
  readonly root: string;
  /** The folder or file to search, relative to the root; '' for the root. */
  readonly path: string;
  readonly isFile: boolean;
  /** The ignore rules inside; undefined when the place itself is ignored but was named. */
  readonly rules: IgnoreRules | undefined;
  readonly glob: string | undefined;
  readonly matches: PathMatcher;
}

/**
 * Resolves the place that the model named; a glob may be relative to the root or to that folder.
 */
export async function makeFileQuery(
  root: string,
  asked: string,
  glob: string | undefined,
): Promise<Result<{ readonly query: FileQuery }>> {
  const inside = await insideWorkspace(root, asked);
  if (!inside.ok) return inside;
  if (inside.kind === 'missing') return refused(`${inside.path} does not exist.`);
  if (inside.kind === 'other') return refused(`${inside.path} is not a regular file.`);
  // Neither search follows links, so it starts at their target.
  const path = inside.target === '.' ? '' : inside.target;
  const isFile = inside.kind !== 'folder';
  const made = glob === undefined ? EVERYTHING : globMatcher(glob);
  if (!made.ok) return made;
  const matcher = made.matches;
  const skipped = path === '' || isFile ? 0 : path.length + 1;
  const negated = glob?.startsWith('!') === true;
  const matches: PathMatcher = (file) => {
    const fromFolder = file.slice(skipped);
    return negated ? matcher(file) && matcher(fromFolder) : matcher(file) || matcher(fromFolder);
  };
  const rules = isFile ? undefined : await rulesDownTo(root, path);
  return { ok: true, query: { root, path, isFile, rules, glob, matches } };
}

const EVERYTHING = { ok: true, matches: () => true } as const;
