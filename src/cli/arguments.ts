import { parseArgs } from 'node:util';
import { makeBudget, type BudgetSettings } from '../contextWindow/budget';

/** What `plimsoll run` was asked to do. */
export interface RunOptions {
  readonly task: string;
  readonly cwd: string;
  readonly baseUrl?: string;
  readonly model: string;
  /** Absent: what the model list says, else 200,000 tokens. */
  readonly windowTokens?: number;
  readonly maxReplyTokens: number;
  readonly yes: boolean;
  readonly maxSteps?: number;
  readonly logFile?: string;
  readonly requestsFile?: string;
}

export type Arguments =
  | { readonly type: 'run'; readonly options: RunOptions }
  | { readonly type: 'help' }
  | { readonly type: 'badUsage'; readonly message: string };

export const DEFAULT_MODEL = 'claude-sonnet-5-5';

export const HELP = `Usage: plimsoll run --task TEXT [options]

Runs the Plimsoll agent on a folder without an editor. Progress goes to standard error, the final
answer to standard output. The API key is read from ANTHROPIC_API_KEY.

  --task TEXT       what to do
  --cwd DIR         the folder to work in; nothing outside it is read or changed (default: here)
  --base-url URL    a server that speaks the Messages API (default: Anthropic)
  --model ID        the model (default: ${DEFAULT_MODEL})
  --window N        context window in tokens (default: what the server says of the model)
  --max-reply N     most tokens of one reply (default: 4096)
  --yes             approve edits and commands inside DIR without asking
  --max-steps N     end after N steps
  --log FILE        write the session's log there, one event a line
  --requests FILE   write every request body sent to /v1/messages there, one a line

Without --yes each edit and command is asked for on the terminal; with no terminal it is denied.

Exit code: 0 finished, 1 failed, 2 bad usage, 3 step limit, 130 stopped.`;

/** The settings the command line has no option for; tokens and fractions, as in the editor. */
export const CLI_SETTINGS = {
  safetyHeadroomTokens: 2_048,
  toolResultHeadroomTokens: 8_192,
  highWatermark: 0.8,
  lowWatermark: 0.5,
  toolResultCapTokens: 8_000,
} as const;

/** Reads the command line; every mistake is answered with what is wrong and stays without effect. */
export function readArguments(argv: readonly string[], here: string): Arguments {
  const parsed = parse(argv);
  if (typeof parsed === 'string') return badUsage(parsed);
  const { values, positionals } = parsed;
  if (values.help === true || positionals[0] === 'help') return { type: 'help' };
  const [command, ...rest] = positionals;
  if (command !== 'run') {
    return badUsage(
      command === undefined
        ? 'Say what to do: plimsoll run --task TEXT'
        : `There is no command "${command}".`,
    );
  }
  if (rest.length > 0)
    return badUsage(
      `Unexpected argument "${rest.join(' ')}". Put the task in quotes behind --task.`,
    );
  if (values.task === undefined || values.task.trim() === '')
    return badUsage('--task TEXT is missing.');

  const windowTokens = wholeNumber('--window', values.window);
  const maxReply = wholeNumber('--max-reply', values['max-reply']);
  const maxSteps = wholeNumber('--max-steps', values['max-steps']);
  const wrong = [windowTokens, maxReply, maxSteps].find((value) => typeof value === 'string');
  if (typeof wrong === 'string') return badUsage(wrong);
  const baseUrl = values['base-url'];
  if (baseUrl !== undefined && !isHttpUrl(baseUrl)) {
    return badUsage(`--base-url must be an http or https address, not "${baseUrl}".`);
  }
  const options: RunOptions = {
    task: values.task,
    cwd: values.cwd ?? here,
    model: values.model ?? DEFAULT_MODEL,
    maxReplyTokens: typeof maxReply === 'number' ? maxReply : 4_096,
    yes: values.yes === true,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(typeof windowTokens === 'number' ? { windowTokens } : {}),
    ...(typeof maxSteps === 'number' ? { maxSteps } : {}),
    ...(values.log === undefined ? {} : { logFile: values.log }),
    ...(values.requests === undefined ? {} : { requestsFile: values.requests }),
  };
  if (options.windowTokens !== undefined) {
    const budget = makeBudget(budgetSettings(options, options.windowTokens));
    if (!budget.ok)
      return badUsage(budget.problems.map(({ message }) => `--window ${message}`).join('\n'));
  }
  return { type: 'run', options };
}

/** The budget settings of a run once the window is known; tokens. */
export function budgetSettings(options: RunOptions, contextWindowTokens: number): BudgetSettings {
  const { safetyHeadroomTokens, toolResultHeadroomTokens, highWatermark, lowWatermark } =
    CLI_SETTINGS;
  return {
    contextWindowTokens,
    maxReplyTokens: options.maxReplyTokens,
    safetyHeadroomTokens,
    toolResultHeadroomTokens,
    highWatermark,
    lowWatermark,
  };
}

const OPTIONS = {
  task: { type: 'string' },
  cwd: { type: 'string' },
  'base-url': { type: 'string' },
  model: { type: 'string' },
  window: { type: 'string' },
  'max-reply': { type: 'string' },
  yes: { type: 'boolean' },
  'max-steps': { type: 'string' },
  log: { type: 'string' },
  requests: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function wholeNumber(option: string, text: string | undefined): number | undefined | string {
  if (text === undefined) return undefined;
  const value = Number(text);
  return Number.isInteger(value) && value >= 1
    ? value
    : `${option} must be a whole number of at least 1, not "${text}".`;
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

function badUsage(message: string): Arguments {
  return { type: 'badUsage', message };
}
