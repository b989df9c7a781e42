import { createHash } from 'node:crypto';

/** Longest name that the API takes, characters. */
const LONGEST_NAME = 64;

/** Digits of a hash that tell names apart which the API would not. */
const HASH_DIGITS = 8;

/**
 * Names a tool of others for the API. A name that it would not take, or that Plimsoll has itself, gets
 * a hash of the whole name behind it. So a name depends on nothing but itself, and stays the same in
 * every session, whatever else is chosen.
 */
export function apiName(name: string, own: ReadonlySet<string>): string {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(name) && !own.has(name)) return name;
  const readable = name.replace(/[^a-zA-Z0-9_-]+/g, '_');
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_DIGITS);
  return `${readable.slice(0, LONGEST_NAME - HASH_DIGITS - 1)}_${hash}`;
}
