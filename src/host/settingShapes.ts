import { z } from 'zod';

/** A setting that takes one of a few words. */
export function oneOf<const T extends readonly [string, ...string[]]>(words: T) {
  const quoted = words.map((word) => `"${word}"`);
  return z.enum(words, `must be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`);
}

/** A setting that takes a whole number. */
export function wholeNumber(least: number) {
  return whole(`must be a whole number of at least ${least}`, least);
}

/** A setting that takes a whole number of tokens. */
export function wholeTokens(least: number) {
  return whole(`must be a whole number of tokens of at least ${least}`, least);
}

function whole(message: string, least: number) {
  return z.int(message).min(least, message);
}
