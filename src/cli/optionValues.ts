import { parseArgs, type ParseArgsConfig } from 'node:util';
import {
  type BudgetProblem,
  type BudgetSettings,
  isWatermark,
  watermarkForm,
} from '../contextWindow/budget';

/** An option's value, or what is wrong with it. */
export type Read<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly message: string };

/** The option that sets each number of the budget. */
const OPTION_OF: Readonly<Record<keyof BudgetSettings, string>> = {
  contextWindowTokens: '--window',
  maxReplyTokens: '--max-reply',
  safetyHeadroomTokens: '--safety',
  toolResultHeadroomTokens: '--tool-headroom',
  highWatermark: '--high',
  lowWatermark: '--low',
};

/** Splits arguments into options and the rest; an option that is not known is named. */
export function parseOptions<O extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: O,
) {
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true });
    return { ok: true, value: parsed } as const;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, message } as const;
  }
}

/** Reads a whole number of at least `least`; undefined where the option is not given. */
export function readWhole(
  option: string,
  text: string | undefined,
  least = 1,
): Read<number | undefined> {
  if (text === undefined) return { ok: true, value: undefined };
  const value = Number(text);
  return text.trim() !== '' && Number.isSafeInteger(value) && value >= least
    ? { ok: true, value }
    : {
        ok: false,
        message: `${option} must be a whole number of at least ${least}, not "${text}".`,
      };
}

/** Reads a watermark, as a fraction or in tokens; undefined where the option is not given. */
export function readWatermark(
  option: string,
  text: string | undefined,
  example: number,
): Read<number | undefined> {
  if (text === undefined) return { ok: true, value: undefined };
  const value = Number(text);
  return isWatermark(value)
    ? { ok: true, value }
    : { ok: false, message: `${option} must be ${watermarkForm(example)}, not "${text}".` };
}

/** Reads one of some words; undefined where the option is not given. */
export function readChoice<T extends string>(
  option: string,
  text: string | undefined,
  choices: readonly T[],
): Read<T | undefined> {
  if (text === undefined) return { ok: true, value: undefined };
  const value = choices.find((choice) => choice === text);
  return value === undefined
    ? { ok: false, message: `${option} must be one of ${choices.join(', ')}, not "${text}".` }
    : { ok: true, value };
}

/** Says whether a text is an address a server can be asked at. */
export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

/** Says what is wrong with a budget in the words of the command line. */
export function budgetMessage(problems: readonly BudgetProblem[]): string {
  return problems.map(({ setting, message }) => `${OPTION_OF[setting]} ${message}`).join('\n');
}

type Values<R> = { readonly [K in keyof R]: R[K] extends Read<infer T> ? T : never };

/** Takes the values of all options, or the first thing that is wrong with one. */
export function allOf<R extends Readonly<Record<string, Read<unknown>>>>(
  reads: R,
): Read<Values<R>> {
  const values: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(reads)) {
    if (!read.ok) return read;
    values[name] = read.value;
  }
  return { ok: true, value: values as Values<R> };
}
