import { countText } from '../../../src/editor/coreForPages';
import type { NumberSetting, WhatIfField } from '../parts/numberField';
import {
  type Balance,
  isWatermark,
  POLICY_NAMES,
  watermarkTokens,
} from '../../../src/editor/contextPanel/state';
import { type SourceView } from '../../../src/editor/session/state';
import type { BudgetMarks, WhatIfSettings } from '../../../src/editor/contextPanel/whatIf/state';

type Watermark = 'highWatermark' | 'lowWatermark';
type PlainSetting = Exclude<NumberSetting, Watermark>;

/** A slider reaches at least a window of this size; tokens. */
const LARGE_WINDOW = 200_000;

/** The fields in their order; `balance` is the current one. */
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
      name: 'keepRecentTurns',
      label: 'Newest turns kept verbatim',
      unit: 'turns',
      min: 0,
      max: 20,
      step: 1,
      fine: 1,
    },
    {
      name: 'excerptShare',
      label: 'Room for file excerpts (% of the low watermark)',
      ...percent,
      max: 100,
    },
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
      label: 'Maximum messages',
      unit: 'messages',
      min: 2,
      max: 200,
      step: 1,
      fine: 1,
    },
    {
      name: 'maxHistoryTurns',
      label: 'Maximum turns (0 = no limit)',
      unit: 'turns',
      min: 0,
      max: 200,
      step: 1,
      fine: 1,
    },
  ];
}

/** The settings that apply under every policy. */
const ALWAYS: readonly NumberSetting[] = [
  'windowTokens',
  'highWatermark',
  'lowWatermark',
  'maxHistoryTurns',
];

/** The settings that apply under one policy only. */
const ALSO: Readonly<Record<WhatIfSettings['policy'], readonly NumberSetting[]>> = {
  ladder: ['keepRecentTurns', 'excerptShare'],
  summarise: ['keepRecentTurns'],
  lastTurns: ['keepTurns'],
  slidingWindow: ['maxMessages'],
  headTail: ['maxMessages'],
  tokenBudget: [],
  salience: [],
  server: [],
  recorded: [],
};

type CountingSettings = Pick<WhatIfSettings, 'policy' | 'maxHistoryTurns' | 'excerpts'>;

/** Says whether a setting has an effect under the policy that is tried. */
export function countsFor(
  name: NumberSetting,
  { policy, maxHistoryTurns, excerpts }: CountingSettings,
): boolean {
  if (name === 'excerptShare' && !excerpts) return false;
  if (ALWAYS.includes(name) || ALSO[policy].includes(name)) return true;
  // A limit on turns keeps the newest of them, whatever the policy.
  return name === 'keepRecentTurns' && maxHistoryTurns > 0;
}

/** The distance that one watermark keeps from the other. */
const PUSH = 0.9;

/**
 * The settings with one watermark moved. The low one stays below the high one: the moved one pushes
 * the other. `marks` are the positions of automatic ones.
 */
export function withMark(
  settings: WhatIfSettings,
  name: Watermark,
  mark: number | null,
  { inputBudget, highTokens, lowTokens }: BudgetMarks,
): WhatIfSettings {
  const moved = { ...settings, [name]: mark };
  if (mark === null || !isWatermark(mark)) return moved;
  const at = watermarkTokens(mark, inputBudget);
  const standing = (other: number | null, automatic: number): number =>
    other === null || !isWatermark(other) ? automatic : watermarkTokens(other, inputBudget);
  if (name === 'highWatermark') {
    if (at > standing(settings.lowWatermark, lowTokens)) return moved;
    return { ...moved, lowWatermark: rounded(mark * PUSH) };
  }
  if (at < standing(settings.highWatermark, highTokens)) return moved;
  const most = mark < 1 ? 0.99 : inputBudget - 1;
  return { ...moved, highWatermark: Math.min(most, rounded(mark / PUSH)) };
}

function rounded(mark: number): number {
  return mark < 1 ? Math.round(mark * 1_000) / 1_000 : Math.round(mark);
}

/** Says whether a setting is a watermark, which has its own kind of field. */
export function isWatermarkName(name: NumberSetting): name is Watermark {
  return name === 'highWatermark' || name === 'lowWatermark';
}

/** The position of a watermark, tokens. */
export function standingOf(name: Watermark, { highTokens, lowTokens }: BudgetMarks): number {
  return name === 'highWatermark' ? highTokens : lowTokens;
}

/** A fraction as percent, without rounding errors. */
function toPercent(share: number): number {
  return Math.round(share * 10_000) / 100;
}

/** A setting in the unit of its field; undefined for the window of the model. */
export function fieldValue(settings: WhatIfSettings, name: PlainSetting): number | undefined {
  const value = settings[name] ?? undefined;
  return name === 'excerptShare' ? toPercent(settings.excerptShare) : value;
}

/**
 * The settings with one field changed; only the window may be left empty, other fields then keep
 * their value.
 */
export function withField(
  settings: WhatIfSettings,
  name: PlainSetting,
  value: number | undefined,
): WhatIfSettings {
  if (value === undefined) {
    return name === 'windowTokens' ? { ...settings, windowTokens: null } : settings;
  }
  // The field is in percent; the setting's own message refuses a value out of bounds.
  if (name === 'excerptShare') return { ...settings, excerptShare: value / 100 };
  return { ...settings, [name]: Math.round(value) };
}

/** Writes a setting as its field shows it: "200,000 tokens", "20 turns", "the model's". */
export function settingWords(settings: WhatIfSettings, name: PlainSetting, unit: string): string {
  const value = fieldValue(settings, name);
  if (value === undefined) return "the model's";
  if (unit === '%') return `${value} %`;
  return countText(value, unit.slice(0, -1));
}

/** Names the settings that differ from the current ones. */
export function differences(
  settings: WhatIfSettings,
  inForce: WhatIfSettings,
): readonly (keyof WhatIfSettings)[] {
  const names: readonly (keyof WhatIfSettings)[] = [
    'windowTokens',
    'highWatermark',
    'lowWatermark',
    'policy',
    'keepRecentTurns',
    'keepTurns',
    'maxMessages',
    'maxHistoryTurns',
    'excerpts',
    'excerptShare',
  ];
  return names.filter((name) => settings[name] !== inForce[name]);
}

/** A policy that can be tried, as it is offered. */
export interface TriedPolicy {
  readonly name: WhatIfSettings['policy'];
  readonly label: string;
}

const RECORDED: TriedPolicy = {
  name: 'recorded',
  label: 'recorded: what the other agent did',
};

/**
 * Lists the policies that can be tried. A recording calls no API, but another agent's own
 * compactions are known.
 */
export function policiesFor(source: SourceView): readonly TriedPolicy[] {
  const own = POLICY_NAMES.map((name) => ({ name, label: name }));
  if (source.type === 'session') return own;
  return [
    // A session of Plimsoll's own may have used it, though no replay can.
    ...own.filter(({ name }) => name !== 'server' || source.asItWas === true),
    ...(source.format === 'plimsoll' || source.format === 'subAgent' ? [] : [RECORDED]),
  ];
}
