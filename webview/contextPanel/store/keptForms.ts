import {
  type Scratchpad,
  POLICY_NAMES,
  REPLAY_ONLY_NAMES,
} from '../../../src/editor/contextPanel/state';
import type { WhatIfSettings } from '../../../src/editor/contextPanel/whatIf/state';

/** A part of what VS Code kept; undefined where there is none. */
export function partOf(kept: unknown, key: string): unknown {
  return typeof kept === 'object' && kept !== null ? Reflect.get(kept, key) : undefined;
}

type Checks<T> = { readonly [K in keyof T]-?: (kept: unknown) => boolean };

const isText = (kept: unknown): boolean => typeof kept === 'string';
const isNumber = (kept: unknown): boolean => typeof kept === 'number';
const isNumberOrNull = (kept: unknown): boolean => kept === null || isNumber(kept);
const areTexts = (kept: unknown): boolean => Array.isArray(kept) && kept.every(isText);

const POLICIES: readonly unknown[] = [...POLICY_NAMES, ...REPLAY_ONLY_NAMES];

const WHAT_IF: Checks<WhatIfSettings> = {
  windowTokens: isNumberOrNull,
  highWatermark: isNumberOrNull,
  lowWatermark: isNumberOrNull,
  policy: (kept) => POLICIES.includes(kept),
  maxMessages: isNumber,
  keepTurns: isNumber,
  keepRecentTurns: isNumber,
  maxHistoryTurns: isNumber,
  fileViews: (kept) => typeof kept === 'boolean',
  fileViewShare: isNumber,
};

const areLists = (kept: unknown): boolean =>
  Array.isArray(kept) &&
  kept.every((list) => isText(partOf(list, 'name')) && areTexts(partOf(list, 'items')));

const areTodos = (kept: unknown): boolean =>
  Array.isArray(kept) &&
  kept.every((item) => isText(partOf(item, 'text')) && isText(partOf(item, 'state')));

const SCRATCHPAD: Checks<Scratchpad> = {
  objective: isText,
  keyFacts: areTexts,
  decisions: areTexts,
  currentStep: isText,
  blockers: areTexts,
  lists: (kept) => kept === undefined || areLists(kept),
  todo: (kept) => kept === undefined || areTodos(kept),
};

/** Says whether what was kept still has the form of scratch settings. */
export function isWhatIfSettings(kept: unknown): kept is WhatIfSettings {
  return fits(kept, WHAT_IF);
}

/** Says whether what was kept still has the form of a scratchpad. */
export function isScratchpad(kept: unknown): kept is Scratchpad {
  return fits(kept, SCRATCHPAD);
}

function fits<T>(kept: unknown, checks: Checks<T>): boolean {
  return Object.entries<(kept: unknown) => boolean>(checks).every(([key, isRight]) =>
    isRight(partOf(kept, key)),
  );
}
