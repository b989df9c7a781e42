import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The absolute path of the clone that contains this file, without a trailing slash. */
export const repository = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** Returns a path inside the clone. */
export const inRepository = (...parts) => join(repository, ...parts);

/**
 * The folder for installations that are too large for each clone: PLIMSOLL_CACHE, or a folder in
 * the user's cache.
 */
export function cacheFolder() {
  if (process.env.PLIMSOLL_CACHE) return resolve(process.env.PLIMSOLL_CACHE);
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'plimsoll');
}
