import { z } from 'zod';
import { CONTEXT_SHAPE, DEFAULT_CONTEXT, type ContextSettings } from './contextSettings';
import { DEFAULT_SESSIONS, SESSION_SHAPE, type SessionSettings } from './sessionSettings';
import { oneOf } from './settingShapes';

/** What the settings under `plimsoll.` say; read once, never from two places. */
export interface Settings {
  readonly provider: 'anthropic' | 'offline';
  readonly model: string;
  /** Address of a compatible server; '' for Anthropic. */
  readonly baseUrl: string;
  readonly context: ContextSettings;
  readonly sessions: SessionSettings;
}

/** What holds where nothing is set; the same as in package.json, which a test compares. */
export const DEFAULT_SETTINGS: Settings = {
  provider: 'anthropic',
  model: 'claude-sonnet-5-5',
  baseUrl: '',
  context: DEFAULT_CONTEXT,
  sessions: DEFAULT_SESSIONS,
};

/** One thing wrong with the settings; `message` begins with the setting's full name. */
export interface SettingsProblem {
  readonly setting: string;
  readonly message: string;
}

export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] };

const MODEL_ID = 'must be the API id of a model';

/** The settings as they nest: a dot in a full name opens a group. */
const GROUPS = { context: z.object(CONTEXT_SHAPE), sessions: z.object(SESSION_SHAPE) };

const SETTINGS = z.object({
  provider: oneOf(['anthropic', 'offline']),
  model: z.string(MODEL_ID).trim().min(1, MODEL_ID),
  baseUrl: z
    .string('must be an address')
    .trim()
    .refine(isAddress, 'must be empty or an address that begins with https:// or http://')
    .transform((address) => address.replace(/\/+$/, '')),
  ...GROUPS,
}) satisfies z.ZodType<Settings>;

const CONTEXT_ALONE = z.object({ context: GROUPS.context });

/** The full name of every setting, as package.json has it. */
export const SETTING_NAMES: readonly string[] = Object.keys(SETTINGS.shape).flatMap((name) =>
  isGroup(name)
    ? Object.keys(GROUPS[name].shape).map((setting) => settingName([name, setting]))
    : [settingName([name])],
);

/** Checks what the configuration holds under each full name; what fits together is `budgetOf`'s. */
export function parseSettings(raw: Readonly<Record<string, unknown>>): SettingsResult {
  const nested = nest(raw);
  const parsed = SETTINGS.safeParse(nested);
  return parsed.success
    ? { ok: true, settings: parsed.data }
    : { ok: false, problems: problemsOf(parsed.error, nested) };
}

/** Checks other context settings in the place of those in force, as if they were set. */
export function withContext(settings: Settings, context: ContextSettings): SettingsResult {
  const parsed = CONTEXT_ALONE.safeParse({ context });
  return parsed.success
    ? { ok: true, settings: { ...settings, ...parsed.data } }
    : { ok: false, problems: problemsOf(parsed.error, { context }) };
}

function nest(raw: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const groups = Object.keys(GROUPS).map((group) => {
    const start = settingName([group, '']);
    const inside = Object.entries(raw).filter(([name]) => name.startsWith(start));
    return [
      group,
      Object.fromEntries(inside.map(([name, value]) => [name.slice(start.length), value])),
    ];
  });
  const single = Object.entries(raw).map(([name, value]) => [
    name.slice(settingName(['']).length),
    value,
  ]);
  return Object.fromEntries([...single, ...groups]) as Readonly<Record<string, unknown>>;
}

function problemsOf(
  error: z.ZodError,
  nested: Readonly<Record<string, unknown>>,
): readonly SettingsProblem[] {
  const seen = new Set<string>();
  return error.issues.flatMap(({ path, message }): SettingsProblem[] => {
    const keys = path.map(String);
    const setting = settingName(keys.slice(0, isGroup(keys[0] ?? '') ? 2 : 1));
    if (seen.has(setting)) return [];
    seen.add(setting);
    const value = JSON.stringify(valueAt(nested, keys)) ?? 'nothing';
    return [{ setting, message: `${settingName(keys)} ${message}, not ${value}.` }];
  });
}

function isGroup(name: string): name is keyof typeof GROUPS {
  return name in GROUPS;
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined,
    value,
  );
}

function isAddress(text: string): boolean {
  if (text === '') return true;
  return URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol);
}

/** Writes a setting's full name: `plimsoll.context.models["claude-x"].highWatermark`. */
export function settingName(keys: readonly string[]): string {
  return keys.reduce(
    (name, key) => (/^\w*$/.test(key) ? `${name}.${key}` : `${name}[${JSON.stringify(key)}]`),
    'plimsoll',
  );
}
