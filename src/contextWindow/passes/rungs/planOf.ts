import { type Block, blockHandle, resultHandle } from '../../block';
import {
  blocksInWindow,
  firstOfNewest,
  newestStep,
  turnsUndone,
  type ContextWindow,
} from '../../window';
import { KEEP_STEPS } from './summariseOldest';
import { labelOf } from '../../label';
import { weightOf } from '../../account/measure';
import type { Decision, Plan, PolicyName, SalienceFactors } from '../../plan';
import {
  protectedBy,
  type AboveMark,
  type Lack,
  type NoGain,
  type Reason,
  type RecentTurn,
} from '../../reasons';
import {
  type Draft,
  type DraftDecision,
  type DraftReason,
  blocksIn,
  isOut,
  draftDecisionOf,
  weightIn,
  startDraft,
  type Rung,
} from './draft';
import { pathsNamedBy } from './need';
import { lacksOf, type WeighedFactor } from './salience';
import { capHistory } from './cap';
import { evictRestored } from './evict';
import { passStart, type PolicyInput } from './policyInput';
import { shortenProtected } from './shortenProtected';
import { trimBehindEdit } from './trimThinking';

/**
 * Climbs rungs until the low watermark is reached. `caps` are limits that a policy enforces at any
 * number of tokens; a pass that was due for such a limit does nothing else.
 */
export function climb(
  input: PolicyInput,
  policy: PolicyName,
  rungs: readonly Rung[],
  caps: readonly Rung[] = [],
): Plan {
  const { maxHistoryTurns } = input.settings;
  const history = maxHistoryTurns === 0 ? [] : [capHistory(maxHistoryTurns)];
  const all = [
    ...history,
    ...caps,
    ...(input.trigger === 'cap' ? [] : [...rungs, shortenProtected, evictRestored]),
  ];
  return planOf(
    all.reduce((draft, rung) => trimBehindEdit(rung(draft)), startDraft(input, policy)),
  );
}

/**
 * Turns a draft into a plan: one decision for every block in the window or restored, kept ones
 * included.
 */
export function planOf(draft: Draft): Plan {
  const { measured, budget, trigger } = draft.input;
  return {
    trigger,
    policy: draft.policy,
    budget,
    before: measured.used,
    target: draft.target,
    estimatedAfter: draft.used,
    gapGrowth: draft.gapGrowth,
    scratchpadGrowth: draft.scratchpadGrowth,
    decisions: blocksIn(draft).map((block) => decisionFor(draft, block)),
    summaries: draft.summaries,
    ...(draft.excerpts === undefined ? {} : { excerpts: draft.excerpts }),
  };
}

function decisionFor(draft: Draft, block: Block): Decision {
  const decided = draftDecisionOf(draft, block.id);
  const before = weightOf(draft.input.measured, block.id);
  const common = {
    blockId: block.id,
    label: labelOf(block),
    kind: block.kind,
    before,
    salience: draft.salience.get(block.id),
  };
  if (decided === undefined) {
    return { ...common, action: 'keep', reason: keepReason(draft, block), after: before };
  }
  const { action, toolUseIds, heldByExcerpts, admissions, summaryId, text } = decided;
  return {
    ...common,
    action,
    reason: finished(draft, block, decided.reason),
    recentTurn: recentTurnOf(draft, block, decided),
    after: { tokens: weightIn(draft, block.id), exact: isOut(draft, block.id) },
    // An undone prompt comes back only by undoing that change.
    wayBack: action === 'undoPrompt' ? undefined : { handle: handleFor(block, decided) },
    toolUseIds,
    heldByExcerpts,
    admissions,
    summaryId,
    text,
  };
}

function handleFor(block: Block, decided: DraftDecision): string {
  const [only, ...more] = decided.toolUseIds ?? [];
  return only !== undefined && more.length === 0 ? resultHandle(only) : blockHandle(block.id);
}

function keepReason(draft: Draft, block: Block): Reason {
  const { input, used, target, protections } = draft;
  const protection = protections.get(block.id);
  if (protection === 'keep:recentTurns') {
    return { rule: protection, turns: placesIn(draft).turnsKept };
  }
  if (protection === 'keep:spared' || protection === 'keep:head') return { rule: protection };
  if (protection !== undefined) return protectedBy(protection, block);
  if (input.trigger === 'byHand') return { rule: 'keep:untouched' };
  if (input.trigger === 'recorded') return { rule: 'keep:recorded' };
  if (isNewestStep(input.window, block)) return { rule: 'keep:recent', steps: KEEP_STEPS };
  if (used > target) return { rule: 'keep:noGain', because: whyNoGain(draft, block) };
  if (input.trigger === 'cap') return { rule: 'keep:withinCap' };
  // By hand or after an overflow the target may be below the low watermark.
  const mark = target < input.budget.lowTokens ? 'goal' : 'lowWatermark';
  return { rule: 'keep:enough', mark, tokens: target };
}

function isNewestStep(window: ContextWindow, block: Block): boolean {
  return block.kind === 'step' && block.step > newestStep(window) - KEEP_STEPS;
}

function whyNoGain(draft: Draft, { id }: Block): NoGain {
  const { used, target, input } = draft;
  const { highTokens, inputBudget } = input.budget;
  if (used - weightIn(draft, id) > target) return 'tooSmall';
  if (used <= highTokens) return 'belowHighWatermark';
  return used <= inputBudget ? 'withinInputBudget' : 'exhausted';
}

/** Adds the data that depends on the finished draft to a reason. */
function finished(draft: Draft, block: Block, reason: DraftReason): Reason {
  const { rule } = reason;
  switch (rule) {
    case 'summariseOldest':
      return isBeforeNewestSteps(draft, block) ? { rule, olderThan: KEEP_STEPS } : { rule };
    case 'summariseSpent':
      return { rule, isStep: block.kind === 'step' };
    case 'evictLeastSalient':
      return whyLeastSalient(draft, block);
    case 'evictOldest':
      return { rule, isOldest: placeOf(draft, block) < placesIn(draft).firstKept };
    case 'evictMiddle':
      return { rule, isInMiddle: isInMiddle(draft, block) };
    case 'evictFormerExcerpts':
      return { rule, isReplaced: draft.excerpts !== undefined };
    case 'clearHeldByExcerpts':
      return { rule, isShown: draft.excerpts !== undefined };
    case 'restoredByUser':
      return { rule, above: aboveMark(draft) };
    default:
      return reason;
  }
}

function recentTurnOf(
  { input: { settings, window } }: Draft,
  { turn }: Block,
  { isOfRecentTurn }: DraftDecision,
): RecentTurn | undefined {
  const kept = settings.keepRecentTurns;
  const isNothingOlder = window.turn - turnsUndone(window).size <= kept;
  return isOfRecentTurn === true ? { turn, kept, isNothingOlder } : undefined;
}

/** How far the window is above the mark where a pass starts; undefined when it is not. */
function aboveMark({ used, input: { budget, settings } }: Draft): AboveMark | undefined {
  const start = passStart(budget, settings);
  const mark = start === budget.highTokens ? 'highWatermark' : 'inputBudget';
  return used <= start ? undefined : { mark, usedTokens: used, markTokens: start };
}

/** Places of blocks in the window that reasons need, computed once for each draft. */
interface Places {
  readonly of: ReadonlyMap<string, number>;
  /** Place of the oldest block that may leave and stays. */
  readonly firstKept: number;
  /** Place of the first of the newest steps. */
  readonly firstRecent: number;
  /** Place of the last block that stays; -1 if none does. */
  readonly lastKept: number;
  /** How many of the newest turns the draft protects. */
  readonly turnsKept: number;
}

const PLACES = new WeakMap<Draft, Places>();

function placesIn(draft: Draft): Places {
  const known = PLACES.get(draft);
  if (known !== undefined) return known;
  const { window } = draft.input;
  const blocks = blocksInWindow(window);
  const isKept = ({ id }: Block) =>
    !draft.protections.has(id) && !isOut(draft, id) && weightIn(draft, id) > 0;
  const kept = blocks.filter(({ id }) => draft.protections.get(id) === 'keep:recentTurns');
  const at = (index: number) => (index === -1 ? blocks.length : index);
  const found = {
    of: new Map(blocks.map(({ id }, index) => [id as string, index])),
    firstKept: at(blocks.findIndex(isKept)),
    firstRecent: at(blocks.findIndex((block) => isNewestStep(window, block))),
    lastKept: blocks.findLastIndex(({ id }) => !isOut(draft, id)),
    turnsKept: newestDownTo(window, Math.min(window.turn, ...kept.map(({ turn }) => turn))),
  };
  PLACES.set(draft, found);
  return found;
}

/** How many of the newest turns there are down to one. */
function newestDownTo(window: ContextWindow, turn: number): number {
  let turns = 1;
  while (firstOfNewest(window, turns) > turn) turns += 1;
  return turns;
}

function placeOf(draft: Draft, { id }: Block): number {
  return placesIn(draft).of.get(id) ?? 0;
}

function isInMiddle(draft: Draft, block: Block): boolean {
  const place = placeOf(draft, block);
  return place > 0 && place < placesIn(draft).lastKept;
}

function isBeforeNewestSteps(draft: Draft, block: Block): boolean {
  const { firstRecent, of } = placesIn(draft);
  return firstRecent < of.size && placeOf(draft, block) < firstRecent;
}

/** A reason names at most this many factors. */
const MOST_LACKS = 2;

function whyLeastSalient(draft: Draft, block: Block): Reason {
  const rule = 'evictLeastSalient';
  const factors = draft.salience.get(block.id);
  if (factors === undefined) return { rule, lacks: [] };
  if (factors.rated !== undefined) return { rule, lacks: [], rated: factors.rated };
  const names = lacksOf(factors).slice(0, MOST_LACKS);
  return { rule, lacks: names.map((name) => lackOf(name, draft, block, factors)) };
}

/** Blocks with at most this recency are in the oldest quarter of the window. */
const OLDEST_QUARTER = 0.25;

function lackOf(
  factor: WeighedFactor,
  draft: Draft,
  block: Block,
  { recency, reuse }: SalienceFactors,
): Lack {
  const { measured, window } = draft.input;
  switch (factor) {
    case 'recency':
      return { factor, isInOldestQuarter: recency <= OLDEST_QUARTER };
    case 'reuse': {
      const of = pathsNamedBy(block).length > 0 ? 'files' : 'names';
      return { factor, of, since: lastNamedIn(blocksInWindow(window), block, reuse) };
    }
    case 'size': {
      const { tokens } = weightOf(measured, block.id);
      return { factor, share: tokens / Math.max(1, measured.used.tokens) };
    }
    case 'kind':
    case 'errors':
    case 'decisions':
      return { factor };
  }
}

/** The last block that named a block: the reuse factor is its place. */
function lastNamedIn(
  blocks: readonly Block[],
  block: Block,
  reuse: number,
): Extract<Lack, { readonly factor: 'reuse' }>['since'] {
  const last = reuse === 0 ? block : blocks[Math.round(reuse * (blocks.length - 1))];
  if (last === undefined || last === block) return undefined;
  return last.kind === 'step' ? { step: last.step } : { label: labelOf(last) };
}
