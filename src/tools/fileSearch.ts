import { refused, type Result } from '../contextWindow/result';
import type { Workspace } from '../agent/workspace';
import { listWithoutRipgrep, searchWithoutRipgrep } from './fallbackSearch';
import { makeFileQuery } from './fileQuery';
import { findRipgrep, listWithRipgrep, searchWithRipgrep } from './ripgrep';

/** A folder to search, and where ripgrep is if not on the PATH. */
export interface SearchPlace {
  /** Absolute. */
  readonly root: string;
  readonly rgPath?: string | undefined;
}

type ListQuery = Parameters<Workspace['listFiles']>[0];
type TextQuery = Parameters<Workspace['searchText']>[0];

/** Lists files as the Workspace port wants it, with ripgrep or without. */
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

/** Searches contents as the Workspace port wants it; without ripgrep the first line says so. */
export async function searchTextIn(
  place: SearchPlace,
  { pattern, path, glob, limit }: TextQuery,
  signal: AbortSignal,
): Promise<Result<{ readonly lines: readonly string[]; readonly more: boolean }>> {
  const made = await makeFileQuery(place.root, path, glob);
  if (!made.ok) return made;
  const rg = findRipgrep(place.root, place.rgPath);
  return rg === undefined
    ? searchWithoutRipgrep(made.query, pattern, limit, signal)
    : searchWithRipgrep(rg, made.query, pattern, limit, signal);
}
