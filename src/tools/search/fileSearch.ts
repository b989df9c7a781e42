import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundText, Workspace } from '../../agent/workspace';
import { refused, type Result } from '../../contextWindow/result';
import { readRegularFile } from '../files/fileOnDisk';
import { decodeText, excerpt, LARGEST_FILE, linesOf } from '../files/textLines';
import { makeFileQuery, type FileQuery } from './fileQuery';
import { type IgnoreRules, isIgnored, withRulesOf } from './ignoreRules';
import { makeLineSearch } from './lineSearch';
import { findRipgrep, listWithRipgrep, searchWithRipgrep } from './ripgrep';

/** A folder to search, and the path of ripgrep when it is not on the PATH. */
interface SearchPlace {
  readonly root: string;
  readonly rgPath?: string | undefined;
}

type ListQuery = Parameters<Workspace['listFiles']>[0];
type TextQuery = Parameters<Workspace['searchText']>[0];

/** Lists files for the Workspace port, with or without ripgrep. */
export async function listFilesIn(
  place: SearchPlace,
  { path, glob, limit }: ListQuery,
  signal: AbortSignal,
): Promise<Result<{ readonly paths: readonly string[]; readonly more: boolean }>> {
  const made = await makeFileQuery(place.root, path, glob);
  if (!made.ok) return made;
  if (made.query.isFile) return refused(`${path} is a file, not a folder.`);
  const rg = findRipgrep(place.root, place.rgPath);
  return rg === undefined
    ? listWithoutRipgrep(made.query, limit, signal)
    : listWithRipgrep(rg, made.query, limit, signal);
}

/** Searches contents for the Workspace port; without ripgrep, the first line says so. */
export async function searchTextIn(
  place: SearchPlace,
  { pattern, path, glob, limit }: TextQuery,
  signal: AbortSignal,
): Promise<Result<FoundText>> {
  const made = await makeFileQuery(place.root, path, glob);
  if (!made.ok) return made;
  const rg = findRipgrep(place.root, place.rgPath);
  return rg === undefined
    ? searchWithoutRipgrep(made.query, pattern, limit, signal)
    : searchWithRipgrep(rg, made.query, pattern, limit, signal);
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
  for await (const path of filesOf(query)) {
    if (signal.aborted) return refused('The search was stopped.');
    if (paths.length === limit) return { ok: true, paths, more: true };
    paths.push(path);
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
  const root = await realpath(query.root);
  for await (const path of filesOf(query)) {
    if (signal.aborted) return refused('The search was stopped.');
    const read = await readRegularFile(join(root, path), LARGEST_FILE).catch(() => undefined);
    if (!(read instanceof Buffer)) continue;
    const decoded = decodeText(read, path);
    if (!decoded.ok) continue;
    const matches = search.matchesIn(linesOf(decoded.text.replace(/^\uFEFF/, '')));
    if (matches === 'tooSlow') {
      return found.length === 0
        ? refused(`The pattern takes too long on ${path}; use a simpler one.`)
        : { ok: true, lines: [WITHOUT_RIPGREP, ...found], more: true, lateAt: path };
    }
    for (const { line, text, at } of matches) {
      if (found.length === limit) {
        return { ok: true, lines: [WITHOUT_RIPGREP, ...found], more: true };
      }
      found.push(`${path}:${line}:${excerpt(text, at)}`);
    }
  }
  return { ok: true, lines: [WITHOUT_RIPGREP, ...found], more: false };
}

async function* filesOf(query: FileQuery): AsyncGenerator<string> {
  if (query.isFile) {
    yield query.path;
    return;
  }
  const rules = query.rules ?? (await withRulesOf(query.root, query.path, []));
  for await (const path of walk(query.root, query.path, rules)) {
    if (query.matches(path)) yield path;
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
