import { z } from 'zod';
import { POLICY_NAMES } from '../contextWindow/plan';
import type { ContextEditingSettings } from '../contextWindow/passes/policies/server';
import { oneOf, watermark, watermarkOrNone, wholeNumber, wholeTokens } from './settingShapes';

/** What can be set for a model apart. */
export const MODEL_KEYS = [
  'windowTokens',
  'maxReplyTokens',
  'highWatermark',
  'lowWatermark',
  'prepareWatermark',
] as const;

/** What is set for one model, or for all whose ids begin alike; it counts in place of the general settings. */
export type ModelSettings = Partial<Pick<ContextSettings, (typeof MODEL_KEYS)[number]>>;

/** What is set under `plimsoll.context.`; sizes in tokens, watermarks as fractions of the input budget or in tokens. */
export interface ContextSettings {
  /** Null: what the model list says. */
  readonly windowTokens: number | null;
  readonly maxReplyTokens: number;
  readonly safetyHeadroomTokens: number;
  readonly toolResultHeadroomTokens: number;
  readonly highWatermark: number;
  readonly lowWatermark: number;
  /** Above it a summary is written ahead; 0: never; null: an eighth below the high watermark. */
  readonly prepareWatermark: number | null;
  readonly pinTaskAnchor: boolean;
  readonly toolResultCapTokens: number;
  readonly policy: (typeof POLICY_NAMES)[number];
  readonly maxMessages: number;
  readonly keepTurns: number;
  /** 0 for no cap. */
  readonly maxHistoryTurns: number;
  /** Whether passes run by themselves, wait for the user's word, or run only when asked for. */
  readonly compaction: 'auto' | 'ask' | 'off';
  readonly summariser: 'model' | 'workNote' | 'off';
  /** '' for the model at work. */
  readonly summaryModel: string;
  /** Null: a share of the input budget. */
  readonly summaryTokens: number | null;
  readonly salience: 'computed' | 'model';
  readonly server: ContextEditingSettings;
  /** By a model's id, or the beginning of ids with a `*` behind it. */
  readonly models: Readonly<Record<string, ModelSettings>>;
}

const DEFAULT_SERVER: ContextEditingSettings = {
  clearToolUses: true,
  clearThinking: true,
  compact: false,
  keepToolUses: 3,
  keepThinkingTurns: 1,
  excludeTools: [],
};

/** What holds of the context where nothing is set. */
export const DEFAULT_CONTEXT: ContextSettings = {
  windowTokens: null,
  maxReplyTokens: 4_096,
  safetyHeadroomTokens: 2_048,
  toolResultHeadroomTokens: 8_192,
  highWatermark: 0.8,
  lowWatermark: 0.5,
  prepareWatermark: null,
  pinTaskAnchor: true,
  toolResultCapTokens: 8_000,
  policy: 'ladder',
  maxMessages: 40,
  keepTurns: 20,
  maxHistoryTurns: 50,
  compaction: 'auto',
  summariser: 'model',
  summaryModel: '',
  summaryTokens: null,
  salience: 'computed',
  server: DEFAULT_SERVER,
  models: {},
};

/** A truncated result needs room for the mark that says so; a shorter summary says nothing. */
const SMALLEST_TEXT = 100;

const yesOrNo = z.boolean('must be true or false');
const TOOL_NAMES = 'must be a list of tool names';

/** What can be set for a model, in the shapes it has for all. */
const MODEL_SHAPE = {
  windowTokens: wholeTokens(1).nullable(),
  maxReplyTokens: wholeTokens(1),
  highWatermark: watermark(0.8),
  lowWatermark: watermark(0.5),
  prepareWatermark: watermarkOrNone(0.7),
};

/** The shape of each context setting, by its name after `plimsoll.context.`. */
export const CONTEXT_SHAPE = {
  ...MODEL_SHAPE,
  safetyHeadroomTokens: wholeTokens(0),
  toolResultHeadroomTokens: wholeTokens(0),
  pinTaskAnchor: yesOrNo,
  toolResultCapTokens: wholeTokens(SMALLEST_TEXT),
  policy: oneOf(POLICY_NAMES),
  maxMessages: wholeNumber(2),
  keepTurns: wholeNumber(1),
  maxHistoryTurns: wholeNumber(0),
  compaction: oneOf(['auto', 'ask', 'off']),
  summariser: oneOf(['model', 'workNote', 'off']),
  summaryModel: z.string('must be empty or the API id of a model').trim(),
  summaryTokens: wholeTokens(SMALLEST_TEXT).nullable(),
  salience: oneOf(['computed', 'model']),
  server: z.strictObject(
    {
      clearToolUses: yesOrNo.default(DEFAULT_SERVER.clearToolUses),
      clearThinking: yesOrNo.default(DEFAULT_SERVER.clearThinking),
      compact: yesOrNo.default(DEFAULT_SERVER.compact),
      keepToolUses: wholeNumber(0).default(DEFAULT_SERVER.keepToolUses),
      keepThinkingTurns: wholeNumber(1).default(DEFAULT_SERVER.keepThinkingTurns),
      excludeTools: z.array(z.string(TOOL_NAMES), TOOL_NAMES).default([]),
    },
    `must be an object with no other keys than ${Object.keys(DEFAULT_SERVER).join(', ')}`,
  ),
  models: z.record(
    z.string().regex(/^(?:[^*]+\*?|\*)$/),
    z.strictObject(
      {
        windowTokens: MODEL_SHAPE.windowTokens.exactOptional(),
        maxReplyTokens: MODEL_SHAPE.maxReplyTokens.exactOptional(),
        highWatermark: MODEL_SHAPE.highWatermark.exactOptional(),
        lowWatermark: MODEL_SHAPE.lowWatermark.exactOptional(),
        prepareWatermark: MODEL_SHAPE.prepareWatermark.exactOptional(),
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
} satisfies { readonly [K in keyof ContextSettings]: z.ZodType<ContextSettings[K]> };
