import { type Block, blockHandle, resultHandle, type ToolUseId } from '../../block';
import {
  blocksInWindow,
  firstOfNewest,
  newestStep,
  turnsUndone,
  type ContextWindow,
} from '../../window';
import { KEEP_STEPS } from './summariseOldest';
import { callEffectOf } from '../../callEffect';
import { labelOf } from '../../label';
import { weightOf } from '../../account/measure';
import type { Decision, Plan, PolicyName, SalienceFactors } from '../../plan';
import {
  OTHERS_CLEARED,
  protectedBy,
  type AboveMark,
  type ClearedOf,
  type ComparedWith,
  type Lack,
  type NoGain,
  type Reason,
  type RecentTurn,
} from '../../reasons';
import {
  type Draft,
  type DraftDecision,
  blocksIn,
  isOut,
  draftDecisionOf,
  weightIn,
  startDraft,
  takeable,
  type Rung,
} from './draft';
import { lacksOf, type WeighedFactor } from './salience';
import { capHistory } from './cap';
import { clearableIn, resultsBefore, LARGE_TOKENS, largeTokens } from './clearResults';
import { evictionOrder, evictRestored, NEEDED_OFTEN_PLACE } from './evict';
import { oftenNeeded, timesNeeded } from '../oftenNeeded';
import { staysFrom } from './recentTurns';
import { passStart, type PolicyInput } from './policyInput';
import { shortenProtected, shortenTask } from './shortenProtected';
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
    ...(input.trigger === 'cap' ? [] : [shortenTask, ...rungs, shortenProtected, evictRestored]),
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
    rules: draft.rules,
    decisions: blocksIn(draft).map((block) => decisionFor(draft, block)),
    summaries: draft.summaries,
    excerpts: draft.excerpts,
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
    reason: finished(draft, block, decided),
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
  if (
    protection === 'keep:spared' ||
    protection === 'keep:head' ||
    protection === 'keep:newestSearch'
  )
    return { rule: protection };
  if (protection !== undefined) return protectedBy(protection, block);
  if (input.trigger === 'byHand') return { rule: 'keep:untouched' };
  if (input.trigger === 'recorded') return { rule: 'keep:recorded' };
  if (input.trigger === 'cap') return { rule: 'keep:withinCap' };
  if (used > target) {
    return used > input.budget.highTokens && isNewestStep(input.window, block)
      ? { rule: 'keep:recent', steps: KEEP_STEPS }
      : { rule: 'keep:noGain', because: whyNoGain(draft) };
  }
  const times = oftenNeeded(timesNeeded(input.window), block);
  if (times > 0) return { rule: 'keep:neededAgain', times };
  // By hand or after an overflow the target may be below the low watermark, at a cold cache it is above.
  const mark = target === input.budget.lowTokens ? 'lowWatermark' : 'goal';
  return { rule: 'keep:enough', mark, tokens: target };
}

function isNewestStep(window: ContextWindow, block: Block): boolean {
  return block.kind === 'step' && block.step > newestStep(window) - KEEP_STEPS;
}

function whyNoGain(draft: Draft): NoGain {
  const { used, input } = draft;
  const { highTokens, inputBudget } = input.budget;
  if (used <= highTokens) return 'belowHighWatermark';
  return used <= inputBudget ? 'withinInputBudget' : 'exhausted';
}

/** Adds the data that depends on the finished draft to a reason. */
function finished(draft: Draft, block: Block, decided: DraftDecision): Reason {
  const { reason } = decided;
  const { rule } = reason;
  switch (rule) {
    case 'summariseOldest':
      return isBeforeNewestSteps(draft, block) ? { rule, olderThan: KEEP_STEPS } : { rule };
    case 'summariseSpent':
      return { rule, isStep: block.kind === 'step', ...filesIn(block) };
    case 'evictLeastSalient':
      return whyLeastSalient(draft, block);
    case 'clearOldResults':
      return whyCleared(draft, block, decided);
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

/** What a block holds of files before the pass, although it counts as one without file text. */
function filesIn(block: Block): Pick<Extract<Reason, { rule: 'summariseSpent' }>, 'files'> {
  if (block.kind !== 'step') return {};
  const effects = block.pairs.map((pair) => ({ pair, kind: callEffectOf(pair.use).kind }));
  const isWholeRead = effects.some(
    ({ pair, kind }) => kind === 'read' && pair.result !== undefined && !pair.cleared,
  );
  if (isWholeRead) return { files: 'clearedReads' };
  return effects.some(({ kind }) => kind === 'edit' || kind === 'write')
    ? { files: 'oldEdits' }
    : {};
}

function recentTurnOf(
  { input: { settings, window }, leavesRoom }: Draft,
  { turn }: Block,
  { isOfRecentTurn }: DraftDecision,
): RecentTurn | undefined {
  const kept = settings.keepRecentTurns;
  const isNothingOlder = window.turn - turnsUndone(window).size <= kept;
  if (isOfRecentTurn !== true) return undefined;
  return { turn, kept, isNothingOlder, ...(leavesRoom === true ? { withExcerpts: true } : {}) };
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

/** The remaining blocks and results with which a rung compared those it removed or cleared. */
interface Left {
  /** The least place of a block in the order of eviction. */
  readonly order: number;
  /** The least density of a result that may be cleared. */
  readonly density: Readonly<Record<ClearedOf, number>>;
}

/** What remains without the newest turns, for each number of them. */
const LEFT = new WeakMap<Draft, Map<number, Left>>();

function leftBefore(turns: number, draft: Draft): Left {
  const known = LEFT.get(draft) ?? new Map<number, Left>();
  LEFT.set(draft, known);
  const found = known.get(turns) ?? leastBefore(turns, draft);
  known.set(turns, found);
  return found;
}

function leastBefore(turns: number, draft: Draft): Left {
  const first = firstOfNewest(draft.input.window, turns);
  const leastOf = (among: readonly number[]) => Math.min(Infinity, ...among);
  const blocks = takeable(draft).filter(
    (block) => !staysFrom(first, block) && weightIn(draft, block.id) > 0,
  );
  const results = clearableIn(draft).filter(({ step }) => !staysFrom(first, step));
  const large = results.filter(({ tokens }) => tokens >= largeTokens(draft));
  return {
    order: leastOf(blocks.map((block) => evictionOrder(draft, block))),
    density: {
      all: leastOf(results.map(({ density }) => density)),
      largeFirst: leastOf(large.map(({ density }) => density)),
    },
  };
}

/**
 * The smallest number of newest turns without which a block or result was the least of the rest: a
 * rung takes those turns only when the rest is not enough. Undefined if it was the least of all.
 */
function turnsAfter(draft: Draft, isLeast: (left: Left) => boolean): number | undefined {
  const { keepRecentTurns } = draft.input.settings;
  let turns = 0;
  while (turns < keepRecentTurns && !isLeast(leftBefore(turns, draft))) turns += 1;
  return turns === 0 ? undefined : turns;
}

/** Names what a step's cleared results were compared with: the most that is true. */
function whyCleared(
  draft: Draft,
  block: Block,
  { toolUseIds = [], outOfDate = [], heldByExcerpts = [] }: DraftDecision,
): Reason {
  const rule = 'clearOldResults';
  const { tokens } = weightOf(draft.input.measured, block.id);
  // Results that another rung of the pass cleared were not compared.
  const compared = toolUseIds.filter(
    (id) => !outOfDate.includes(id) && !heldByExcerpts.includes(id),
  );
  const own = block.kind === 'step' ? resultsBefore(draft, block, new Set(compared)) : [];
  const cleared = new Set(toolUseIds.filter((id) => !isClearedBefore(block, id)));
  const others = OTHERS_CLEARED.filter((why) =>
    (why === 'outOfDate' ? outOfDate : heldByExcerpts).some((id) => cleared.has(id)),
  );
  const isLeastOfAll = ({ density: left }: Left) => own.every(({ density }) => density <= left.all);
  const isLeast = ({ density: left }: Left) =>
    own.every(
      (result) => result.density <= (result.tokens >= LARGE_TOKENS ? left.largeFirst : left.all),
    );
  const beforeTurns = turnsAfter(draft, isLeast);
  const of = isLeastOfAll(leftBefore(beforeTurns ?? 0, draft)) ? 'all' : 'largeFirst';
  return { rule, of, beforeTurns, tokens, others: others.length === 0 ? undefined : others };
}

function isClearedBefore(block: Block, id: ToolUseId): boolean {
  return block.kind === 'step' && block.pairs.some(({ use, cleared }) => cleared && use.id === id);
}

/** A reason names at most this many factors. */
const MOST_LACKS = 3;

function whyLeastSalient(draft: Draft, block: Block): Reason {
  const order = evictionOrder(draft, block);
  const common = {
    rule: 'evictLeastSalient',
    of: comparedWith(order),
    beforeTurns: turnsAfter(draft, (left) => order <= left.order),
  } as const;
  const factors = draft.salience.get(block.id);
  if (factors === undefined) return { ...common, relevance: 0, lacks: [] };
  const { salience: relevance, rated } = factors;
  if (rated !== undefined) return { ...common, relevance, isRated: true, lacks: [] };
  const lacks = lacksOf(factors)
    .flatMap((name) => lackOf(name, draft, block, factors) ?? [])
    .slice(0, MOST_LACKS);
  return { ...common, relevance, lacks };
}

/** Names what a block was compared with, by its place in the order of eviction. */
function comparedWith(order: number): ComparedWith {
  if (order < 1) return 'olderSteps';
  if (order <= NEEDED_OFTEN_PLACE) return 'recent';
  return order < 2 ? 'neededOften' : 'prompts';
}

/** Blocks with at most this recency are in the oldest quarter of the window. */
const OLDEST_QUARTER = 0.25;

/** A block of this share of the used tokens is called large. */
const LARGE_SHARE = 0.05;

/** The worth of the kind of work, as in `salience.ts`, of anything but files. */
const NO_FILE_KIND = 0.5;

/** A factor as a cause; undefined if it says nothing about the block alone. */
function lackOf(
  factor: WeighedFactor,
  draft: Draft,
  block: Block,
  { recency, reuse, kind }: SalienceFactors,
): Lack | undefined {
  const { measured, window } = draft.input;
  switch (factor) {
    case 'recency':
      return recency <= OLDEST_QUARTER ? { factor } : undefined;
    case 'reuse': {
      const steps = newestStep(window) - stepOfLastUse(blocksInWindow(window), block, reuse);
      return steps > 0 ? { factor, steps } : undefined;
    }
    case 'size': {
      const { tokens } = weightOf(measured, block.id);
      return tokens >= LARGE_SHARE * measured.used.tokens ? { factor, tokens } : undefined;
    }
    case 'kind':
      return kind <= NO_FILE_KIND ? { factor } : undefined;
    case 'errors':
    case 'decisions':
      return undefined;
  }
}

/** The step that was the newest when something last named a block: the reuse factor is its place. */
function stepOfLastUse(blocks: readonly Block[], block: Block, reuse: number): number {
  const named = reuse === 0 ? -1 : Math.round(reuse * (blocks.length - 1));
  const place = Math.max(named, blocks.indexOf(block));
  for (let at = place; at >= 0; at -= 1) {
    const other = blocks[at];
    if (other?.kind === 'step') return other.step;
  }
  return 0;
}
