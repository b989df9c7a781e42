import { makeBudget, type BudgetSettings } from '../contextWindow/budget';
import { DEFAULT_SETTINGS } from '../settings/settings';
import { budgetMessage, isHttpUrl, parseOptions, readWhole, type Read } from './optionValues';

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

export const RUN_HELP = `Usage: plimsoll run --task TEXT [options]

Runs the Plimsoll agent on a folder without an editor. Progress goes to standard error, the final
answer to standard output. The API key is read from ANTHROPIC_API_KEY.

  --task TEXT       what to do
  --cwd DIR         the folder to work in; nothing outside it is read or changed (default: here)
  --base-url URL    a server that speaks the Messages API (default: Anthropic)
  --model ID        the model (default: ${DEFAULT_SETTINGS.model})
  --window N        context window in tokens (default: what the server says of the model)
  --max-reply N     most tokens of one reply (default: ${DEFAULT_SETTINGS.context.maxReplyTokens})
  --yes             approve edits and commands inside DIR without asking
  --max-steps N     end after N steps
  --log FILE        write the session's log there, one event a line
  --requests FILE   write every request body sent to /v1/messages there, one a line

Without --yes each edit and command is asked for on the terminal; with no terminal it is denied.

Exit code: 0 finished, 1 failed, 2 bad usage, 3 step limit, 130 stopped.`;

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
} as const;

/** Reads what stands behind `plimsoll run`. */
export function readRunArguments(args: readonly string[], here: string): Read<RunOptions> {
  const parsed = parseOptions(args, OPTIONS);
  if (!parsed.ok) return parsed;
  const { values, positionals } = parsed.value;
  if (positionals.length > 0) {
    return wrong(
      `Unexpected argument "${positionals.join(' ')}". Put the task in quotes behind --task.`,
    );
  }
  if (values.task === undefined || values.task.trim() === '') {
    return wrong('--task TEXT is missing.');
  }
  const windowTokens = readWhole('--window', values.window);
  if (!windowTokens.ok) return windowTokens;
  const maxReply = readWhole('--max-reply', values['max-reply']);
  if (!maxReply.ok) return maxReply;
  const maxSteps = readWhole('--max-steps', values['max-steps']);
  if (!maxSteps.ok) return maxSteps;
  const baseUrl = values['base-url'];
  if (baseUrl !== undefined && !isHttpUrl(baseUrl)) {
    return wrong(`--base-url must be an http or https address, not "${baseUrl}".`);
  }
  const options: RunOptions = {
    task: values.task,
    cwd: values.cwd ?? here,
    model: values.model ?? DEFAULT_SETTINGS.model,
    maxReplyTokens: maxReply.value ?? DEFAULT_SETTINGS.context.maxReplyTokens,
    yes: values.yes === true,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(windowTokens.value === undefined ? {} : { windowTokens: windowTokens.value }),
    ...(maxSteps.value === undefined ? {} : { maxSteps: maxSteps.value }),
    ...(values.log === undefined ? {} : { logFile: values.log }),
    ...(values.requests === undefined ? {} : { requestsFile: values.requests }),
  };
  if (options.windowTokens !== undefined) {
    const budget = makeBudget(budgetSettings(options, options.windowTokens));
    if (!budget.ok) return wrong(budgetMessage(budget.problems));
  }
  return { ok: true, value: options };
}

/** The budget settings of a run once the window is known; tokens. */
export function budgetSettings(options: RunOptions, contextWindowTokens: number): BudgetSettings {
  const { safetyHeadroomTokens, toolResultHeadroomTokens, highWatermark, lowWatermark } =
    DEFAULT_SETTINGS.context;
  return {
    contextWindowTokens,
    maxReplyTokens: options.maxReplyTokens,
    safetyHeadroomTokens,
    toolResultHeadroomTokens,
    highWatermark,
    lowWatermark,
  };
}

function wrong(message: string): Read<never> {
  return { ok: false, message };
}
