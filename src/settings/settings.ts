import * as z from 'zod/mini';
import { CACHE_LIFE_CHOICES } from '../contextWindow/account/promptCache';
import { isWatermark, watermarkForm } from '../contextWindow/budget';
import { POLICY_NAMES } from '../contextWindow/plan';
import { EFFORTS, SMALLEST_THINKING_BUDGET, THINKING_MODES } from '../contextWindow/reasoning';
import { parameterOf } from '../contextWindow/scratchpad';
import { APPROVALS } from './approvalsSetting';

/** The settings that one model can have of its own. */
export const MODEL_KEYS = [
  'windowTokens',
  'maxReplyTokens',
  'highWatermark',
  'lowWatermark',
  'prepareWatermark',
  'keepRecentTurns',
] as const;

const MODEL_ID = 'must be the API id of a model';
const DOLLARS = 'must be an amount in US dollars, 0 or more';

const NO_ADDRESS =
  'must be empty or an address that begins with https://, or with http:// for a server on this computer';

const TOOL_NAMES = 'must be a list of tool names';

const DEFAULT_SERVER = {
  clearToolUses: true,
  clearThinking: true,
  compact: false,
  keepToolUses: 3,
  keepThinkingTurns: 1,
  excludeTools: [],
};

/** A truncated result needs room for its mark, and a shorter summary says nothing. */
const SMALLEST_TEXT = 100;

/** Longer instructions would crowd out the text to summarise; characters. */
const LONGEST_INSTRUCTIONS = 4_000;

const yesOrNo = z.boolean('must be true or false');

const MODEL_SHAPE = {
  /** Null: the size in the model list. */
  windowTokens: z.nullable(wholeTokens(1)),
  /** Null: the model's maximum, within a share of the window, see `automaticBudget`. */
  maxReplyTokens: z.nullable(wholeTokens(1)),
  /** Null, here and for the rest of the budget: derived from the window, see `automaticBudget`. */
  highWatermark: z.nullable(watermark(0.8)),
  lowWatermark: z.nullable(watermark(0.5)),
  /**
   * Above it, the next summary is written ahead; 0: never; null: an eighth below the high
   * watermark.
   */
  prepareWatermark: z.nullable(watermarkOrNone(0.7)),
  /** How many of the newest turns stay verbatim as long as others can be removed. */
  keepRecentTurns: wholeNumber(0),
};

/**
 * The settings under `plimsoll.context.`: sizes in tokens, watermarks as fractions of the input
 * budget or in tokens.
 */
const CONTEXT = z.object({
  ...MODEL_SHAPE,
  safetyHeadroomTokens: z.nullable(wholeTokens(0)),
  toolResultHeadroomTokens: z.nullable(wholeTokens(0)),
  pinTaskAnchor: yesOrNo,
  standingRules: yesOrNo,
  toolResultCapTokens: wholeTokens(SMALLEST_TEXT),
  policy: oneOf(POLICY_NAMES),
  maxMessages: wholeNumber(2),
  keepTurns: wholeNumber(1),
  maxHistoryTurns: wholeNumber(0),
  excerpts: yesOrNo,
  excerptShare: share(0.8),
  /** Whether passes run automatically, wait for the user's review, or run only on request. */
  compaction: oneOf(['auto', 'ask', 'off']),
  cacheLife: oneOf(CACHE_LIFE_CHOICES),
  summariser: oneOf(['model', 'workNote', 'off']),
  /** '' for the agent's model. */
  summaryModel: z.string('must be empty or the API id of a model').check(z.trim()),
  summaryInstructions: z
    .string('must be text')
    .check(z.trim(), z.maxLength(LONGEST_INSTRUCTIONS, 'must have at most 4,000 characters')),
  /** Null: a share of the input budget. */
  summaryTokens: z.nullable(wholeTokens(SMALLEST_TEXT)),
  salience: oneOf(['computed', 'model']),
  server: z.strictObject(
    {
      clearToolUses: z._default(yesOrNo, DEFAULT_SERVER.clearToolUses),
      clearThinking: z._default(yesOrNo, DEFAULT_SERVER.clearThinking),
      compact: z._default(yesOrNo, DEFAULT_SERVER.compact),
      keepToolUses: z._default(wholeNumber(0), DEFAULT_SERVER.keepToolUses),
      keepThinkingTurns: z._default(wholeNumber(1), DEFAULT_SERVER.keepThinkingTurns),
      excludeTools: z._default(z.array(z.string(TOOL_NAMES), TOOL_NAMES), []),
    },
    `must be an object with no other keys than ${Object.keys(DEFAULT_SERVER).join(', ')}`,
  ),
  /** By a model's id, or the beginning of ids and a `*`. */
  models: z.record(
    z.string().check(z.regex(/^(?:[^*]+\*?|\*)$/)),
    z.strictObject(
      {
        windowTokens: z.exactOptional(MODEL_SHAPE.windowTokens),
        maxReplyTokens: z.exactOptional(MODEL_SHAPE.maxReplyTokens),
        highWatermark: z.exactOptional(MODEL_SHAPE.highWatermark),
        lowWatermark: z.exactOptional(MODEL_SHAPE.lowWatermark),
        prepareWatermark: z.exactOptional(MODEL_SHAPE.prepareWatermark),
        keepRecentTurns: z.exactOptional(MODEL_SHAPE.keepRecentTurns),
      },
      {
        error: (issue) =>
          `must be an object with no other keys than ${MODEL_KEYS.join(', ')}` +
          (issue.code === 'unrecognized_keys' ? `, so without ${issue.keys.join(', ')}` : ''),
      },
    ),
    {
      error: ({ code }) =>
        code === 'invalid_key'
          ? 'must be the API id of a model, a * only at its end'
          : 'must be an object with the API ids of models as keys',
    },
  ),
});

/** Longest list of extra lists; characters of a name, of a description. */
const MOST_LISTS = 10;
const LONGEST_NAME = 40;
const LONGEST_DESCRIPTION = 300;

const LISTS = `must be a list of at most ${MOST_LISTS} objects with "name" and "description"`;

const SCRATCHPAD = z.object({
  /** Lists in addition to the standard ones. */
  fields: z
    .array(
      z.strictObject(
        {
          name: shortText(LONGEST_NAME),
          description: shortText(LONGEST_DESCRIPTION),
        },
        LISTS,
      ),
      LISTS,
    )
    .check(
      z.maxLength(MOST_LISTS, LISTS),
      z.refine(
        (lists) => areParameters(lists.map(({ name }) => name)),
        'must have distinct names with a letter or digit from a to z and 0 to 9, and none of the standard names',
      ),
    ),
  /** Steps; 0 for never. */
  remindAfterSteps: wholeNumber(0),
});

const PLACE = 'must be empty, an absolute path, or a path in the home folder that begins with ~/';

const THINKING = z.object({
  /** `auto`: send no mode, so that the model uses its default. */
  mode: oneOf(['auto', ...THINKING_MODES]),
  /** Maximum tokens of thinking with `enabled`. */
  budgetTokens: wholeTokens(SMALLEST_THINKING_BUDGET),
});

const TURN = z.object({
  maxSteps: wholeNumber(0),
  /** Input and output, including cached tokens. */
  maxTokens: wholeNumber(0),
  /** US dollars at list price. */
  maxCost: z.number(DOLLARS).check(z.gte(0, DOLLARS)),
});

const CHECKPOINTS = z.object({
  /** Maximum disk space for saved files of a workspace, megabytes; 0 saves none. */
  maxMegabytes: wholeNumber(0),
});

const MEMORY = z.object({
  /** The file with the user's instructions for all projects; '' for none. */
  profile: z.string(PLACE).check(z.trim(), z.regex(/^(?:|(?:~|[A-Za-z]:)?[\\/].*[^\\/])$/, PLACE)),
});

const SESSIONS = z.object({
  /** Maximum sessions in memory; 0 for no limit. */
  maxSessions: wholeNumber(0),
  /** How long an idle session stays in memory; ms, 0 for ever. */
  ttl: time('"30m", "24h" or "7d"'),
  /** How a session continues after it was idle longer than that. */
  onReturn: oneOf(['ask', 'continue', 'summary', 'new']),
  /** What to do when a session ends: when the user closes it, or when its time to live is over. */
  onClose: oneOf(['nothing', 'summary', 'command']),
  /** The command for `command`; '' for none. */
  onCloseCommand: z.string('must be empty or a command').check(z.trim()),
});

/** Names of variables; an empty name or one with = cannot exist. */
const VARIABLE_NAMES = 'must be a list of names of environment variables';

const COMMANDS = z.object({
  /** Variables that commands get although their names look like secrets. */
  environment: z.array(
    z.string(VARIABLE_NAMES).check(z.regex(/^[^=\s]+$/, VARIABLE_NAMES)),
    VARIABLE_NAMES,
  ),
});

const SECRETS = z.object({
  /** Whether what looks like a secret is masked before it enters the window and the log. */
  mask: yesOrNo,
});

const TOOLS = z.object({
  /** Third-party tools that the agent may call, by their original names. */
  enabled: z.array(z.string(TOOL_NAMES), TOOL_NAMES),
  /** Plimsoll's own tools that are disabled. */
  disabled: z.array(z.string(TOOL_NAMES), TOOL_NAMES),
});

/** The agents whose sessions Plimsoll finds, by the keys of `plimsoll.lens.places`. */
export const LENS_AGENTS = [
  'claude-code',
  'codex',
  'copilot-cli',
  'vscode',
  'gemini-cli',
  'opencode',
  'kilo',
  'goose',
  'crush',
  'zed',
  'cline',
  'roo',
  'pi',
] as const;

const PLACES = `must be an object with folders, or lists of them, under ${LENS_AGENTS.join(', ')}`;
const place = z.union([z.string(), z.array(z.string())], PLACES);

/** The address of a server without the slash at its end, or ''. */
const SERVER = z.string('must be an address').check(
  z.trim(),
  z.refine(isAddress, NO_ADDRESS),
  z.overwrite((address) => address.replace(/\/+$/, '')),
);

const TELEMETRY = z.object({
  /** Address of an OTLP receiver; '' for none. */
  otlpEndpoint: SERVER,
});

const LENS = z.object({
  /** Folders in place of the agents' own; '' or an empty list for none. */
  places: z.strictObject(
    {
      'claude-code': z.exactOptional(place),
      codex: z.exactOptional(place),
      'copilot-cli': z.exactOptional(place),
      vscode: z.exactOptional(place),
      'gemini-cli': z.exactOptional(place),
      opencode: z.exactOptional(place),
      kilo: z.exactOptional(place),
      goose: z.exactOptional(place),
      crush: z.exactOptional(place),
      zed: z.exactOptional(place),
      cline: z.exactOptional(place),
      roo: z.exactOptional(place),
      pi: z.exactOptional(place),
    } satisfies Record<(typeof LENS_AGENTS)[number], unknown>,
    PLACES,
  ),
  /** Shows another agent's running session in the status bar. */
  statusBar: yesOrNo,
  /** Maximum disk space for the recorded requests of other agents, megabytes. */
  maxMegabytes: wholeNumber(1),
});

/** The shape of all settings under `plimsoll.`; a dot in a full name opens a group. */
export const SETTINGS = z.object({
  provider: oneOf(['anthropic', 'offline']),
  model: z.string(MODEL_ID).check(z.trim(), z.minLength(1, MODEL_ID)),
  /** How much work the model puts into a reply; `auto` uses the model's default. */
  effort: oneOf(['auto', ...EFFORTS]),
  thinking: THINKING,
  /** Address of a compatible server; '' for Anthropic. */
  baseUrl: SERVER,
  /** Longest time without a byte of a reply; ms, 0 for no limit. */
  idleLimit: time('"90s" or "3m"'),
  /** Where a turn stops and asks; 0 for no limit. */
  turn: TURN,
  /** The user's approval rules, except those of one session. */
  approvals: APPROVALS,
  context: CONTEXT,
  scratchpad: SCRATCHPAD,
  checkpoints: CHECKPOINTS,
  memory: MEMORY,
  sessions: SESSIONS,
  tools: TOOLS,
  commands: COMMANDS,
  secrets: SECRETS,
  lens: LENS,
  telemetry: TELEMETRY,
});

type Unchanging<T> = T extends readonly (infer E)[]
  ? readonly E[]
  : T extends object
    ? { readonly [K in keyof T]: Unchanging<T[K]> }
    : T;

export type Settings = Unchanging<z.output<typeof SETTINGS>>;

export type ContextSettings = Settings['context'];

/** Settings of one model, or of all whose ids begin alike; they replace the general ones. */
export type ModelSettings = ContextSettings['models'][string];

export type SessionSettings = Settings['sessions'];

/**
 * The keys of `plimsoll.advanced`, each with its path in `Settings`. The settings editor shows these
 * rarely used numbers as one setting; the code keeps each next to the settings it belongs to.
 */
export const ADVANCED: Readonly<Record<string, readonly [group: string, key: string]>> = {
  safetyHeadroomTokens: ['context', 'safetyHeadroomTokens'],
  toolResultHeadroomTokens: ['context', 'toolResultHeadroomTokens'],
  toolResultCapTokens: ['context', 'toolResultCapTokens'],
  prepareWatermark: ['context', 'prepareWatermark'],
  summaryTokens: ['context', 'summaryTokens'],
  excerptShare: ['context', 'excerptShare'],
  maxMessages: ['context', 'maxMessages'],
  keepTurns: ['context', 'keepTurns'],
  maxHistoryTurns: ['context', 'maxHistoryTurns'],
  thinkingBudgetTokens: ['thinking', 'budgetTokens'],
  remindAfterSteps: ['scratchpad', 'remindAfterSteps'],
};

/** The defaults; a test compares them with package.json. */
export const DEFAULT_SETTINGS: Settings = {
  provider: 'anthropic',
  model: 'claude-sonnet-5-5',
  effort: 'auto',
  thinking: { mode: 'auto', budgetTokens: 2_048 },
  baseUrl: '',
  idleLimit: 90_000,
  turn: { maxSteps: 0, maxTokens: 0, maxCost: 0 },
  approvals: [],
  context: {
    windowTokens: null,
    maxReplyTokens: null,
    safetyHeadroomTokens: null,
    toolResultHeadroomTokens: null,
    highWatermark: null,
    lowWatermark: null,
    prepareWatermark: null,
    keepRecentTurns: 2,
    pinTaskAnchor: true,
    standingRules: true,
    toolResultCapTokens: 8_000,
    policy: 'ladder',
    maxMessages: 40,
    keepTurns: 20,
    maxHistoryTurns: 0,
    excerpts: true,
    excerptShare: 0.75,
    compaction: 'auto',
    cacheLife: 'auto',
    summariser: 'model',
    summaryModel: '',
    summaryInstructions: '',
    summaryTokens: null,
    salience: 'computed',
    server: DEFAULT_SERVER,
    models: {},
  },
  scratchpad: { fields: [], remindAfterSteps: 12 },
  checkpoints: { maxMegabytes: 200 },
  memory: { profile: '~/.plimsoll/memory.md' },
  sessions: {
    maxSessions: 10_000,
    ttl: 24 * 3_600_000,
    onReturn: 'ask',
    onClose: 'nothing',
    onCloseCommand: '',
  },
  tools: { enabled: [], disabled: [] },
  commands: { environment: [] },
  secrets: { mask: true },
  lens: { places: {}, statusBar: true, maxMegabytes: 500 },
  telemetry: { otlpEndpoint: '' },
};

/** Units of time in ms. */
const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads a time such as "90s", "30m", "24h", "7d" or "0", in ms; undefined for anything else. */
export function durationMs(text: string): number | undefined {
  if (text.trim() === '0') return 0;
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?) ?([smhd])$/.exec(text.trim()) ?? [];
  const unitMs = UNITS[unit];
  return amount === undefined || unitMs === undefined ? undefined : Number(amount) * unitMs;
}

/** A time that `durationMs` can read; ms, 0 for no limit. */
function time(example: string) {
  const message = `must be a time such as ${example}, or "0" for no limit`;
  return z.pipe(
    z.string(message).check(z.refine((text) => durationMs(text) !== undefined, message)),
    z.transform((text) => durationMs(text) ?? 0),
  );
}

function oneOf<const T extends readonly [string, ...string[]]>(words: T) {
  const quoted = words.map((word) => `"${word}"`);
  return z.enum(words, `must be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`);
}

/** Text on one line, up to this many characters. */
function shortText(longest: number) {
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

/** Says whether the names make distinct tool parameters. */
function areParameters(names: readonly string[]): boolean {
  const parameters = names.map(parameterOf);
  return !parameters.includes(undefined) && new Set(parameters).size === names.length;
}

function wholeNumber(least: number) {
  return whole(`must be a whole number of at least ${least}`, least);
}

function wholeTokens(least: number) {
  return whole(`must be a whole number of tokens of at least ${least}`, least);
}

function whole(message: string, least: number) {
  return z.int(message).check(z.minimum(least, message));
}

/** A fraction of the input budget, or a number of tokens. */
function watermark(example: number) {
  const message = `must be ${watermarkForm(example)}`;
  return z.number(message).check(z.refine(isWatermark, message));
}

/** A watermark, or 0 for never. */
function watermarkOrNone(example: number) {
  const message = `must be null, 0 (never), ${watermarkForm(example)}`;
  return z.number(message).check(z.refine((mark) => mark === 0 || isWatermark(mark), message));
}

/** A fraction above 0 and at most 1. */
function share(example: number) {
  const message = `must be a fraction above 0 and at most 1, such as ${example}`;
  return z.number(message).check(z.gt(0, message), z.lte(1, message));
}

/** Says whether a text is a server address, or empty. */
export function isAddress(text: string): boolean {
  if (text === '') return true;
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** Says whether the host of a URL is this computer, so that no one can listen in between. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}
