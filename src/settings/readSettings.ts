import * as z from 'zod/mini';
import { isObject } from '../contextWindow/json';
import {
  ADVANCED,
  DEFAULT_SETTINGS,
  SETTINGS,
  type ContextSettings,
  type Settings,
} from './settings';

/**
 * One problem of the settings. `setting` is its full name, which may lead into an object:
 * `plimsoll.advanced.keepTurns`; `message` begins with it.
 */
export interface SettingsProblem {
  readonly setting: string;
  readonly message: string;
}

type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] };

const {
  context,
  scratchpad,
  checkpoints,
  commands,
  lens,
  memory,
  secrets,
  sessions,
  telemetry,
  thinking,
  tools,
  turn,
} = SETTINGS.shape;
const GROUPS = {
  context,
  scratchpad,
  checkpoints,
  commands,
  lens,
  memory,
  secrets,
  sessions,
  telemetry,
  thinking,
  tools,
  turn,
};
const CONTEXT_ALONE = z.object({ context });

const ADVANCED_SETTING = 'plimsoll.advanced';

/** The full name of every value in `Settings`, with the keys of `plimsoll.advanced` one by one. */
const VALUE_NAMES: readonly string[] = Object.keys(SETTINGS.shape).flatMap((name) =>
  isGroup(name)
    ? Object.keys(GROUPS[name].shape).map((setting) => settingName([name, setting]))
    : [settingName([name])],
);

/** The full name of every setting, as package.json has it. */
export const SETTING_NAMES: readonly string[] = [...new Set(VALUE_NAMES.map(settingHolding))];

/**
 * Writes a setting's full name: `plimsoll.context.models["claude-x"].highWatermark`, or
 * `plimsoll.advanced.keepTurns`.
 */
export function settingName(keys: readonly string[]): string {
  const advanced = advancedKey(keys);
  const path = advanced === undefined ? keys : ['advanced', advanced, ...keys.slice(2)];
  return path.reduce(
    (name, key) => (/^\w*$/.test(key) ? `${name}.${key}` : `${name}[${JSON.stringify(key)}]`),
    'plimsoll',
  );
}

/** The key of `plimsoll.advanced` that holds a value, by the value's path in `Settings`. */
export function advancedKey([first, second]: readonly string[]): string | undefined {
  return Object.keys(ADVANCED).find((key) => {
    const [group, name] = ADVANCED[key] ?? [];
    return group === first && name === second;
  });
}

/** The setting of the editor that a full name belongs to: the name may lead into an object. */
export function settingHolding(name: string): string {
  if (name.startsWith(`${ADVANCED_SETTING}.`)) return ADVANCED_SETTING;
  return name.split('[', 1)[0] ?? name;
}

/**
 * Checks what the configuration holds under each full name; `budgetOf` says whether it fits
 * together.
 */
export function parseSettings(raw: Readonly<Record<string, unknown>>): SettingsResult {
  const nested = nest(flattened(raw));
  const parsed = SETTINGS.safeParse(nested);
  const problems = [
    ...advancedProblems(raw[ADVANCED_SETTING]),
    ...(parsed.success ? [] : problemsOf(parsed.error, nested)),
  ];
  return parsed.success && problems.length === 0
    ? { ok: true, settings: parsed.data }
    : { ok: false, problems };
}

/** Checks other context settings in place of the current ones, as if they were set. */
export function withContext(settings: Settings, context: ContextSettings): SettingsResult {
  const parsed = CONTEXT_ALONE.safeParse({ context });
  return parsed.success
    ? { ok: true, settings: { ...settings, ...parsed.data } }
    : { ok: false, problems: problemsOf(parsed.error, { context }) };
}

/** Settings that can be used, and the problems of those that were replaced. */
export interface UsableSettings {
  readonly settings: Settings;
  readonly problems: readonly SettingsProblem[];
}

/**
 * Reads what the configuration holds under each full name. Replaces each value that cannot be used
 * by the one in `good` and takes all others as they are set.
 */
export function withoutBad(
  raw: Readonly<Record<string, unknown>>,
  good: Settings = DEFAULT_SETTINGS,
): UsableSettings {
  const read = parseSettings(raw);
  if (read.ok) return { settings: read.settings, problems: [] };
  const bad = new Set(read.problems.map(({ setting }) => setting));
  const set = flattened(raw);
  const usable = new Map<string, unknown>();
  for (const name of VALUE_NAMES) {
    const isBad = bad.has(name) || bad.has(settingHolding(name));
    const parsed = isBad ? undefined : parseValue(name, set[name]);
    usable.set(name, parsed === undefined ? valueOf(good, name) : parsed.value);
  }
  return { settings: withValues(good, usable), problems: read.problems };
}

/** The value of a setting by its full name; undefined for an unknown name. */
export function valueOf(settings: Settings, name: string): unknown {
  return valueAt(settings, settingKeys(name));
}

/** Replaces checked values by full name. */
export function withValues(settings: Settings, values: ReadonlyMap<string, unknown>): Settings {
  const changed: Record<string, unknown> = { ...settings };
  for (const [name, value] of values) {
    const [first = '', second] = settingKeys(name);
    changed[first] =
      second === undefined ? value : { ...(changed[first] as object), [second]: value };
  }
  return changed as unknown as Settings;
}

/** Reads one value; undefined where it cannot be used. */
function parseValue(name: string, value: unknown): { readonly value: unknown } | undefined {
  const [first = '', second = ''] = settingKeys(name);
  const shapes: Readonly<Record<string, z.core.$ZodType>> = isGroup(first)
    ? GROUPS[first].shape
    : SETTINGS.shape;
  const shape = shapes[isGroup(first) ? second : first];
  const parsed = shape === undefined ? undefined : z.safeParse(shape, value);
  return parsed?.success === true ? { value: parsed.data } : undefined;
}

/** The path of a value in `Settings`, by its full name. */
function settingKeys(name: string): readonly string[] {
  const keys = name.split('.').slice(1);
  return (keys[0] === 'advanced' ? ADVANCED[keys[1] ?? ''] : undefined) ?? keys;
}

/** Lists the configured values by name; a missing key of `plimsoll.advanced` gets its default. */
function flattened(raw: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { [ADVANCED_SETTING]: advanced, ...rest } = raw;
  const set = isObject(advanced) ? advanced : {};
  const values = Object.keys(ADVANCED).map((key) => {
    const name = `${ADVANCED_SETTING}.${key}`;
    return [name, set[key] === undefined ? valueOf(DEFAULT_SETTINGS, name) : set[key]];
  });
  return { ...rest, ...Object.fromEntries(values) };
}

function nest(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const nested: Record<string, Record<string, unknown>> = Object.fromEntries(
    Object.keys(GROUPS).map((group) => [group, {}]),
  );
  const single: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const [first = '', second] = settingKeys(name);
    const group = nested[first];
    if (second === undefined) single[first] = value;
    else if (group !== undefined) group[second] = value;
  }
  return { ...single, ...nested };
}

function advancedProblems(advanced: unknown): readonly SettingsProblem[] {
  const isFine =
    advanced === undefined ||
    (isObject(advanced) && Object.keys(advanced).every((key) => Object.hasOwn(ADVANCED, key)));
  if (isFine) return [];
  const keys = Object.keys(ADVANCED).join(', ');
  const message = `${ADVANCED_SETTING} must be an object with no other keys than ${keys}, not ${shown(advanced)}.`;
  return [{ setting: ADVANCED_SETTING, message }];
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
    const value = shown(valueAt(nested, keys));
    return [{ setting, message: `${settingName(keys)} ${message}, not ${value}.` }];
  });
}

/** A message shows this much of a value; characters. */
const LONGEST_SHOWN = 200;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}…`;
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
