import type { WhatIfSettings } from '../../protocol/whatIf';

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
