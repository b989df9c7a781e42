import type { WhatIfSettings } from './state';
import { holderOf, nameInForce } from '../../../settings/modelSettings';
import { advancedKey, settingHolding, settingName } from '../../../settings/readSettings';
import type { ValidSettings } from '../../../settings/windowBudget';
import { tryOut } from '../../whatIfSettings';

/** One setting that would be stored. */
export interface SettingChange {
  /** Its full name. */
  readonly name: string;
  readonly key: keyof WhatIfSettings;
  /**
   * The entry of `plimsoll.context.models` that holds it; absent where it counts for all models.
   */
  readonly entry?: string;
  readonly from: unknown;
  readonly to: unknown;
}

/**
 * The differences between two sets of scratch settings, each named where it counts for the model at
 * work.
 */
export function changesOf(
  { asSet: { context, model } }: Pick<ValidSettings, 'asSet'>,
  now: WhatIfSettings,
  wished: WhatIfSettings,
): readonly SettingChange[] {
  const keys = Object.keys(wished) as readonly (keyof WhatIfSettings)[];
  return keys
    .filter((key) => now[key] !== wished[key])
    .map((key) => {
      const holder = holderOf(context, model, key);
      return {
        name: nameInForce(context, model, key),
        key,
        ...(holder === undefined ? {} : { entry: holder.id }),
        from: now[key],
        to: wished[key],
      };
    });
}

/**
 * Orders changes so that the settings fit together after each one: they are read again every time,
 * and a low watermark above the high one would be reported as wrong, even if only in between.
 */
export function orderedChanges(
  inForce: ValidSettings,
  now: WhatIfSettings,
  changes: readonly SettingChange[],
): readonly SettingChange[] {
  const [first] = changes;
  if (first === undefined) return [];
  const next = changes.find((change) => tryOut(inForce, withChange(now, change)).ok) ?? first;
  const rest = changes.filter((change) => change !== next);
  return [next, ...orderedChanges(inForce, withChange(now, next), rest)];
}

function withChange(settings: WhatIfSettings, { key, to }: SettingChange): WhatIfSettings {
  return { ...settings, [key]: to };
}

/** Writes the value of a setting; null is what counts where nothing is set. */
export function valueWords(key: SettingChange['key'], value: unknown): string {
  if (value !== null) return String(value);
  return key === 'windowTokens' ? "the model's" : 'automatic';
}

/** What the user's and the workspace's settings hold under a name; undefined for nothing. */
interface SetValues {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
}

/** A value to write, and where. */
interface Storing {
  /** The setting as the editor knows it: everything set for single models is one setting. */
  readonly setting: string;
  readonly value: unknown;
  readonly where: 'user' | 'workspace';
}

/** The setting of the editor that holds a change. */
export function settingOf({ key, entry }: SettingChange): string {
  return settingHolding(settingName(['context', entry === undefined ? key : 'models']));
}

/**
 * Says what to write where, given what `settingOf` holds: where it is already set, the workspace
 * first, else for the workspace. In an object, only the one value changes.
 */
export function storingOf(
  change: SettingChange,
  set: SetValues | undefined,
  hasWorkspace: boolean,
): Storing {
  const { key, entry, to } = change;
  const setting = settingOf(change);
  const advanced = entry === undefined ? advancedKey(['context', key]) : undefined;
  const isSetIn = (value: unknown) => {
    if (entry !== undefined) return partOf(partOf(value, entry), key) !== undefined;
    return (advanced === undefined ? value : partOf(value, advanced)) !== undefined;
  };
  const isUsers = isSetIn(set?.globalValue) && !isSetIn(set?.workspaceValue);
  const where = isUsers || !hasWorkspace ? 'user' : 'workspace';
  const held = where === 'user' ? set?.globalValue : set?.workspaceValue;
  if (advanced !== undefined)
    return { setting, value: { ...asObject(held), [advanced]: to }, where };
  if (entry === undefined) return { setting, value: to, where };
  const before = partOf(held, entry);
  const value = { ...asObject(held), [entry]: { ...asObject(before), [key]: to } };
  return { setting, value, where };
}

function partOf(value: unknown, key: string): unknown {
  return asObject(value)[key];
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
