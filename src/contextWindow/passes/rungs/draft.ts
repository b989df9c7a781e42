import { isInWindow, type Block, type BlockId, type StepBlock, type ToolUseId } from '../../block';
import { blocksInWindow, type ContextWindow } from '../../window';
import {
  growthTo,
  type Measurement,
  scratchpadGrowth,
  weightInForm,
  weightOf,
} from '../../account/measure';
import type {
  Action,
  Excerpts,
  PlannedRules,
  PolicyName,
  SalienceFactors,
  SummaryJob,
  NewAdmission,
} from '../../plan';
import type { Reason } from '../../reasons';
import { gapsIn, gapText, presenceOf, type Presence } from '../../request/gapLines';
import { rulesTextAfter, shownAfterPass } from '../../standingRules/standingRules';
import { salienceOf } from './salience';
import { protectionsIn, type Protection } from '../../tier';
import type { PolicyInput } from './policyInput';

/** What a rung decided for one block; its decision in the plan is made from this. */
export interface DraftDecision {
  readonly action: Exclude<Action, 'keep'>;
  readonly reason: DraftReason;
  readonly toolUseIds?: readonly ToolUseId[];
  /** Those of them that excerpts can show. */
  readonly heldByExcerpts?: readonly ToolUseId[];
  /** Those of them that a later result replaced. */
  readonly outOfDate?: readonly ToolUseId[];
  readonly admissions?: readonly NewAdmission[];
  readonly summaryId?: BlockId;
  /** For `rewrite`: the new text. */
  readonly text?: string;
  /** The block belongs to one of the newest turns, which stay as long as others can be removed. */
  readonly isOfRecentTurn?: true;
}

/** The rules whose reason depends on the finished draft; `planOf` adds the data. */
type LateRule =
  | 'summariseOldest'
  | 'summariseSpent'
  | 'clearOldResults'
  | 'evictLeastSalient'
  | 'evictOldest'
  | 'evictMiddle'
  | 'evictFormerExcerpts'
  | 'clearHeldByExcerpts'
  | 'restoredByUser';

/** The reason that a rung gives. */
export type DraftReason = Exclude<Reason, { readonly rule: LateRule }> | RuleAlone<LateRule>;

type RuleAlone<R> = R extends unknown ? { readonly rule: R } : never;

/** A plan in progress: what the rungs did so far, and how full that leaves the window. */
export interface Draft {
  readonly input: PolicyInput;
  readonly policy: PolicyName;
  /** Estimated tokens of the window with the changes, each summary at its largest. */
  readonly used: number;
  /** Rungs stop at or below this; tokens. */
  readonly target: number;
  /** The newest change of each block that a rung changed. */
  readonly changes: ReadonlyMap<BlockId, BlockChange>;
  /** The blocks that they remove from the window. */
  readonly out: ReadonlySet<BlockId>;
  /** Growth of the gap lines, which say where whole turns were removed; tokens. */
  readonly gapGrowth: number;
  /** The block of standing rules, which a pass shows as they are now. */
  readonly rules: PlannedRules;
  /** Growth of the scratchpad, which a pass shows as it is now; tokens. */
  readonly scratchpadGrowth: number;
  readonly summaries: readonly SummaryJob[];
  readonly excerpts?: Excerpts;
  /** The rungs went below the target, to leave room for excerpts. */
  readonly leavesRoom?: true;
  readonly salience: ReadonlyMap<BlockId, SalienceFactors>;
  readonly protections: ReadonlyMap<BlockId, DraftProtection>;
}

/** Why a rung may not change a block: in any pass, or in this pass or policy. */
export type DraftProtection =
  Protection | 'keep:spared' | 'keep:head' | 'keep:newestSearch' | 'keep:recentTurns';

/** One rung of a policy: does what it can and returns the draft. */
export type Rung = (draft: Draft) => Draft;

/** Begins a plan that keeps every block. */
export function startDraft(input: PolicyInput, policy: PolicyName): Draft {
  const { window, measured, estimate, spared } = input;
  const blocks = blocksInWindow(window);
  const protections = new Map<BlockId, DraftProtection>();
  const protectionOf = protectionsIn(window);
  for (const block of blocks) {
    const protection =
      protectionOf(block) ??
      (spared?.has(block.id) === true ? ('keep:spared' as const) : undefined);
    if (protection !== undefined) protections.set(block.id, protection);
  }
  const rules = rulesAfter(input, NO_CHANGES);
  const growth = scratchpadGrowth(window, measured, estimate, input.undonePrompt);
  return {
    input,
    policy,
    // The pass shows the current scratchpad and rules, which may be larger than before.
    used: measured.used.tokens + growth + rules.growth,
    target: targetOf(input),
    gapGrowth: 0,
    rules,
    scratchpadGrowth: growth,
    changes: NO_CHANGES,
    out: new Set(),
    summaries: [],
    salience: salienceIn(input),
    protections,
  };
}

const NO_CHANGES: Draft['changes'] = new Map();

/** The panel plans a change for each button of the rows in sight, all of the same window. */
const SALIENCE = new WeakMap<Measurement, Pick<Draft, 'salience'> & Pick<PolicyInput, 'window'>>();

function salienceIn({ window, measured, ratings }: PolicyInput): Draft['salience'] {
  const work = () => salienceOf(window, (id) => weightOf(measured, id).tokens, ratings);
  if (ratings !== undefined) return work();
  const known = SALIENCE.get(measured);
  const salience = known?.window === window ? known.salience : work();
  SALIENCE.set(measured, { window, salience });
  return salience;
}

/** A pass that the user requested leaves at most this share of the used tokens. */
const MANUAL_SHARE = 0.6;

/**
 * Nothing forces a pass at an expired cache, so it leaves this share of the room between the
 * watermarks. Chosen on recorded sessions: as many edits stay visible as without such passes.
 */
const COLD_CACHE_LEAVES = 0.15;

/**
 * It leaves no more than this many requests add: what it leaves is held until the next pass, and the
 * slower the window grows, the later that comes. Chosen on recorded sessions, too.
 */
const COLD_CACHE_REQUESTS = 4;

/**
 * The target of a pass in tokens. After an overflow the estimate is known to be too low, but the
 * request must shrink all the same.
 */
export function targetOf({
  trigger,
  measured,
  budget,
  window,
}: Pick<PolicyInput, 'trigger' | 'measured' | 'budget' | 'window'>): number {
  const { tokens } = measured.used;
  switch (trigger) {
    case 'overflow':
      return Math.min(budget.lowTokens, Math.floor(tokens * 0.9));
    case 'manual':
      // A user who asks for room wants it, however little is used.
      return Math.min(budget.lowTokens, Math.floor(tokens * MANUAL_SHARE));
    case 'coldCache': {
      const most = (budget.highTokens - budget.lowTokens) * COLD_CACHE_LEAVES;
      const added = growthOf(window, tokens) * COLD_CACHE_REQUESTS;
      return Math.floor(budget.lowTokens + Math.min(most, added));
    }
    case 'highWatermark':
    case 'cap':
      return budget.lowTokens;
    case 'byHand':
      // There is no target, but a restored block must fit.
      return budget.inputBudget;
    case 'recorded':
      // A recorded pass removes what it removed, however much that is.
      return tokens;
  }
}

/** Average tokens that a request has added since the last pass of a policy. */
function growthOf({ ledger, step }: ContextWindow, usedTokens: number): number {
  const last = ledger.findLast(
    ({ pass }) => pass.trigger !== 'byHand' && pass.beforeStep <= step,
  )?.pass;
  const requests = last === undefined ? step : step - last.beforeStep + 1;
  return Math.max(0, usedTokens - (last?.after.tokens ?? 0)) / Math.max(1, requests);
}

/** A cache, since rungs ask again and again, and most remove nothing. */
const TAKEABLE = new WeakMap<Draft['out'], Pick<Draft, 'protections'> & Takeable>();

interface Takeable {
  readonly blocks: readonly Block[];
  readonly steps: readonly StepBlock[];
}

function takeableIn({ input, protections, out }: Draft): Takeable {
  const known = TAKEABLE.get(out);
  if (known?.protections === protections) return known;
  const blocks: Block[] = [];
  const steps: StepBlock[] = [];
  for (const block of blocksInWindow(input.window)) {
    if (protections.has(block.id) || out.has(block.id)) continue;
    blocks.push(block);
    if (block.kind === 'step') steps.push(block);
  }
  const found = { protections, blocks, steps };
  TAKEABLE.set(out, found);
  return found;
}

/** The blocks that a rung may still remove: in the window, unprotected, not yet removed. */
export function takeable(draft: Draft): readonly Block[] {
  return takeableIn(draft).blocks;
}

/** The steps among them: a rung may clear their results. */
export function takeableSteps(draft: Draft): readonly StepBlock[] {
  return takeableIn(draft).steps;
}

/** The blocks that are in the window, will be after the draft, or are undone by it, in order. */
export function blocksIn({ input, changes }: Draft): readonly Block[] {
  if (!isAnyOutside(changes)) return blocksInWindow(input.window);
  return input.window.blocks.filter(
    (block) => isInWindow(block) || OUTSIDE.has(changes.get(block.id)?.what.action ?? 'keep'),
  );
}

/** The actions on blocks outside the window. */
const OUTSIDE: ReadonlySet<Action> = new Set<Action>(['restore', 'undoPrompt']);

/** A cache, since it is asked after each rung. */
const ANY_OUTSIDE = new WeakMap<Draft['changes'], boolean>();

function isAnyOutside(changes: Draft['changes']): boolean {
  const known = ANY_OUTSIDE.get(changes);
  if (known !== undefined) return known;
  let found = false;
  for (const { what } of changes.values()) found ||= OUTSIDE.has(what.action);
  ANY_OUTSIDE.set(changes, found);
  return found;
}

/** Says whether a rung has removed the block. */
export function isOut(draft: Draft, id: BlockId): boolean {
  return draft.out.has(id);
}

/** The block as the draft leaves it. */
export function formOf(draft: Draft, block: Block): Block {
  return draft.changes.get(block.id)?.form ?? block;
}

/** The decision for a block; undefined if there is none. */
export function draftDecisionOf(draft: Draft, id: BlockId): DraftDecision | undefined {
  return draft.changes.get(id)?.what;
}

/** The block's tokens in the draft. */
export function weightIn(draft: Draft, id: BlockId): number {
  return draft.changes.get(id)?.weight ?? weightOf(draft.input.measured, id).tokens;
}

/** The tokens that a block will have in another form. */
export function weightAs({ input }: Draft, form: Block): number {
  return weightInForm(input, form);
}

/** A block with its new weight (tokens), its new form, and the decision. */
export interface BlockChange {
  readonly id: BlockId;
  readonly weight: number;
  readonly what: DraftDecision;
  /** Absent if the block is removed. */
  readonly form?: Block;
}

/** Applies all changes of a rung together, so that a long window stays cheap. */
export function changeAll(draft: Draft, touched: readonly BlockChange[]): Draft {
  if (touched.length === 0) return draft;
  const changes = copyOf(draft.changes);
  let { used } = draft;
  for (const change of touched) {
    const { id, weight } = change;
    used += weight - (changes.get(id)?.weight ?? weightOf(draft.input.measured, id).tokens);
    changes.set(id, change);
  }
  const rules = mayMoveRules(draft, touched) ? rulesAfter(draft.input, changes) : draft.rules;
  used += rules.growth - draft.rules.growth;
  if (!touched.some(({ what }) => MOVING.has(what.action)))
    return { ...draft, used, changes, rules };
  const gapGrowth = gapGrowthOf(draft.input, changes);
  used += gapGrowth - draft.gapGrowth;
  const out = new Set(draft.out);
  for (const { id, what } of touched) if (TAKING_OUT.has(what.action)) out.add(id);
  return { ...draft, used, changes, out, gapGrowth, rules };
}

/** Faster than the constructor of a map, and rungs copy large ones. */
function copyOf<K, V>(map: ReadonlyMap<K, V>): Map<K, V> {
  const copy = new Map<K, V>();
  map.forEach((value, key) => copy.set(key, value));
  return copy;
}

const TAKING_OUT: ReadonlySet<Action> = new Set<Action>(['summarise', 'evict', 'undoPrompt']);

/** The actions that remove a block from the window or add it. */
const MOVING: ReadonlySet<Action> = new Set<Action>([
  'summarise',
  'evict',
  'restore',
  'undoPrompt',
]);

/** Only words of the user have rules. */
function mayMoveRules({ input: { window } }: Draft, touched: readonly BlockChange[]): boolean {
  if (window.rules === undefined) return false;
  return touched.some(({ id }) => /^(?:prompt|note)-/.test(id));
}

/** The block of standing rules after a plan. */
function rulesAfter(
  { window, measured, estimate, budget, trigger }: PolicyInput,
  changes: Draft['changes'],
): PlannedRules {
  if (window.rules === undefined) return { text: '', growth: 0 };
  const shown = shownAfterPass(window, budget, trigger === 'byHand');
  const text = rulesTextAfter(window, shown, (block) => {
    const change = changes.get(block.id);
    if (change === undefined) return block;
    if (change.what.action === 'undoPrompt') return { ...block, state: 'undone' };
    return TAKING_OUT.has(change.what.action)
      ? { ...block, state: 'evicted' }
      : (change.form ?? block);
  });
  return { text, growth: growthTo(measured, 'rules', text === '' ? [] : [text], estimate) };
}

/** Estimates the growth of the gap lines after a plan. */
function gapGrowthOf(
  { window, measured, estimate }: PolicyInput,
  changes: Draft['changes'],
): number {
  // A summary takes the place of the first block that it covers.
  const firsts = new Map<BlockId, BlockId>();
  for (const { id } of blocksInWindow(window)) {
    const summaryId = changes.get(id)?.what.summaryId;
    if (summaryId !== undefined && !firsts.has(summaryId)) firsts.set(summaryId, id);
  }
  const isOutside = isAnyOutside(changes);
  const presence = (block: Block): Presence => {
    // Most blocks are outside the window, and nothing changes them.
    if (!isOutside && !isInWindow(block)) return presenceOf(block);
    const { action, summaryId } = changes.get(block.id)?.what ?? {};
    const isPlaceOfSummary = summaryId !== undefined && firsts.get(summaryId) === block.id;
    return isPlaceOfSummary ? 'in' : presenceAfter(block, action);
  };
  const gaps = gapsIn(window.blocks, presence, isOutside);
  return growthTo(measured, 'gapLines', gaps.map(gapText), estimate);
}

function presenceAfter(block: Block, action: Action | undefined): Presence {
  switch (action) {
    case 'evict':
      return 'out';
    case 'undoPrompt':
      return 'undone';
    case 'summarise':
      return 'covered';
    case 'restore':
      return 'in';
    case 'keep':
    case 'truncate':
    case 'trim':
    case 'clear':
    case 'rewrite':
    case undefined:
      return presenceOf(block);
  }
}

/** Keeps what a rung did if it frees tokens; otherwise keeps the draft. */
export function ifGained(before: Draft, after: Draft): Draft {
  return after.used < before.used ? after : before;
}
