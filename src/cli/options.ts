import { parseArgs } from 'node:util';
import {
  type BudgetProblem,
  type BudgetSettings,
  isWatermark,
  watermarkForm,
} from '../contextWindow/budget';
import { refused, type Result, errorText } from '../contextWindow/result';
import { isAddress } from '../settings/settings';

/** A parsed value, or its error. */
export type Read<T> = Result<{ readonly value: T }>;

/** One option of a command: how it is read, and its help. */
interface Option<T> {
  /** Placeholder of its value in the help, such as N; absent for a flag. */
  readonly value?: string;
  readonly help: string;
  /** The default in the words of the help. */
  readonly fallback?: string;
  /**
   * Reads the given value: '' for a flag, undefined if the option is absent. `name` is the option
   * as typed.
   */
  readonly read: (given: string | undefined, name: string) => Read<T>;
}

/** The options of a command by name, in the order of the help. */
export type Options = Readonly<Record<string, Option<unknown>>>;

type ValuesOf<O extends Options> = {
  readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never;
};

/** The arguments of a command. */
interface GivenOptions<O extends Options> {
  readonly values: ValuesOf<O>;
  readonly positionals: readonly string[];
}

/**
 * Reads the arguments of a command: all values, or the first error. `whyNot` checks the arguments
 * that belong to no option.
 */
export function readOptions<O extends Options>(
  args: readonly string[],
  options: O,
  whyNot: (positionals: readonly string[]) => string | undefined,
): Read<GivenOptions<O>> {
  const parsed = parsedArgs(args, options);
  if (!parsed.ok) return parsed;
  const { values: given, positionals } = parsed.value;
  const problem = whyNot(positionals);
  if (problem !== undefined) return refused(problem);
  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(options)) {
    const one = given[name];
    const read = option.read(one === true ? '' : one, `--${name}`);
    if (!read.ok) return read;
    values[name] = read.value;
  }
  return { ok: true, value: { values: values as ValuesOf<O>, positionals } };
}

function parsedArgs(args: readonly string[], options: Options): Read<RawArguments> {
  const types = Object.entries(options).map(
    ([name, { value }]) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const,
  );
  try {
    const config = { args: [...args], options: Object.fromEntries(types), allowPositionals: true };
    const { values, positionals } = parseArgs(config);
    return { ok: true, value: { values: values as RawArguments['values'], positionals } };
  } catch (error) {
    return refused(errorText(error));
  }
}

interface RawArguments {
  /** True for a flag; no option can be given twice. */
  readonly values: Readonly<Record<string, string | true | undefined>>;
  readonly positionals: readonly string[];
}

/** Columns of the help. */
const WIDTH = 100;

/** Describes each option of a command on a line of its own. */
export function optionsHelp(options: Options): string {
  const rows = Object.entries(options).map(([name, { value, help, fallback }]) => ({
    form: `  --${name}${value === undefined ? '' : ` ${value}`}  `,
    words: [...help.split(' '), ...(fallback === undefined ? [] : [`(default: ${fallback})`])],
  }));
  const indent = Math.max(...rows.map(({ form }) => form.length));
  return rows
    .map(({ form, words }) => {
      const lines = wrapped(words, WIDTH - indent);
      return form.padEnd(indent) + lines.join(`\n${' '.repeat(indent)}`);
    })
    .join('\n');
}

function wrapped(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines.splice(-1, 1, `${line} ${word}`);
  }
  return lines;
}

export function flag(help: string): Option<boolean> {
  return { help, read: (given) => ({ ok: true, value: given !== undefined }) };
}

/** An option that takes any text. */
export function text(value: string, help: string): Option<string | undefined> {
  return { value, help, read: (given) => ({ ok: true, value: given }) };
}

/** An option that takes a whole number of at least `least`. */
export function whole(value: string, help: string, least = 1): Option<number | undefined> {
  return parsing(value, help, (given, name) => {
    const number = Number(given);
    return given.trim() !== '' && Number.isSafeInteger(number) && number >= least
      ? { ok: true, value: number }
      : refused(`${name} must be a whole number of at least ${least}, not "${given}".`);
  });
}

/** An option that takes a watermark, as a fraction or in tokens. */
export function watermark(
  value: string,
  help: string,
  example: number,
): Option<number | undefined> {
  return parsing(value, help, (given, name) => {
    const mark = Number(given);
    return isWatermark(mark)
      ? { ok: true, value: mark }
      : refused(`${name} must be ${watermarkForm(example)}, not "${given}".`);
  });
}

/** An option that takes a share: a number above 0 and at most 1. */
export function share(value: string, help: string): Option<number | undefined> {
  return parsing(value, help, (given, name) => {
    const number = Number(given);
    return number > 0 && number <= 1
      ? { ok: true, value: number }
      : refused(`${name} must be a number above 0 and at most 1, not "${given}".`);
  });
}

/** An option that takes one of several words. */
export function choice<T extends string>(
  value: string,
  help: string,
  choices: readonly T[],
): Option<T | undefined> {
  return parsing(value, help, (given, name) => chosen(given, name, choices));
}

/** An option that takes a list of words with commas between them; duplicates count once. */
export function choicesOf<T extends string>(
  value: string,
  help: string,
  choices: readonly T[],
): Option<readonly T[] | undefined> {
  return parsing(value, help, (given, name) => {
    const all = new Set<T>();
    for (const word of given.split(',')) {
      const read = chosen(word.trim(), name, choices);
      if (!read.ok) return read;
      all.add(read.value);
    }
    return { ok: true, value: [...all] };
  });
}

/** An option that takes the address of a server. */
export function address(value: string, help: string): Option<string | undefined> {
  return parsing(value, help, (given, name) =>
    isServer(given)
      ? { ok: true, value: given }
      : refused(
          `${name} must begin with https://, or with http:// for a server on this computer, not "${given}".`,
        ),
  );
}

/** The help of --otlp-endpoint. */
export const OTLP_HELP =
  'send spans and metrics without any text to this OpenTelemetry receiver (OTLP over HTTP)';

/** Makes an option required. */
export function required(option: Option<string | undefined>): Option<string> {
  return {
    ...option,
    read: (given, name) =>
      given === undefined || given.trim() === ''
        ? refused(`${name} ${option.value ?? ''} is missing.`)
        : { ok: true, value: given },
  };
}

/** Gives an option a default value. */
export function withFallback<T extends string | number>(
  option: Option<T | undefined>,
  value: T,
): Option<T> {
  return {
    ...option,
    fallback: String(value),
    read: (given, name) => {
      const read = option.read(given, name);
      return read.ok ? { ok: true, value: read.value ?? value } : read;
    },
  };
}

/** An option whose value is parsed only if it is given. */
export function parsing<T>(
  value: string,
  help: string,
  read: (given: string, name: string) => Read<T>,
): Option<T | undefined> {
  return {
    value,
    help,
    read: (given, name) =>
      given === undefined ? { ok: true, value: undefined } : read(given, name),
  };
}

function chosen<T extends string>(given: string, name: string, choices: readonly T[]): Read<T> {
  const value = choices.find((one) => one === given);
  return value === undefined
    ? refused(`${name} must be one of ${choices.join(', ')}, not "${given}".`)
    : { ok: true, value };
}

/** Whether a key may be sent to this address. */
export function isServer(given: string): boolean {
  return given !== '' && isAddress(given);
}

/** The option that sets each number of the budget. */
const OPTION_OF: Readonly<Record<keyof BudgetSettings, string>> = {
  contextWindowTokens: '--window',
  maxReplyTokens: '--max-reply',
  safetyHeadroomTokens: '--safety',
  toolResultHeadroomTokens: '--tool-headroom',
  highWatermark: '--high',
  lowWatermark: '--low',
};

/** Describes the error of a budget with the names of the options. */
export function budgetMessage(problems: readonly BudgetProblem[]): string {
  return problems.map(({ setting, message }) => `${OPTION_OF[setting]} ${message}`).join('\n');
}

/** The options for the editor's settings. */
const OPTION_OF_SETTING: readonly (readonly [string, string])[] = [
  ['plimsoll.context.windowTokens', '--window'],
  ['plimsoll.context.maxReplyTokens', '--max-reply'],
  ['plimsoll.baseUrl', '--base-url'],
  ['plimsoll.idleLimit', '--idle-limit'],
  ['plimsoll.model', '--model'],
];

/** Replaces the editor's settings in a message of the agent by options. */
export function inOptions(message: string): string {
  return OPTION_OF_SETTING.reduce(
    (said, [setting, option]) => said.replaceAll(setting, option),
    message,
  );
}
