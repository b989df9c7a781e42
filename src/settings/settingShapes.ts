import { z } from 'zod';
import { isWatermark, watermarkForm } from '../contextWindow/budget';

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

/** A setting that takes a watermark, as a fraction of the input budget or in tokens. */
export function watermark(example: number) {
  const message = `must be ${watermarkForm(example)}`;
  return z.number(message).refine(isWatermark, message);
}

/** A setting that takes a watermark, null, or 0 for none. */
export function watermarkOrNone(example: number) {
  const message = `must be null, 0 (never), ${watermarkForm(example)}`;
  return z
    .number(message)
    .refine((mark) => mark === 0 || isWatermark(mark), message)
    .nullable();
}

function whole(message: string, least: number) {
  return z.int(message).min(least, message);
}
