import * as z from 'zod/mini';
import { isWatermark, watermarkForm } from '../contextWindow/budget';
import { parameterOf } from '../contextWindow/scratchpad';

/** Units of time, ms. */
const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads a time as "90s", "30m", "24h" or "7d", or "0"; ms. Undefined for anything else. */
export function durationMs(text: string): number | undefined {
  if (text.trim() === '0') return 0;
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?) ?([smhd])$/.exec(text.trim()) ?? [];
  const unitMs = UNITS[unit];
  return amount === undefined || unitMs === undefined ? undefined : Number(amount) * unitMs;
}

/** A time as `durationMs` reads it; ms, 0 for no limit. */
export function time(example: string) {
  const message = `must be a time such as ${example}, or "0" for no limit`;
  return z.pipe(
    z.string(message).check(z.refine((text) => durationMs(text) !== undefined, message)),
    z.transform((text) => durationMs(text) ?? 0),
  );
}

export function oneOf<const T extends readonly [string, ...string[]]>(words: T) {
  const quoted = words.map((word) => `"${word}"`);
  return z.enum(words, `must be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`);
}

/** A text on one line, of at most so many characters. */
export function shortText(longest: number) {
  const message = `must be text of 1 to ${longest} characters, on one line`;
  return z
    .string(message)
    .check(
      z.trim(),
      z.minLength(1, message),
      z.maxLength(longest, message),
      z.regex(/^.*$/, message),
    );
}

/** Says whether names make parameters of a tool, each a different one. */
export function areParameters(names: readonly string[]): boolean {
  const parameters = names.map(parameterOf);
  return !parameters.includes(undefined) && new Set(parameters).size === names.length;
}

/** A whole number from a least one on. */
export function wholeNumber(least: number) {
  return whole(`must be a whole number of at least ${least}`, least);
}

/** A whole number of tokens from a least one on. */
export function wholeTokens(least: number) {
  return whole(`must be a whole number of tokens of at least ${least}`, least);
}

function whole(message: string, least: number) {
  return z.int(message).check(z.minimum(least, message));
}

/** A fraction of the input budget, or a number of tokens. */
export function watermark(example: number) {
  const message = `must be ${watermarkForm(example)}`;
  return z.number(message).check(z.refine(isWatermark, message));
}

/** A watermark, or 0 for never. */
export function watermarkOrNone(example: number) {
  const message = `must be null, 0 (never), ${watermarkForm(example)}`;
  return z.number(message).check(z.refine((mark) => mark === 0 || isWatermark(mark), message));
}

/** A part of a whole: above 0, at most 1. */
export function share(example: number) {
  const message = `must be a fraction above 0 and at most 1, such as ${example}`;
  return z.number(message).check(z.gt(0, message), z.lte(1, message));
}

/** Says whether a text is the address of a server, or empty. */
export function isAddress(text: string): boolean {
  if (text === '') return true;
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** Says whether a host, as a URL has it, is this computer: nothing on the way can listen. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

/** What a field must be, as the user reads it. */
export const MODEL_ID = 'must be the API id of a model';
export const DOLLARS = 'must be an amount in US dollars, 0 or more';

export const NO_ADDRESS =
  'must be empty or an address that begins with https://, or with http:// for a server on this computer';
