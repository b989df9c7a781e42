import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Names the clone this file lies in, absolute, without a trailing slash. */
export const repository = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** Names a path inside the clone. */
export const inRepository = (...parts) => join(repository, ...parts);

/**
 * The folder for installations that are too large for each clone: PLIMSOLL_CACHE, else the user's
 * cache folder.
 */
export function cacheFolder() {
  if (process.env.PLIMSOLL_CACHE) return resolve(process.env.PLIMSOLL_CACHE);
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'plimsoll');
}
