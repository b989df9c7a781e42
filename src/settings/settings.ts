import * as z from 'zod/mini';
import { POLICY_NAMES } from '../contextWindow/plan';
import { EFFORTS, SMALLEST_THINKING_BUDGET, THINKING_MODES } from '../contextWindow/reasoning';
import { APPROVALS } from './approvalRules';
import {
  areParameters,
  DOLLARS,
  MODEL_ID,
  NO_ADDRESS,
  isAddress,
  oneOf,
  share,
  shortText,
  time,
  watermark,
  watermarkOrNone,
  wholeNumber,
  wholeTokens,
} from './fieldShapes';
import { TOOL_NAMES, TOOLS } from './toolSettings';

/** What can be set for one model. */
export const MODEL_KEYS = [
  'windowTokens',
  'maxReplyTokens',
  'highWatermark',
  'lowWatermark',
  'prepareWatermark',
  'keepRecentTurns',
] as const;

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
