import * as z from 'zod/mini';
import { isWatermark, watermarkForm } from '../contextWindow/budget';
import { POLICY_NAMES } from '../contextWindow/plan';
import { EFFORTS, SMALLEST_THINKING_BUDGET, THINKING_MODES } from '../contextWindow/reasoning';
import { parameterOf } from '../contextWindow/scratchpad';
import { APPROVALS } from './approvalsSetting';

/** What can be set for one model. */
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

/** A truncated result needs room for the mark that says so, and a shorter summary says nothing. */
const SMALLEST_TEXT = 100;

/** Longer instructions would crowd out what is to be summarised; characters. */
const LONGEST_INSTRUCTIONS = 4_000;

const yesOrNo = z.boolean('must be true or false');

const MODEL_SHAPE = {
  /** Null: what the model list says. */
  windowTokens: z.nullable(wholeTokens(1)),
  /** Null: what the model can write, within a share of the window, see `automaticBudget`. */
  maxReplyTokens: z.nullable(wholeTokens(1)),
  /** Null, here and for what else the budget needs: worked out from the window, see `automaticBudget`. */
  highWatermark: z.nullable(watermark(0.8)),
  lowWatermark: z.nullable(watermark(0.5)),
  /** Above it a summary is written ahead; 0: never; null: an eighth below the high watermark. */
  prepareWatermark: z.nullable(watermarkOrNone(0.7)),
  /** How many of the newest turns stay word for word as long as others can go. */
  keepRecentTurns: wholeNumber(0),
};

/** What is set under `plimsoll.context.`; sizes in tokens, watermarks as fractions of the input budget or in tokens. */
const CONTEXT = z.object({
  ...MODEL_SHAPE,
  safetyHeadroomTokens: z.nullable(wholeTokens(0)),
  toolResultHeadroomTokens: z.nullable(wholeTokens(0)),
  pinTaskAnchor: yesOrNo,
  toolResultCapTokens: wholeTokens(SMALLEST_TEXT),
  policy: oneOf(POLICY_NAMES),
  maxMessages: wholeNumber(2),
  keepTurns: wholeNumber(1),
  maxHistoryTurns: wholeNumber(0),
  excerpts: yesOrNo,
  excerptShare: share(0.8),
  /** Whether passes run by themselves, wait for the user's answer, or run only when asked for. */
  compaction: oneOf(['auto', 'ask', 'off']),
  summariser: oneOf(['model', 'workNote', 'off']),
  /** '' for the model at work. */
  summaryModel: z.string('must be empty or the API id of a model').check(z.trim()),
  /** What the user wants of every summary. */
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
  /** By a model's id, or the beginning of ids with a `*` behind it. */
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

/** More lists than this are not kept up; characters of a name, of a description. */
const MOST_LISTS = 10;
const LONGEST_NAME = 40;
const LONGEST_DESCRIPTION = 300;

const LISTS = `must be a list of at most ${MOST_LISTS} objects with "name" and "description"`;

/** What is set under `plimsoll.scratchpad.`. */
const SCRATCHPAD = z.object({
  /** Lists beside those that every scratchpad has. */
  fields: z
    .array(
      z.strictObject(
        {
          name: shortText(LONGEST_NAME),
          /** Tells the model what belongs in the list. */
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
        'must have names with a letter or digit from a to z and 0 to 9, no two alike, and none that every scratchpad has',
      ),
    ),
  /** Steps; 0 for never. */
  remindAfterSteps: wholeNumber(0),
});

const PLACE = 'must be empty, an absolute path, or a path in the home folder that begins with ~/';

/** What is set under `plimsoll.thinking.`. */
const THINKING = z.object({
  /** `auto`: nothing is said of it, and the model does as it does by itself. */
  mode: oneOf(['auto', ...THINKING_MODES]),
  /** Most tokens of thinking with `enabled`. */
  budgetTokens: wholeTokens(SMALLEST_THINKING_BUDGET),
});

/** What is set under `plimsoll.turn.`. */
const TURN = z.object({
  maxSteps: wholeNumber(0),
  /** Sent and written, cached ones included. */
  maxTokens: wholeNumber(0),
  /** US dollars at list price. */
  maxCost: z.number(DOLLARS).check(z.gte(0, DOLLARS)),
});

/** What is set under `plimsoll.checkpoints.`. */
const CHECKPOINTS = z.object({
  /** Most that contents of files take on disk for a workspace, megabytes; 0: none is kept. */
  maxMegabytes: wholeNumber(0),
});

/** What is set under `plimsoll.memory.`. */
const MEMORY = z.object({
  /** The user's standing instructions for all projects; '' for none. */
  profile: z.string(PLACE).check(z.trim(), z.regex(/^(?:|(?:~|[A-Za-z]:)?[\\/].*[^\\/])$/, PLACE)),
});

/** What is set under `plimsoll.sessions.`. */
const SESSIONS = z.object({
  /** Most sessions held in memory; 0 for no cap. */
  maxSessions: wholeNumber(0),
  /** How long an idle session stays in memory; ms, 0 for ever. */
  ttl: time('"30m", "24h" or "7d"'),
  /** How a session goes on that was idle for longer than that. */
  onReturn: oneOf(['ask', 'continue', 'summary', 'new']),
  /** What is done when a session is over: when the user closes it, or its time to live is. */
  onClose: oneOf(['nothing', 'summary', 'command']),
  /** The command for `command`; '' for none. */
  onCloseCommand: z.string('must be empty or a command').check(z.trim()),
});

/** What is set under `plimsoll.tools.`. */
const TOOLS = z.object({
  /** Tools of others that the agent may call, by the names that their providers gave them. */
  enabled: z.array(z.string(TOOL_NAMES), TOOL_NAMES),
  /** Tools of Plimsoll's own that it does without. */
  disabled: z.array(z.string(TOOL_NAMES), TOOL_NAMES),
});

/** The shape of all settings under `plimsoll.`; a dot in a full name opens a group. */
export const SETTINGS = z.object({
  provider: oneOf(['anthropic', 'offline']),
  model: z.string(MODEL_ID).check(z.trim(), z.minLength(1, MODEL_ID)),
  /** How much work a reply may take; `auto`: as the model does it. */
  effort: oneOf(['auto', ...EFFORTS]),
  /** How the model thinks before it answers. */
  thinking: THINKING,
  /** Address of a compatible server; '' for Anthropic. */
  baseUrl: z.string('must be an address').check(
    z.trim(),
    z.refine(isAddress, NO_ADDRESS),
    z.overwrite((address) => address.replace(/\/+$/, '')),
  ),
  /** Longest time without a byte of an answer; ms, 0 for no limit. */
  idleLimit: time('"90s" or "3m"'),
  /** Where a turn stops and asks; 0 for no limit. */
  turn: TURN,
  /** The user's standing answers, but for those of one session. */
  approvals: APPROVALS,
  context: CONTEXT,
  scratchpad: SCRATCHPAD,
  checkpoints: CHECKPOINTS,
  memory: MEMORY,
  sessions: SESSIONS,
  tools: TOOLS,
});

type Unchanging<T> = T extends readonly (infer E)[]
  ? readonly E[]
  : T extends object
    ? { readonly [K in keyof T]: Unchanging<T[K]> }
    : T;

/** What the settings under `plimsoll.` say; read in one place only. */
export type Settings = Unchanging<z.output<typeof SETTINGS>>;

/** What is set under `plimsoll.context.`. */
export type ContextSettings = Settings['context'];

/**
 * What is set for one model, or for all whose ids begin alike; it counts instead of the general
 * settings.
 */
export type ModelSettings = ContextSettings['models'][string];

/** What is set under `plimsoll.sessions.`. */
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

/** What counts where nothing is set; a test checks that package.json says the same. */
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
    toolResultCapTokens: 8_000,
    policy: 'ladder',
    maxMessages: 40,
    keepTurns: 20,
    maxHistoryTurns: 0,
    excerpts: true,
    excerptShare: 0.8,
    compaction: 'auto',
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
};

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

/** A text on one line, of at most so many characters. */
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

/** Says whether names make parameters of a tool, each a different one. */
function areParameters(names: readonly string[]): boolean {
  const parameters = names.map(parameterOf);
  return !parameters.includes(undefined) && new Set(parameters).size === names.length;
}

/** A whole number from a least one on. */
function wholeNumber(least: number) {
  return whole(`must be a whole number of at least ${least}`, least);
}

/** A whole number of tokens from a least one on. */
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

/** A part of a whole: above 0, at most 1. */
function share(example: number) {
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
