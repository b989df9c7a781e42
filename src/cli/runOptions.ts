import { makeBudget, type BudgetSettings } from '../contextWindow/budget';
import { automaticBudget } from '../settings/windowBudget';
import { DEFAULT_SETTINGS } from '../settings/settings';
import {
  address,
  budgetMessage,
  choice,
  flag,
  optionsHelp,
  OTLP_HELP,
  withFallback,
  readOptions,
  required,
  text,
  whole,
  type Options,
  type Read,
} from './options';
import type { Mode } from '../contextWindow/mode';
import { refused } from '../contextWindow/result';

export interface RunOptions {
  readonly task: string;
  readonly cwd: string;
  readonly baseUrl?: string;
  readonly model: string;
  /** Absent: the size in the model list, else 200,000 tokens. */
  readonly windowTokens?: number;
  /** Absent: the model's maximum, within a share of the window. */
  readonly maxReplyTokens?: number;
  /** Longest time without a byte of an answer; seconds, 0 for no limit. */
  readonly idleLimit: number;
  /** Which changes the user is asked about; in plan mode there are none. */
  readonly mode: Mode;
  readonly yes: boolean;
  /** Whether commands run in a sandbox, and whether that has the network. */
  readonly sandbox: boolean;
  readonly network: boolean;
  /** Variables that commands get although they look like secrets. */
  readonly environment: readonly string[];
  /** False: what looks like a secret is neither masked in the window nor in the log. */
  readonly masking: boolean;
  /** False: the user's profile is neither read nor written. */
  readonly profile: boolean;
  readonly maxSteps?: number;
  readonly logFile?: string;
  readonly requestsFile?: string;
  /** Absent: no telemetry is sent. */
  readonly otlpEndpoint?: string;
  /** What happens when the run is over. */
  readonly onClose: (typeof ON_CLOSE)[number];
  /** The command for `command`. */
  readonly onCloseCommand?: string;
}

/** The modes by their names on the command line. */
const MODE_OPTIONS = { ask: 'ask', 'accept-edits': 'acceptEdits', plan: 'plan' } as const;
const MODE_WORDS = Object.keys(MODE_OPTIONS) as (keyof typeof MODE_OPTIONS)[];

const ON_CLOSE = ['nothing', 'summary', 'command'] as const;

export const RUN_OPTIONS = {
  task: required(text('TEXT', 'what to do')),
  cwd: {
    ...text('DIR', 'the folder to work in; outside it only your profile is read or changed'),
    fallback: 'here',
  },
  'base-url': {
    ...address('URL', 'a server that speaks the Messages API'),
    fallback: 'Anthropic',
  },
  model: withFallback(text('ID', 'the model'), DEFAULT_SETTINGS.model),
  window: {
    ...whole('N', 'context window in tokens'),
    fallback: 'what the server says about the model',
  },
  'max-reply': {
    ...whole('N', 'most tokens of one reply'),
    fallback: "the model's own, at most 1/8 of the window and 32000",
  },
  'idle-limit': withFallback(
    whole('N', 'abort a request after N seconds without a byte; 0 for never', 0),
    DEFAULT_SETTINGS.idleLimit / 1000,
  ),
  mode: withFallback(
    choice(
      'MODE',
      'ask about edits and commands; accept-edits: not about ordinary edits; plan: change nothing, and answer with a plan',
      MODE_WORDS,
    ),
    'ask',
  ),
  yes: flag('approve edits in DIR, and commands that name nothing outside it; see below'),
  sandbox: flag('run commands in a sandbox; see below'),
  network: flag('with --sandbox: let commands use the network'),
  'no-profile': flag(`ignore your profile for all projects, ${DEFAULT_SETTINGS.memory.profile}`),
  environment: text(
    'NAMES',
    'variables that look like secrets but that commands get, with commas between',
  ),
  'no-masking': flag('send and log what looks like a secret as it is'),
  'max-steps': whole('N', 'end after N steps'),
  log: text('FILE', "write the session's log there, one event a line"),
  'on-close': withFallback(
    choice(
      'WHAT',
      'when the run is over: nothing, summary (of the whole session, into the log), or command',
      ON_CLOSE,
    ),
    'nothing',
  ),
  'on-close-command': text('COMMAND', 'the shell command for --on-close command; it runs in DIR'),
  requests: text('FILE', 'write every request body sent to /v1/messages there, one a line'),
  'otlp-endpoint': address('URL', OTLP_HELP),
} satisfies Options;

/** What `--yes` does, in the help and on the page about the command line. */
export const YES_TEXT = `--yes approves edits in DIR, and commands whose words name nothing outside it. It denies commands
that lead outside, that may change files that outlast the session, that send data to other machines,
publish, or act on services or the whole machine, that fetch a program and run it, or that cannot be
followed: variables, substitution, loops, code for an interpreter. Downloads, the installation of
packages and git push to a named remote are approved. It judges what env, timeout, xargs, find -exec
and sh -c run as if it stood alone. The agent gets the reason.
This guards against accidents. It is not a sandbox: a program that runs can do whatever it likes.`;

/** What `--sandbox` does, in the same places. */
export const SANDBOX_TEXT = `With --sandbox, commands run under bubblewrap (Linux) or sandbox-exec (macOS). They write only to
DIR and to temporary files, and have no network unless you add --network. On Linux they see nothing
of the disk but DIR, programs and public settings, and without the network they reach no service; on
macOS they see everything but users' folders and volumes. Files that outlast the session, and what
decides which programs git runs, are read-only.
New ones cannot be made, or are moved out of DIR after the command, and reported.
Together with --yes, every command is approved that changes no such file by its words. Without a
sandbox that holds, the run is refused.`;

export const RUN_HELP = `Usage: plimsoll run --task TEXT [options]

Runs the Plimsoll agent on a folder without an editor. Progress goes to standard error, the final
answer to standard output. The API key is read from ANTHROPIC_API_KEY.

${optionsHelp(RUN_OPTIONS)}

--on-close is carried out on every exit once the session has begun, unless the process is killed. A
second Ctrl-C cuts it short. The command has PLIMSOLL_SESSION_TITLE, PLIMSOLL_SESSION_REASON (such
as finished, stopped or failed) and PLIMSOLL_SESSION_LOG in its environment, but not the API key.
After 60 seconds it is killed, with everything it started.

Without --yes, Plimsoll asks on the terminal before each edit and command. Without a terminal it
denies them.

${YES_TEXT}

${SANDBOX_TEXT}

Exit code: 0 finished, 1 failed, 2 bad usage, 3 step limit, 130 stopped.`;

export function readRunArguments(args: readonly string[], here: string): Read<RunOptions> {
  const read = readOptions(args, RUN_OPTIONS, (positionals) =>
    positionals.length === 0
      ? undefined
      : `Unexpected argument "${positionals.join(' ')}". Put the task in quotes after --task.`,
  );
  if (!read.ok) return read;
  const { values } = read.value;
  const baseUrl = values['base-url'];
  const maxSteps = values['max-steps'];
  const onCloseCommand = values['on-close-command'];
  const options: RunOptions = {
    task: values.task,
    cwd: values.cwd ?? here,
    model: values.model,
    idleLimit: values['idle-limit'],
    mode: MODE_OPTIONS[values.mode],
    yes: values.yes,
    sandbox: values.sandbox,
    network: values.network,
    profile: !values['no-profile'],
    environment: (values.environment ?? '').split(',').flatMap((name) => name.trim() || []),
    masking: !values['no-masking'],
    onClose: values['on-close'],
    baseUrl,
    maxReplyTokens: values['max-reply'],
    windowTokens: values.window,
    maxSteps,
    logFile: values.log,
    onCloseCommand,
    requestsFile: values.requests,
    otlpEndpoint: values['otlp-endpoint'],
  };
  if (options.windowTokens !== undefined) {
    const budget = makeBudget(budgetSettings(options, options.windowTokens));
    if (!budget.ok) return refused(budgetMessage(budget.problems));
  }
  return { ok: true, value: options };
}

/** Which options for the end of a run contradict each other; undefined if none do. */
export function whyNoClose({ onClose, onCloseCommand, logFile }: RunOptions): string | undefined {
  if (onClose === 'summary' && logFile === undefined) {
    return '--on-close summary writes to the log: name one with --log.';
  }
  const hasCommand = (onCloseCommand ?? '').trim() !== '';
  if (onClose === 'command' && !hasCommand) return '--on-close command needs --on-close-command.';
  if (onClose !== 'command' && onCloseCommand !== undefined) {
    return '--on-close-command needs --on-close command.';
  }
  return undefined;
}

/** The budget settings of a run once the window and the model's longest reply are known; tokens. */
export function budgetSettings(
  options: RunOptions,
  contextWindowTokens: number,
  mostReplyTokens?: number,
): BudgetSettings {
  const maxReplyTokens = options.maxReplyTokens ?? null;
  const set = { ...DEFAULT_SETTINGS.context, maxReplyTokens };
  return automaticBudget(set, contextWindowTokens, mostReplyTokens).settings;
}
