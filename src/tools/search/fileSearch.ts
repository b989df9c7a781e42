import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundText, Workspace } from '../../agent/workspace';
import type { WorkspaceFolders } from '../../agent/workspaceFolders';
import { refused, type Result } from '../../contextWindow/result';
import { readRegularFile } from '../files/fileOnDisk';
import { decodeText, excerpt, LARGEST_FILE, linesOf } from '../files/textLines';
import { makeFileQueries, type FileQuery } from './fileQuery';
import { type IgnoreRules, isIgnored, withRulesOf } from './ignoreRules';
import { makeLineSearch } from './lineSearch';
import { findRipgrep, listWithRipgrep, searchWithRipgrep } from './ripgrep';

/** The folders to search, and the path of ripgrep when it is not on the PATH. */
interface SearchPlace {
  readonly folders: WorkspaceFolders;
  readonly rgPath?: string | undefined;
}

type ListQuery = Parameters<Workspace['listFiles']>[0];
type TextQuery = Parameters<Workspace['searchText']>[0];

/** Lists files for the Workspace port, with or without ripgrep. */
export async function listFilesIn(
  { folders, rgPath }: SearchPlace,
  { path, glob, limit }: ListQuery,
  signal: AbortSignal,
): Promise<Result<{ readonly paths: readonly string[]; readonly more: boolean }>> {
  const made = await makeFileQueries(folders, path, glob);
  if (!made.ok) return made;
  const rg = findRipgrep(folders, rgPath);
  const paths: string[] = [];
  for (const query of made.queries) {
    if (query.isFile) return refused(`${path} is a file, not a folder.`);
    const left = limit - paths.length;
    const found = await (rg === undefined
      ? listWithoutRipgrep(query, left, signal)
      : listWithRipgrep(rg, query, left, signal));
    if (!found.ok) return found;
    paths.push(...found.paths);
    if (found.more) return { ok: true, paths, more: true };
  }
  return { ok: true, paths, more: false };
}

/** Searches contents for the Workspace port; without ripgrep, the first line says so. */
export async function searchTextIn(
  { folders, rgPath }: SearchPlace,
  { pattern, path, glob, limit }: TextQuery,
  signal: AbortSignal,
): Promise<Result<FoundText>> {
  const made = await makeFileQueries(folders, path, glob);
  if (!made.ok) return made;
  const rg = findRipgrep(folders, rgPath);
  const lines = rg === undefined ? [WITHOUT_RIPGREP] : [];
  const most = limit + lines.length;
  for (const query of made.queries) {
    const left = most - lines.length;
    const found = await (rg === undefined
      ? searchWithoutRipgrep(query, pattern, left, signal)
      : searchWithRipgrep(rg, query, pattern, left, signal));
    if (!found.ok) return found;
    lines.push(...found.lines);
    if (found.more) return { ...found, lines };
  }
  return { ok: true, lines, more: false };
}

/** First line of a search without ripgrep: the pattern is then a JavaScript one. */
export const WITHOUT_RIPGREP = '(searched without ripgrep)';

/** Lists files without ripgrep, in the same order and by the same rules. */
async function listWithoutRipgrep(
  query: FileQuery,
  limit: number,
  signal: AbortSignal,
): Promise<Result<{ readonly paths: readonly string[]; readonly more: boolean }>> {
  const paths: string[] = [];
  for await (const { name } of filesOf(query)) {
    if (signal.aborted) return refused('The search was stopped.');
    if (paths.length === limit) return { ok: true, paths, more: true };
    paths.push(name);
  }
  return { ok: true, paths, more: false };
}

/** Searches contents without ripgrep; skips files over 10 MB. */
async function searchWithoutRipgrep(
  query: FileQuery,
  pattern: string,
  limit: number,
  signal: AbortSignal,
): Promise<Result<FoundText>> {
  const search = makeLineSearch(pattern);
  if (!search.ok) return search;
  const found: string[] = [];
  for await (const { path, name } of filesOf(query)) {
    if (signal.aborted) return refused('The search was stopped.');
    const read = await readRegularFile(join(query.root, path), LARGEST_FILE).catch(() => undefined);
    if (!(read instanceof Buffer)) continue;
    const decoded = decodeText(read, name);
    if (!decoded.ok) continue;
    const matches = search.matchesIn(linesOf(decoded.text.replace(/^\uFEFF/, '')));
    if (matches === 'tooSlow') {
      return found.length === 0
        ? refused(`The pattern takes too long on ${name}; use a simpler one.`)
        : { ok: true, lines: found, more: true, lateAt: name };
    }
    for (const { line, text, at } of matches) {
      if (found.length === limit) return { ok: true, lines: found, more: true };
      found.push(`${name}:${line}:${excerpt(text, at)}`);
    }
  }
  return { ok: true, lines: found, more: false };
}

/** The files that a search means, by their path from the root and their name in the workspace. */
async function* filesOf(
  query: FileQuery,
): AsyncGenerator<{ readonly path: string; readonly name: string }> {
  const rules = query.rules ?? (await withRulesOf(query.root, query.path, []));
  const paths = query.isFile ? [query.path] : walk(query.root, query.path, rules);
  for await (const path of paths) {
    const name = query.isFile || query.matches(path) ? query.nameOf(path) : undefined;
    if (name !== undefined) yield { path, name };
  }
}

/** Walks a folder in name order, like `rg --sort=path`; does not follow links. */
async function* walk(root: string, folder: string, rules: IgnoreRules): AsyncGenerator<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.name === '.git' || isIgnored(rules, path, entry.isDirectory())) continue;
    if (entry.isFile()) yield path;
    if (entry.isDirectory()) yield* walk(root, path, await withRulesOf(root, path, rules));
  }
}
