import type { Block, StepBlock, ToolPair, ToolUse } from '../contextWindow/block';
import { pathOf } from '../contextWindow/callEffect';
import type { KnownRun } from '../contextWindow/files/knownFile';
import { byWish, type Region, regionsOf, regionTokens } from '../contextWindow/files/regions';
import { clearPairs } from '../contextWindow/passes/rungs/clearResults';
import {
  changeAll,
  type Draft,
  formOf,
  ifGained,
  isOut,
  type Rung,
  takeable,
  weightIn,
} from '../contextWindow/passes/rungs/draft';
import { evictOldest } from '../contextWindow/passes/rungs/evict';
import { climb } from '../contextWindow/passes/rungs/planOf';
import type { Policy } from '../contextWindow/passes/rungs/policyInput';
import {
  clearHeld,
  evictFormerExcerpts,
  showRegions,
} from '../contextWindow/passes/rungs/showExcerpts';
import { blocksInWindow } from '../contextWindow/window';
import type { Transcript } from '../sessions/transcript';
import { textsReplaced, visibleText } from './measures/grounding';

/** A visible path is worth this share of a text that is about to be replaced. */
const WORTH_OF_PATH = 0.001;

/**
 * Keeps what the rest of the recording will need, and evicts what it needs last or never (Belady).
 * No policy that never shows evicted text again can beat it. `now` is the index of the next
 * request's entry.
 */
export function clairvoyant(transcript: Transcript, now: () => number): Policy {
  const needs = needsOf(transcript);
  return (input) => climb(input, 'clairvoyant', [keepNeeded(needs, now), evictOldest]);
}

/** A text or path that a later reply uses, and where the recording last shows it before that. */
interface FutureNeed {
  readonly text: string;
  /** The file that contains the text; absent for a path. */
  readonly of?: string;
  readonly worth: number;
  /** Index of the entry that uses it. */
  readonly at: number;
  /** Index of the newest earlier entry that shows it; -1 for none. */
  readonly shownAt: number;
}

/** Everything that the replies of a recording use. */
function needsOf({ entries }: Transcript): readonly FutureNeed[] {
  const texts = entries.map(textOfEntry);
  return entries.flatMap((entry, at): FutureNeed[] => {
    if (entry.type !== 'reply') return [];
    const uses = entry.parts.flatMap((part) => (part.type === 'toolUse' ? [part.use] : []));
    const need = (text: string, worth: number, of?: string): FutureNeed => ({
      text,
      of,
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

/** Everything an entry shows, joined, as in a window that has it whole. */
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
 * A part of a block that can be removed separately: one result, or the rest of the block with all
 * its results.
 */
interface Unit {
  readonly block: Block;
  /** The call that has this result; absent for the rest of the block. */
  readonly pair?: ToolPair;
  readonly text: string;
}

/**
 * Returns whether the content that the window shows at an entry (by index) must be kept for a need.
 */
function isStillNeeded({ at, shownAt }: FutureNeed, from: number): boolean {
  // Content that the recording shows again before its use need not be kept for that use.
  return at >= from && shownAt < from && shownAt !== -1;
}

/**
 * Removes results and blocks, beginning with those worth least for their weight; of equals the
 * oldest.
 */
function keepNeeded(needs: readonly FutureNeed[], now: () => number): Rung {
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

/** Results are removed before the calls that asked for them. */
function rank({ pair }: Unit): number {
  return pair === undefined ? 1 : 0;
}

function letGo(draft: Draft, { block, pair }: Unit, worth: ReadonlyMap<string, number>): Draft {
  if (isOut(draft, block.id)) return draft;
  if (pair !== undefined && block.kind === 'step') {
    const cleared = clearPairs(draft, block, ({ use }) => use.id === pair.use.id, {
      rule: 'evictUnneeded',
    });
    return cleared === undefined ? draft : changeAll(draft, [cleared]);
  }
  // The rest of a block is removed only with all its results.
  const isNeeded = unitsOf(formOf(draft, block)).some(({ text }) => (worth.get(text) ?? 0) > 0);
  const isBare = unitsOf(formOf(draft, block)).length === 1;
  if (isNeeded && !isBare) return draft;
  const what = { action: 'evict', reason: { rule: 'evictUnneeded' } } as const;
  return changeAll(draft, [{ id: block.id, weight: 0, what }]);
}

/** The value of each text in the window for the rest of the recording. */
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

/** An early need is worth a little more, since another pass may run before a later one. */
function worthNow({ worth, at }: FutureNeed, from: number): number {
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

/**
 * Knows what the rest of the recording will need, shows excerpts of the lines it will edit, and
 * keeps the other needs. It beats `clairvoyant`, since it shows evicted text again. It is not an
 * upper bound, since it plans one pass at a time. `now` is the index of the next request's entry.
 */
export function clairvoyantExcerpts(transcript: Transcript, now: () => number): Policy {
  const needs = needsOf(transcript);
  return (input) => climb(input, 'clairvoyantExcerpts', [showNeeded(needs, now)]);
}

function showNeeded(all: readonly FutureNeed[], now: () => number): Rung {
  return (draft) => {
    if (draft.used <= draft.target) return draft;
    const needs = all.filter((need) => isStillNeeded(need, now()));
    const regions = regionsNeeded(draft, needs, now());
    const isHeld = ({ text, of }: FutureNeed) => of !== undefined && holders(draft, of, text) > 0;
    const others = needs.filter((need) => !isHeld(need));
    const without = evictFormerExcerpts(draft);
    const below = { ...without, target: without.target - reserveFor(without, regions) };
    const made = evictOldest(keepNeeded(others, now)(clearHeld(below)));
    return showRegions({ ...made, target: draft.target }, regions.toSorted(byWish), draft.target);
  };
}

/** Tokens of the regions, as far as there can be room for them. */
function reserveFor(draft: Draft, regions: readonly Region[]): number {
  const free = takeable(draft).reduce((sum, { id }) => sum + weightIn(draft, id), 0);
  const room = Math.max(0, draft.target - (draft.used - free));
  const { estimate } = draft.input;
  return Math.min(
    room,
    regions.reduce((sum, region) => sum + regionTokens(region, estimate), 0),
  );
}

/** The regions that contain future edits, worth more the sooner the edit is. */
function regionsNeeded(
  { input: { window } }: Draft,
  needs: readonly FutureNeed[],
  from: number,
): readonly Region[] {
  const paths = new Set(needs.flatMap(({ of }) => of ?? []));
  return [...paths].flatMap((path) => {
    const file = window.files.get(path);
    if (file === undefined) return [];
    const wanted = needs.filter(({ of }) => of === path);
    const placesOf = file.runs.map((run) =>
      wanted.flatMap((need) => {
        const place = placeIn(run, need.text);
        return place === undefined ? [] : [{ ...place, worth: worthNow(need, from) }];
      }),
    );
    return regionsOf(file, window.step, false, window.fileChoices).flatMap((region) => {
      const end = region.start + region.lines.length;
      const worths = (placesOf[region.run] ?? [])
        .filter(({ first, last }) => first < end && last >= region.start)
        .map(({ worth }) => worth);
      return worths.length === 0 ? [] : [{ ...region, score: Math.max(...worths) }];
    });
  });
}

function holders({ input: { window } }: Draft, path: string, text: string): number {
  const runs = window.files.get(path)?.runs ?? [];
  return runs.filter((run) => placeIn(run, text) !== undefined).length;
}

/** The lines of a run that contain a text, counted from 0. */
function placeIn(
  { lines }: KnownRun,
  text: string,
): { readonly first: number; readonly last: number } | undefined {
  const all = lines.map((line) => `${line.text}\n`).join('');
  const start = all.indexOf(text);
  if (start === -1) return undefined;
  const first = all.slice(0, start).split('\n').length - 1;
  return { first, last: first + text.trimEnd().split('\n').length - 1 };
}
