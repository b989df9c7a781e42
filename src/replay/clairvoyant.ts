import type { Block, StepBlock, ToolPair, ToolUse } from '../contextWindow/block';
import { blocksInWindow } from '../contextWindow/window';
import { pathOf } from '../contextWindow/callEffect';
import { climb } from '../contextWindow/passes/rungs/planOf';
import { clearPairs } from '../contextWindow/passes/rungs/clearResults';
import {
  ifGained,
  formOf,
  isOut,
  takeable,
  changeAll,
  type Draft,
  type Rung,
} from '../contextWindow/passes/rungs/draft';
import { evictOldest } from '../contextWindow/passes/rungs/evict';
import type { Policy } from '../contextWindow/passes/rungs/policyInput';
import type { Transcript } from '../sessions/transcript';
import { textsReplaced, visibleText } from './measures/grounding';

/** A path in sight is worth this share of a text that is about to be replaced. */
const WORTH_OF_PATH = 0.001;

/**
 * Keeps what the rest of the recording will need, and lets go what it needs last or never: Belady's
 * bound, which no policy can beat that never shows again what has left. `now` is the index of the entry
 * that the next request is for.
 */
export function clairvoyant(transcript: Transcript, now: () => number): Policy {
  const needs = needsOf(transcript);
  return (input) => climb(input, 'clairvoyant', [keepNeeded(needs, now), evictOldest]);
}

/** A text or path that a later reply uses, and where the recording last shows it before that. */
export interface FutureNeed {
  readonly text: string;
  /** The file whose text it is; absent for a path. */
  readonly of?: string;
  readonly worth: number;
  /** Index of the entry that uses it. */
  readonly at: number;
  /** Index of the newest entry before that shows it; -1 for none. */
  readonly shownAt: number;
}

/** Everything that the replies of a recording use. */
export function needsOf({ entries }: Transcript): readonly FutureNeed[] {
  const texts = entries.map(textOfEntry);
  return entries.flatMap((entry, at): FutureNeed[] => {
    if (entry.type !== 'reply') return [];
    const uses = entry.parts.flatMap((part) => (part.type === 'toolUse' ? [part.use] : []));
    const need = (text: string, worth: number, of?: string): FutureNeed => ({
      text,
      ...(of === undefined ? {} : { of }),
      worth,
      at,
      shownAt: texts.findLastIndex((shown, index) => index < at && shown.includes(text)),
    });
    return uses.flatMap((use) => [
      ...textsReplaced(use).map((text) => need(text, 1, pathOf(use))),
      ...pathsOf(use).map((path) => need(path, WORTH_OF_PATH)),
    ]);
  });
}

function pathsOf(use: ToolUse): readonly string[] {
  const path = pathOf(use);
  return path === undefined ? [] : [path];
}

/** Everything an entry shows, joined, as the window would have it whole. */
function textOfEntry(entry: Transcript['entries'][number]): string {
  switch (entry.type) {
    case 'prompt':
      return entry.text;
    case 'compacted':
      return '';
    case 'reply': {
      const step = {
        kind: 'step',
        state: 'whole',
        parts: entry.parts,
        thinkingDropped: true,
        pairs: entry.parts.flatMap((part) => {
          if (part.type !== 'toolUse') return [];
          const found = entry.results.find(({ toolUseId }) => toolUseId === part.use.id);
          if (found === undefined) return [];
          const result = { ...found, durationMs: 0, admission: { form: 'whole' as const } };
          return [{ use: part.use, result, cleared: false }];
        }),
      } as unknown as StepBlock;
      return visibleText(step);
    }
  }
}

/**
 * A part of a block that can go by itself: one result, or the rest of the block with all its
 * results.
 */
interface Unit {
  readonly block: Block;
  /** The call whose result it is; absent for the rest of the block. */
  readonly pair?: ToolPair;
  readonly text: string;
}

/** Says whether what the window shows at an entry (by index) must be kept for a need. */
export function isStillNeeded({ at, shownAt }: FutureNeed, from: number): boolean {
  // What the recording shows again before it is used need not be kept for that use.
  return at >= from && shownAt < from && shownAt !== -1;
}

/**
 * Lets go of results and blocks, beginning with those worth least for their weight; of equals the
 * oldest.
 */
export function keepNeeded(needs: readonly FutureNeed[], now: () => number): Rung {
  return (draft) => {
    if (draft.used <= draft.target) return draft;
    const units = takeable(draft).flatMap(unitsOf);
    const worth = worthOf(draft, needs, now());
    const density = (unit: Unit) =>
      (worth.get(unit.text) ?? 0) / Math.max(1, draft.input.estimate(unit.text));
    const order = units
      .map((unit) => ({ unit, density: density(unit) }))
      .toSorted((a, b) => a.density - b.density || rank(a.unit) - rank(b.unit));
    let next = draft;
    for (const { unit } of order) {
      if (next.used <= next.target) break;
      next = letGo(next, unit, worth);
    }
    return ifGained(draft, next);
  };
}

/** Results go before the calls that asked for them. */
function rank({ pair }: Unit): number {
  return pair === undefined ? 1 : 0;
}

function letGo(draft: Draft, { block, pair }: Unit, worth: ReadonlyMap<string, number>): Draft {
  if (isOut(draft, block.id)) return draft;
  if (pair !== undefined && block.kind === 'step') {
    const cleared = clearPairs(
      draft,
      block,
      ({ use }) => use.id === pair.use.id,
      'clearOldResults',
    );
    return cleared === undefined ? draft : changeAll(draft, [cleared]);
  }
  // The rest of a block goes only with all its results.
  const isNeeded = unitsOf(formOf(draft, block)).some(({ text }) => (worth.get(text) ?? 0) > 0);
  const isBare = unitsOf(formOf(draft, block)).length === 1;
  if (isNeeded && !isBare) return draft;
  const what = { action: 'evict', rule: 'evictUnneeded' } as const;
  return changeAll(draft, [{ id: block.id, weight: 0, what }]);
}

/** What each text of the window is worth for the rest of the recording. */
function worthOf(
  draft: Draft,
  needs: readonly FutureNeed[],
  from: number,
): ReadonlyMap<string, number> {
  const worth = new Map<string, number>();
  const units = blocksInWindow(draft.input.window).toReversed().flatMap(unitsOf);
  for (const need of needs) {
    if (!isStillNeeded(need, from)) continue;
    const holder = units.find(({ text }) => text.includes(need.text));
    if (holder === undefined) continue;
    const value = worthNow(need, from);
    worth.set(holder.text, (worth.get(holder.text) ?? 0) + value);
  }
  return worth;
}

/**
 * What is needed soon is worth a little more, since another pass may come before what is needed later.
 */
export function worthNow({ worth, at }: FutureNeed, from: number): number {
  return worth * (1 + 1 / (1 + at - from));
}

const UNITS = new WeakMap<Block, readonly Unit[]>();

function unitsOf(block: Block): readonly Unit[] {
  const known = UNITS.get(block);
  if (known !== undefined) return known;
  const units = block.kind === 'step' ? unitsOfStep(block) : [{ block, text: visibleText(block) }];
  UNITS.set(block, units);
  return units;
}

function unitsOfStep(step: StepBlock): readonly Unit[] {
  const bare = { ...step, pairs: step.pairs.map((pair) => ({ ...pair, cleared: true })) };
  const results = step.pairs.flatMap((pair): Unit[] => {
    if (pair.cleared || pair.result === undefined) return [];
    const alone = { ...step, parts: [], pairs: [pair] };
    return [{ block: step, pair, text: visibleText(alone) }];
  });
  return [...results, { block: step, text: visibleText(bare) }];
}
