import type { Balance } from '../../../src/protocol/contextPanel';
import type { WhatIfSettings } from '../../../src/protocol/whatIf';
import { formatNumber } from '../../ui/tokens';
import { formatCount } from '../parts/formatCount';

type NumberSetting = Exclude<keyof WhatIfSettings, 'policy'>;

/** A setting that is a number, in the unit the user types it in. */
export interface WhatIfField {
  readonly name: NumberSetting;
  readonly label: string;
  readonly unit: string;
  /** Where the slider begins and ends; a number may be typed beyond its end. */
  readonly min: number;
  readonly max: number;
  /** How far the slider goes at a time. */
  readonly step: number;
  /** How fine a number may be typed. */
  readonly fine: number | 'any';
}

/** A window that a slider should reach at the least; tokens. */
const LARGE_WINDOW = 200_000;

/** The fields in the order they are drawn; `balance` is what is in force. */
export function whatIfFields({ contextWindowTokens }: Balance): readonly WhatIfField[] {
  const percent = { unit: '%', min: 1, max: 99, step: 1, fine: 'any' } as const;
  return [
    {
      name: 'windowTokens',
      label: 'Context window',
      unit: 'tokens',
      min: 1_000,
      max: Math.max(LARGE_WINDOW, 2 * contextWindowTokens),
      step: 1_000,
      fine: 1,
    },
    { name: 'highWatermark', label: 'High watermark', ...percent },
    { name: 'lowWatermark', label: 'Low watermark', ...percent },
    {
      name: 'keepTurns',
      label: 'Turns to keep',
      unit: 'turns',
      min: 1,
      max: 100,
      step: 1,
      fine: 1,
    },
    {
      name: 'maxMessages',
      label: 'Most messages',
      unit: 'messages',
      min: 2,
      max: 200,
      step: 1,
      fine: 1,
    },
    {
      name: 'maxHistoryTurns',
      label: 'Most turns, 0 for no limit',
      unit: 'turns',
      min: 0,
      max: 200,
      step: 1,
      fine: 1,
    },
  ];
}

/** A setting in the unit of its field; undefined for the window of the model. */
export function fieldValue(settings: WhatIfSettings, name: NumberSetting): number | undefined {
  switch (name) {
    case 'highWatermark':
    case 'lowWatermark':
      // As percent without the dust of binary fractions.
      return Math.round(settings[name] * 100_000) / 1_000;
    case 'windowTokens':
      return settings.windowTokens ?? undefined;
    case 'maxMessages':
    case 'keepTurns':
    case 'maxHistoryTurns':
      return settings[name];
  }
}

/** The settings with one field changed; only a window may be left empty, others stay as they are then. */
export function withField(
  settings: WhatIfSettings,
  name: NumberSetting,
  value: number | undefined,
): WhatIfSettings {
  if (value === undefined) {
    return name === 'windowTokens' ? { ...settings, windowTokens: null } : settings;
  }
  switch (name) {
    case 'highWatermark':
    case 'lowWatermark':
      return { ...settings, [name]: Math.round(value * 1_000) / 100_000 };
    case 'windowTokens':
    case 'maxMessages':
    case 'keepTurns':
    case 'maxHistoryTurns':
      return { ...settings, [name]: Math.round(value) };
  }
}

/** Writes a setting as it is said beside its field: "80 %", "200,000 tokens", "the model's". */
export function settingWords(settings: WhatIfSettings, { name, unit }: WhatIfField): string {
  const value = fieldValue(settings, name);
  if (value === undefined) return "the model's";
  if (unit === '%') return `${value}\u00a0%`;
  return formatCount(value, unit.slice(0, -1));
}

/** What a watermark is in tokens of this budget; '' for other fields. */
export function tokensWords(
  settings: WhatIfSettings,
  { name }: WhatIfField,
  inputBudget: number | undefined,
): string {
  if (inputBudget === undefined || (name !== 'highWatermark' && name !== 'lowWatermark')) return '';
  return `${formatNumber(Math.floor(inputBudget * settings[name]))} tokens`;
}

/** Names the settings that differ from those in force. */
export function differences(
  settings: WhatIfSettings,
  inForce: WhatIfSettings,
): readonly (keyof WhatIfSettings)[] {
  const names: readonly (keyof WhatIfSettings)[] = [
    'windowTokens',
    'highWatermark',
    'lowWatermark',
    'policy',
    'keepTurns',
    'maxMessages',
    'maxHistoryTurns',
  ];
  return names.filter((name) => settings[name] !== inForce[name]);
}
