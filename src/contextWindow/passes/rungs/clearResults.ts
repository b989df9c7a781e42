import type { StepBlock, ToolPair, ToolUseId } from '../../block';
import { blocksInWindow } from '../../window';
import { clearedPair } from '../../blockChanges';
import { needOf, lastUsesOf, type LastUses } from './need';
import { clearedResultText, resultText } from '../../request/placeholder';
import {
  ifGained,
  draftDecisionOf,
  formOf,
  takeableSteps,
  changeAll,
  weightAs,
  weightIn,
  type Draft,
  type Rung,
  type BlockChange,
  type DraftDecision,
  type DraftReason,
} from './draft';

/** The agent works with the newest tool results: they are never cleared. */
const KEEP_RESULTS = 3;

/** A placeholder takes tokens too: clearing fewer tokens than this is not worth the change. */
const SMALLEST_GAIN = 40;

/** Results of at least this share of the target, and of this many tokens, are cleared first. */
const LARGE_SHARE = 0.02;
export const LARGE_TOKENS = 800;

/** How much its size counts against a result. */
const SIZE_POWER = 0.25;

/** Results of fewer tokens count as equally small. */
const SMALLEST_SIZE = 30;

/** Replaces large results by placeholders, least likely to be needed first. */
export const clearLarge: Rung = (draft) => clearLeastNeeded(draft, largeTokens(draft));

/** From this many tokens on a result is large. */
export function largeTokens({ target }: Pick<Draft, 'target'>): number {
  return Math.max(LARGE_TOKENS, target * LARGE_SHARE);
}

/** Replaces the other results, all but the newest few. */
export const clearRest: Rung = (draft) => clearLeastNeeded(draft, 0);

/** A step larger than this share of the target would push out everything before it. */
const OVERSIZED_SHARE = 0.25;

/** Clears the results of oversized steps, all but the newest few results. */
export const clearOversized: Rung = (draft) => {
  if (draft.used <= draft.target) return draft;
  const most = Math.floor(draft.target * OVERSIZED_SHARE);
  const newest = newestResults(draft);
  const touched = takeableSteps(draft).flatMap((step): BlockChange[] => {
    const tokens = weightIn(draft, step.id);
    if (tokens <= most) return [];
    const isOld = ({ use }: ToolPair) => !newest.has(use.id);
    const cleared = clearPairs(draft, step, isOld, { rule: 'clearOversized', tokens });
    return cleared === undefined ? [] : [cleared];
  });
  return ifGained(draft, changeAll(draft, touched));
};

/** A result that may be cleared. */
interface Candidate {
  readonly step: StepBlock;
  readonly id: ToolUseId;
  readonly tokens: number;
  /** Estimated tokens that clearing it frees. */
  readonly gain: number;
  /** Its likelihood to be needed, relative to its size. */
  readonly density: number;
}

function clearLeastNeeded(draft: Draft, leastTokens: number): Draft {
  if (draft.used <= draft.target) return draft;
  let next = draft;
  const candidates = clearableIn(draft)
    .filter(({ tokens }) => tokens >= leastTokens)
    .toSorted((a, b) => a.density - b.density);
  // Gains are estimates: if they miss the target, a few more results are cleared.
  while (next.used > next.target && candidates.length > 0) {
    next = clearChosen(next, chosenFrom(next, candidates));
  }
  return ifGained(draft, next);
}

/** Takes candidates off the list until the draft would reach its target. */
function chosenFrom(draft: Draft, candidates: Candidate[]): readonly Candidate[] {
  let missing = draft.used - draft.target;
  const count = candidates.findIndex(({ gain }) => {
    missing -= gain;
    return missing <= 0;
  });
  return candidates.splice(0, count === -1 ? candidates.length : count + 1);
}

/** Clears all together, so that a long window stays cheap. */
function clearChosen(draft: Draft, chosen: readonly Candidate[]): Draft {
  const ids = new Set(chosen.map(({ id }) => id));
  const steps = new Set(chosen.map(({ step }) => step));
  const touched = [...steps].flatMap((step): BlockChange[] => {
    const cleared = clearPairs(draft, step, ({ use }) => ids.has(use.id), {
      rule: 'clearOldResults',
    });
    return cleared === undefined ? [] : [cleared];
  });
  return changeAll(draft, touched);
}

/** The results that may still be cleared. */
export function clearableIn(draft: Draft): readonly Candidate[] {
  const { window, estimate } = draft.input;
  const newest = newestResults(draft);
  const uses = lastUsesOf(window);
  const found: Candidate[] = [];
  for (const step of takeableSteps(draft)) {
    const now = formOf(draft, step);
    for (const pair of now.kind === 'step' ? now.pairs : []) {
      const { id } = pair.use;
      if (!isClearable(pair) || newest.has(id)) continue;
      const texts = textsOf(pair);
      const tokens = estimate(texts.result);
      if (tokens < SMALLEST_GAIN) continue;
      const gain = tokens - estimate(texts.placeholder);
      if (gain < SMALLEST_GAIN) continue;
      const density = densityOf(draft, uses, step, pair, tokens);
      found.push({ step, id, tokens, gain, density });
    }
  }
  return found;
}

function densityOf(
  { input: { ratings } }: Draft,
  uses: LastUses,
  step: StepBlock,
  pair: ToolPair,
  tokens: number,
): number {
  const need = ratings?.get(step.id) ?? needOf(uses, step, pair);
  return need / Math.max(SMALLEST_SIZE, tokens) ** SIZE_POWER;
}

/** Some results of a step as they were before the pass. */
export function resultsBefore(
  draft: Draft,
  step: StepBlock,
  ids: ReadonlySet<ToolUseId>,
): readonly Pick<Candidate, 'density' | 'tokens'>[] {
  const uses = lastUsesOf(draft.input.window);
  return step.pairs
    .filter(({ use, cleared }) => ids.has(use.id) && !cleared)
    .map((pair) => {
      const tokens = draft.input.estimate(textsOf(pair).result);
      return { tokens, density: densityOf(draft, uses, step, pair, tokens) };
    });
}

interface ResultTexts {
  readonly result: string;
  /** The text that replaces a cleared result. */
  readonly placeholder: string;
}

/** A cache, since each plan weighs them again. */
const TEXTS = new WeakMap<ToolPair, ResultTexts>();

function textsOf(pair: ToolPair): ResultTexts {
  const known = TEXTS.get(pair);
  if (known !== undefined) return known;
  const texts = { result: resultText(pair), placeholder: clearedResultText(pair) };
  TEXTS.set(pair, texts);
  return texts;
}

/** The calls with the newest results of the window. */
export function newestResults(draft: Draft): ReadonlySet<ToolUseId> {
  const blocks = blocksInWindow(draft.input.window);
  const newest: ToolUseId[] = [];
  for (let at = blocks.length - 1; at >= 0 && newest.length < KEEP_RESULTS; at -= 1) {
    const block = blocks[at];
    if (block?.kind === 'step') newest.unshift(...block.pairs.map(({ use }) => use.id));
  }
  return new Set(newest.slice(-KEEP_RESULTS));
}

/** The reasons why a rung clears results. */
type ClearReason =
  | Extract<
      DraftReason,
      {
        readonly rule:
          'clearHeldByExcerpts' | 'clearOldResults' | 'clearSuperseded' | 'clearOversized';
      }
    >
  | { readonly rule: 'evictUnneeded' };

/** Clears results of a step; undefined if the placeholders would hardly be smaller. */
export function clearPairs(
  draft: Draft,
  step: StepBlock,
  isMeant: (pair: ToolPair) => boolean,
  reason: ClearReason,
): BlockChange | undefined {
  const now = formOf(draft, step);
  if (now.kind !== 'step') return undefined;
  const meant = now.pairs.filter((pair) => isClearable(pair) && isMeant(pair));
  if (meant.length === 0) return undefined;
  const { form, ...cleared } = clearedStep(now, meant, reason.rule === 'clearHeldByExcerpts');
  const weight = weightAs(draft, form);
  if (weightIn(draft, step.id) - weight < SMALLEST_GAIN) return undefined;
  const isOutOfDate = reason.rule === 'clearSuperseded';
  const outOfDate = [
    ...(draftDecisionOf(draft, step.id)?.outOfDate ?? []),
    ...(isOutOfDate ? meant.map(({ use }) => use.id) : []),
  ];
  return { id: step.id, weight, what: { action: 'clear', reason, ...cleared, outOfDate }, form };
}

/** A step with results cleared, and the ids of those. */
interface ClearedStep extends Pick<DraftDecision, 'toolUseIds' | 'heldByExcerpts'> {
  readonly form: StepBlock;
}

type ClearedForms = WeakMap<StepBlock, Map<string, ClearedStep>>;

/**
 * Caches, since each plan clears the same results; the second is for results that excerpts hold.
 */
const CLEARED: ClearedForms = new WeakMap();
const CLEARED_AS_HELD: ClearedForms = new WeakMap();

function clearedStep(step: StepBlock, meant: readonly ToolPair[], isHeld: boolean): ClearedStep {
  const known = formsOf(step, isHeld ? CLEARED_AS_HELD : CLEARED);
  const [only, ...more] = meant;
  const isOne = more.length === 0 && only !== undefined;
  const key = isOne ? only.use.id : meant.map(({ use }) => use.id).join(' ');
  const found = known.get(key) ?? clear(step, meant, isHeld);
  known.set(key, found);
  return found;
}

function formsOf(step: StepBlock, cache: ClearedForms): Map<string, ClearedStep> {
  const known = cache.get(step);
  if (known !== undefined) return known;
  const forms = new Map<string, ClearedStep>();
  cache.set(step, forms);
  return forms;
}

function clear(step: StepBlock, meant: readonly ToolPair[], isHeld: boolean): ClearedStep {
  const ids = new Set(meant.map(({ use }) => use.id));
  const pairs = step.pairs.map((pair) => (ids.has(pair.use.id) ? clearedPair(pair, isHeld) : pair));
  const cleared = pairs.filter((pair) => pair.cleared);
  const held = cleared
    .filter(({ heldByExcerpts }) => heldByExcerpts === true)
    .map(({ use }) => use.id);
  return {
    form: { ...step, pairs },
    toolUseIds: cleared.map(({ use }) => use.id),
    ...(held.length === 0 ? {} : { heldByExcerpts: held }),
  };
}

function isClearable(pair: ToolPair): boolean {
  return pair.result !== undefined && !pair.cleared;
}
