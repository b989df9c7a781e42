import { z } from 'zod';

/** What the settings under `plimsoll.` say; read once, never from two places. */
export interface Settings {
  readonly provider: 'anthropic' | 'offline';
  readonly model: string;
  /** Address of a compatible server; '' for Anthropic. */
  readonly baseUrl: string;
  readonly context: ContextSettings;
}

/** Every number in tokens, watermarks as fractions of the input budget. */
export interface ContextSettings {
  /** Null: what the model list says. */
  readonly windowTokens: number | null;
  readonly maxReplyTokens: number;
  readonly safetyHeadroomTokens: number;
  readonly toolResultHeadroomTokens: number;
  readonly highWatermark: number;
  readonly lowWatermark: number;
  readonly pinTaskAnchor: boolean;
  readonly toolResultCapTokens: number;
  readonly compaction: 'model' | 'workNote' | 'off';
}

/** What holds where nothing is set; the same as in package.json, which a test compares. */
export const DEFAULT_SETTINGS: Settings = {
  provider: 'anthropic',
  model: 'claude-sonnet-5-5',
  baseUrl: '',
  context: {
    windowTokens: null,
    maxReplyTokens: 4_096,
    safetyHeadroomTokens: 2_048,
    toolResultHeadroomTokens: 8_192,
    highWatermark: 0.8,
    lowWatermark: 0.5,
    pinTaskAnchor: true,
    toolResultCapTokens: 8_000,
    compaction: 'model',
  },
};

/** One thing wrong with the settings; `message` begins with the setting's full name. */
export interface SettingsProblem {
  readonly setting: string;
  readonly message: string;
}

export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] };

/** A truncated result needs room for the mark that says so. */
const SMALLEST_CAP = 100;

const wholeTokens = (least: number) => {
  const message = `must be a whole number of tokens of at least ${least}`;
  return z.int(message).min(least, message);
};

const RAW = z.object({
  'plimsoll.provider': z.enum(['anthropic', 'offline'], 'must be "anthropic" or "offline"'),
  'plimsoll.model': z
    .string('must be the API id of a model')
    .trim()
    .min(1, 'must be the API id of a model'),
  'plimsoll.baseUrl': z
    .string('must be an address')
    .trim()
    .refine(isAddress, 'must be empty or an address that begins with https:// or http://'),
  'plimsoll.context.windowTokens': wholeTokens(1).nullable(),
  'plimsoll.context.maxReplyTokens': wholeTokens(1),
  'plimsoll.context.safetyHeadroomTokens': wholeTokens(0),
  'plimsoll.context.toolResultHeadroomTokens': wholeTokens(0),
  'plimsoll.context.highWatermark': z.number('must be a number between 0 and 1'),
  'plimsoll.context.lowWatermark': z.number('must be a number between 0 and 1'),
  'plimsoll.context.pinTaskAnchor': z.boolean('must be true or false'),
  'plimsoll.context.toolResultCapTokens': wholeTokens(SMALLEST_CAP),
  'plimsoll.context.compaction': z.enum(
    ['model', 'workNote', 'off'],
    'must be "model", "workNote" or "off"',
  ),
});

/** The full name of every setting, as package.json has it. */
export const SETTING_NAMES: readonly string[] = Object.keys(RAW.shape);

/** Checks what the configuration holds under each full name; what fits together is `budgetOf`'s. */
export function parseSettings(raw: Readonly<Record<string, unknown>>): SettingsResult {
  const parsed = RAW.safeParse(raw);
  if (!parsed.success) return { ok: false, problems: problemsOf(parsed.error, raw) };
  const { data } = parsed;
  return {
    ok: true,
    settings: {
      provider: data['plimsoll.provider'],
      model: data['plimsoll.model'],
      baseUrl: data['plimsoll.baseUrl'].replace(/\/+$/, ''),
      context: {
        windowTokens: data['plimsoll.context.windowTokens'],
        maxReplyTokens: data['plimsoll.context.maxReplyTokens'],
        safetyHeadroomTokens: data['plimsoll.context.safetyHeadroomTokens'],
        toolResultHeadroomTokens: data['plimsoll.context.toolResultHeadroomTokens'],
        highWatermark: data['plimsoll.context.highWatermark'],
        lowWatermark: data['plimsoll.context.lowWatermark'],
        pinTaskAnchor: data['plimsoll.context.pinTaskAnchor'],
        toolResultCapTokens: data['plimsoll.context.toolResultCapTokens'],
        compaction: data['plimsoll.context.compaction'],
      },
    },
  };
}

function problemsOf(
  error: z.ZodError,
  raw: Readonly<Record<string, unknown>>,
): readonly SettingsProblem[] {
  const seen = new Set<string>();
  return error.issues.flatMap(({ path, message }): SettingsProblem[] => {
    const setting = String(path[0]);
    if (seen.has(setting)) return [];
    seen.add(setting);
    const value = JSON.stringify(raw[setting]) ?? 'nothing';
    return [{ setting, message: `${setting} ${message}, not ${value}.` }];
  });
}

function isAddress(text: string): boolean {
  if (text === '') return true;
  return URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol);
}
