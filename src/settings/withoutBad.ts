import {
  parseSetting,
  parseSettings,
  SETTING_NAMES,
  settingKeys,
  type SettingsProblem,
} from './readSettings';
import { DEFAULT_SETTINGS, type Settings } from './settings';
import { budgetOf, type ModelSize, type ValidSettings } from './windowBudget';

/** Settings that can be used, and what is wrong with those that were left out. */
export interface UsableSettings {
  readonly settings: Settings;
  readonly problems: readonly SettingsProblem[];
}

/**
 * Reads what the configuration holds under each full name. In the place of a value that cannot be used
 * stands the last good one of that setting, from `good`; all others are as they are set.
 */
export function withoutBad(
  raw: Readonly<Record<string, unknown>>,
  good: Settings = DEFAULT_SETTINGS,
): UsableSettings {
  const read = parseSettings(raw);
  if (read.ok) return { settings: read.settings, problems: [] };
  const bad = new Set(read.problems.map(({ setting }) => setting));
  const usable = new Map<string, unknown>();
  for (const name of SETTING_NAMES) {
    const parsed = bad.has(name) ? undefined : parseSetting(name, raw[name]);
    usable.set(name, parsed === undefined ? valueOf(good, name) : parsed.value);
  }
  return { settings: withValues(good, usable), problems: read.problems };
}

/** Settings that fit together under a model of this size, and which were left out for that. */
export interface FittingSettings {
  readonly valid: ValidSettings;
  readonly problems: readonly SettingsProblem[];
}

/**
 * Makes settings fit together that do not: those in the way become what they were last, else the
 * default. Undefined where not even the defaults fit the model.
 */
export function fitting(
  settings: Settings,
  size: ModelSize,
  good: Settings,
): FittingSettings | undefined {
  const first = budgetOf(settings, size);
  if (first.ok) return { valid: first.valid, problems: [] };
  const { problems } = first;
  let tried = settings;
  for (const source of [good, DEFAULT_SETTINGS]) {
    const now = budgetOf(tried, size);
    const names = now.ok ? [] : now.problems.map(({ setting }) => rootOf(setting));
    tried = withValues(tried, new Map(names.map((name) => [name, valueOf(source, name)])));
    const mended = budgetOf(tried, size);
    if (mended.ok) return { valid: mended.valid, problems };
  }
  // What is named may be at odds with what is not.
  const last = budgetOf({ ...settings, context: DEFAULT_SETTINGS.context }, size);
  return last.ok ? { valid: last.valid, problems } : undefined;
}

/** The value of a setting by its full name. */
export function valueOf(settings: Settings, name: string): unknown {
  return settingKeys(name).reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined,
    settings,
  );
}

/** The setting that a name belongs to, which may lead into an entry for a model. */
function rootOf(name: string): string {
  return SETTING_NAMES.find((one) => name === one || name.startsWith(`${one}[`)) ?? name;
}

/** The settings with other values, each of which has been checked, by full name. */
function withValues(settings: Settings, values: ReadonlyMap<string, unknown>): Settings {
  const changed: Record<string, unknown> = { ...settings };
  for (const [name, value] of values) {
    const [first = '', second] = settingKeys(name);
    changed[first] =
      second === undefined ? value : { ...(changed[first] as object), [second]: value };
  }
  return changed as unknown as Settings;
}
