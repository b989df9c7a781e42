import type { WhatIfSettings } from '../../protocol/whatIf';
import type { ValidSettings } from '../windowBudget';
import { tryOut } from './whatIf';

/** One setting that would be stored. */
export interface SettingChange {
  readonly name: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** What differs between two sets of scratch settings, by the full names of the settings. */
export function changesOf(
  inForce: WhatIfSettings,
  wished: WhatIfSettings,
): readonly SettingChange[] {
  return Object.entries(wished)
    .map(([name, to]: [string, unknown]) => ({
      name: `plimsoll.context.${name}`,
      from: Reflect.get(inForce, name) as unknown,
      to,
    }))
    .filter(({ from, to }) => from !== to);
}

/**
 * Orders changes so that the settings fit together after each: they are read anew every time, and a
 * low watermark above the high one, if only in between, would be reported as wrong.
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

function withChange(settings: WhatIfSettings, { name, to }: SettingChange): WhatIfSettings {
  return { ...settings, [name.slice('plimsoll.context.'.length)]: to };
}
