import type { StepBlock, ToolPair, ToolUseId } from '../../block';
import { blocksInWindow } from '../../contextWindow';
import { clearedPair } from '../../blockForms';
import { needOf, lastUsesOf } from './need';
import { clearedResultText, resultText } from '../../request/placeholder';
import type { Rule } from '../../plan';
import {
  ifGained,
  formOf,
  isOut,
  changeAll,
  weightAs,
  weightIn,
  type Draft,
  type Rung,
  type BlockChange,
} from './draft';

/** The newest tool results are what the agent works with: they are never cleared. */
export const KEEP_RESULTS = 3;

/** A placeholder is a text too: clearing less than this many tokens is not worth the edit. */
const SMALLEST_GAIN = 40;

/** Results of at least this share of the target, and of this many tokens, are worth clearing first. */
const LARGE_SHARE = 0.02;
const LARGE_TOKENS = 800;

/** How much its size counts against a result: a large one must be worth its place. */
const SIZE_POWER = 0.25;

/** Results of fewer tokens than this count as equally small. */
const SMALLEST_SIZE = 30;

/** Replaces large results by placeholders, beginning with those least likely to be needed. */
export const clearLarge: Rung = (draft) =>
  clearLeastNeeded(draft, Math.max(LARGE_TOKENS, draft.target * LARGE_SHARE));

/** Replaces the other results, all but the newest few. */
export const clearRest: Rung = (draft) => clearLeastNeeded(draft, 0);

interface Candidate {
  readonly step: StepBlock;
  readonly id: ToolUseId;
  /** What clearing it frees, estimated; tokens. */
  readonly gain: number;
  /** How likely it is to be needed, relative to its size. */
  readonly density: number;
}

function clearLeastNeeded(draft: Draft, leastTokens: number): Draft {
  let next = draft;
  const candidates = [...candidatesIn(draft, leastTokens)];
  // Gains are estimates: where they fall short of the target, a few more go.
  while (next.used > next.target && candidates.length > 0) {
    next = clearChosen(next, chosenFrom(next, candidates));
  }
  return ifGained(draft, next);
}

/** Takes candidates off the list until the draft would be at its target. */
function chosenFrom(draft: Draft, candidates: Candidate[]): readonly Candidate[] {
  let missing = draft.used - draft.target;
  const count = candidates.findIndex(({ gain }) => {
    missing -= gain;
    return missing <= 0;
  });
  return candidates.splice(0, count === -1 ? candidates.length : count + 1);
}

/** Clears all at once, so that a long window stays cheap. */
function clearChosen(draft: Draft, chosen: readonly Candidate[]): Draft {
  const ids = new Set(chosen.map(({ id }) => id));
  const steps = new Set(chosen.map(({ step }) => step));
  const touched = [...steps].flatMap((step): BlockChange[] => {
    const cleared = clearPairs(draft, step, ({ use }) => ids.has(use.id), 'clearOldResults');
    return cleared === undefined ? [] : [cleared];
  });
  return changeAll(draft, touched);
}

function candidatesIn(draft: Draft, leastTokens: number): readonly Candidate[] {
  if (draft.used <= draft.target) return [];
  const { window, estimate, ratings } = draft.input;
  const newest = newestResults(draft);
  const touches = lastUsesOf(window);
  return clearableSteps(draft)
    .flatMap((step) => {
      const now = formOf(draft, step);
      return (now.kind === 'step' ? now.pairs : []).flatMap((pair): Candidate[] => {
        const { id } = pair.use;
        if (!isClearable(pair) || newest.has(id)) return [];
        const tokens = estimate(resultText(pair));
        if (tokens < Math.max(leastTokens, SMALLEST_GAIN)) return [];
        const gain = tokens - estimate(clearedResultText(pair));
        if (gain < SMALLEST_GAIN) return [];
        const need = ratings?.get(step.id) ?? needOf(touches, step, pair);
        const density = need / Math.max(SMALLEST_SIZE, tokens) ** SIZE_POWER;
        return [{ step, id, gain, density }];
      });
    })
    .toSorted((a, b) => a.density - b.density);
}

/** The steps whose results a rung may clear. */
export function clearableSteps(draft: Draft): readonly StepBlock[] {
  return blocksInWindow(draft.input.window).filter(
    (block): block is StepBlock =>
      block.kind === 'step' && !draft.protections.has(block.id) && !isOut(draft, block.id),
  );
}

/** The calls whose results are the newest of the window. */
export function newestResults(draft: Draft): ReadonlySet<ToolUseId> {
  const blocks = blocksInWindow(draft.input.window);
  const newest: ToolUseId[] = [];
  for (let at = blocks.length - 1; at >= 0 && newest.length < KEEP_RESULTS; at -= 1) {
    const block = blocks[at];
    if (block?.kind === 'step') newest.unshift(...block.pairs.map(({ use }) => use.id));
  }
  return new Set(newest.slice(-KEEP_RESULTS));
}

/** Clears results of a step; undefined where the placeholders would hardly be smaller. */
export function clearPairs(
  draft: Draft,
  step: StepBlock,
  isMeant: (pair: ToolPair) => boolean,
  rule: Extract<Rule, 'clearHeldByView' | 'clearOldResults' | 'clearSuperseded' | 'clearOversized'>,
  because?: string,
): BlockChange | undefined {
  const now = formOf(draft, step);
  if (now.kind !== 'step') return undefined;
  const meant = now.pairs.filter((pair) => isClearable(pair) && isMeant(pair));
  if (meant.length === 0) return undefined;
  const form = clearedForm(now, meant, rule === 'clearHeldByView');
  const weight = weightAs(draft, form);
  if (weightIn(draft, step.id) - weight < SMALLEST_GAIN) return undefined;
  const cleared = form.pairs.filter((pair) => pair.cleared);
  const toolUseIds = cleared.map(({ use }) => use.id);
  const held = cleared.filter(({ heldByView }) => heldByView === true).map(({ use }) => use.id);
  const what = {
    action: 'clear' as const,
    rule,
    toolUseIds,
    ...(held.length === 0 ? {} : { heldByView: held }),
    ...(because === undefined ? {} : { because }),
  };
  return { id: step.id, weight, what, form };
}

/** A cache by what is cleared, since each plan tries the same: the words of a form are known then. */
const FORMS = new WeakMap<StepBlock, Map<string, StepBlock>>();

function clearedForm(step: StepBlock, meant: readonly ToolPair[], heldByView: boolean): StepBlock {
  const forms = FORMS.get(step) ?? new Map<string, StepBlock>();
  FORMS.set(step, forms);
  const key = [heldByView, ...meant.map(({ use }) => use.id)].join(' ');
  const known = forms.get(key);
  if (known !== undefined) return known;
  const ids = new Set(meant.map(({ use }) => use.id));
  const pairs = step.pairs.map((pair) =>
    ids.has(pair.use.id) ? clearedPair(pair, heldByView) : pair,
  );
  const form = { ...step, pairs };
  forms.set(key, form);
  return form;
}

function isClearable(pair: ToolPair): boolean {
  return pair.result !== undefined && !pair.cleared;
}
