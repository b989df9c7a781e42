import * as z from 'zod/mini';
import { SETTINGS, type ContextSettings, type Settings } from './settings';

/** One thing wrong with the settings; `message` begins with the setting's full name. */
export interface SettingsProblem {
  readonly setting: string;
  readonly message: string;
}

export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] };

const { context, scratchpad, checkpoints, memory, sessions, thinking, tools, turn } =
  SETTINGS.shape;
const GROUPS = { context, scratchpad, checkpoints, memory, sessions, thinking, tools, turn };
const CONTEXT_ALONE = z.object({ context });

/** The full name of every setting, as package.json has it. */
export const SETTING_NAMES: readonly string[] = Object.keys(SETTINGS.shape).flatMap((name) =>
  isGroup(name)
    ? Object.keys(GROUPS[name].shape).map((setting) => settingName([name, setting]))
    : [settingName([name])],
);

/** Writes a setting's full name: `plimsoll.context.models["claude-x"].highWatermark`. */
export function settingName(keys: readonly string[]): string {
  return keys.reduce(
    (name, key) => (/^\w*$/.test(key) ? `${name}.${key}` : `${name}[${JSON.stringify(key)}]`),
    'plimsoll',
  );
}

/**
 * Checks what the configuration holds under each full name; `budgetOf` says whether it fits
 * together.
 */
export function parseSettings(raw: Readonly<Record<string, unknown>>): SettingsResult {
  const nested = nest(raw);
  const parsed = SETTINGS.safeParse(nested);
  return parsed.success
    ? { ok: true, settings: parsed.data }
    : { ok: false, problems: problemsOf(parsed.error, nested) };
}

/** The keys that lead to a setting in `Settings`, by its full name. */
export function settingKeys(name: string): readonly string[] {
  return name.split('.').slice(1);
}

/** Reads one setting; undefined where its value cannot be used. */
export function parseSetting(
  name: string,
  value: unknown,
): { readonly value: unknown } | undefined {
  const [first = '', second = ''] = settingKeys(name);
  const shapes: Readonly<Record<string, z.core.$ZodType>> = isGroup(first)
    ? GROUPS[first].shape
    : SETTINGS.shape;
  const shape = shapes[isGroup(first) ? second : first];
  const parsed = shape === undefined ? undefined : z.safeParse(shape, value);
  return parsed?.success === true ? { value: parsed.data } : undefined;
}

/** Checks other context settings in place of those in force, as if they were set. */
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

/** A message shows this much of a value; characters. */
const LONGEST_SHOWN = 200;

function shortened(value: string): string {
  return value.length <= LONGEST_SHOWN ? value : `${value.slice(0, LONGEST_SHOWN)}…`;
}

function problemsOf(
  error: z.core.$ZodError,
  nested: Readonly<Record<string, unknown>>,
): readonly SettingsProblem[] {
  const seen = new Set<string>();
  return error.issues.flatMap(({ path, message }): SettingsProblem[] => {
    const keys = path.map(String);
    const setting = settingName(keys.slice(0, isGroup(keys[0] ?? '') ? 2 : 1));
    if (seen.has(setting)) return [];
    seen.add(setting);
    const value = shortened(JSON.stringify(valueAt(nested, keys)) ?? 'nothing');
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
