import type { Scratchpad } from '../contextWindow/scratchpad';

/** The notes with both sides' changes, and the fields both changed, each its own way. */
export interface MergedScratchpad {
  readonly scratchpad: Scratchpad;
  /** In words. */
  readonly contested: readonly string[];
}

const WORDS: Readonly<Record<keyof Scratchpad, string>> = {
  objective: 'the objective',
  keyFacts: 'the key facts',
  decisions: 'the decisions',
  currentStep: 'the current step',
  blockers: 'the blockers',
};

const FIELDS = Object.keys(WORDS) as (keyof Scratchpad)[];

/** Takes from `typed` what the user changed of `base`, and the rest as the agent has it `now`. */
export function mergedScratchpad(
  base: Scratchpad,
  typed: Scratchpad,
  now: Scratchpad,
): MergedScratchpad {
  const isSame = (one: Scratchpad, other: Scratchpad, field: keyof Scratchpad) =>
    JSON.stringify(one[field]) === JSON.stringify(other[field]);
  const changed = FIELDS.filter((field) => !isSame(typed, base, field));
  const contested = changed.filter(
    (field) => !isSame(now, base, field) && !isSame(now, typed, field),
  );
  const taken = Object.fromEntries(changed.map((field) => [field, typed[field]]));
  return {
    scratchpad: { ...now, ...taken },
    contested: contested.map((field) => WORDS[field]),
  };
}
