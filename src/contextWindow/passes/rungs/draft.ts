import { isInWindow, type Block, type BlockId, type StepBlock, type ToolUseId } from '../../block';
import { blocksInWindow } from '../../window';
import { growthTo, scratchpadGrowth, weightInForm, weightOf } from '../../account/measure';
import type {
  Action,
  FileView,
  PolicyName,
  Rule,
  SalienceFactors,
  SummaryJob,
  NewAdmission,
} from '../../plan';
import { gapsIn, gapText, presenceOf, type Presence } from '../../request/gapLines';
import { salienceOf } from './salience';
import { protectionOf, type Protection } from '../../tier';
import type { PolicyInput } from './policyInput';

/** What a rung decided for one block: what its decision in the plan is made of. */
export interface DraftDecision {
  readonly action: Exclude<Action, 'keep'>;
  readonly rule: Rule;
  readonly toolUseIds?: readonly ToolUseId[];
  /** Those of them that a view of files can show. */
  readonly heldByView?: readonly ToolUseId[];
  readonly admissions?: readonly NewAdmission[];
  readonly summaryId?: BlockId;
  /** For `rewrite`: the new text. */
  readonly text?: string;
  /** The block belongs to one of the newest turns, which stay as long as others can go. */
  readonly isOfRecentTurn?: true;
  /** What made the content worthless, in words for the reason. */
  readonly because?: string;
}

/** A plan in the making: what the rungs so far have done, and how full that leaves the window. */
export interface Draft {
  readonly input: PolicyInput;
  readonly policy: PolicyName;
  /** Estimated tokens of the window with the changes applied, each summary at its largest. */
  readonly used: number;
  /** Stop at or below this; tokens. */
  readonly target: number;
  /** The newest change of each block that a rung touched. */
  readonly changes: ReadonlyMap<BlockId, BlockChange>;
  /** The blocks that they take out of the window. */
  readonly out: ReadonlySet<BlockId>;
  /** How many more tokens the lines will take that say where whole turns left. */
  readonly gapGrowth: number;
  /** How many more tokens the scratchpad will take, which a pass shows as it is now. */
  readonly scratchpadGrowth: number;
  readonly summaries: readonly SummaryJob[];
  readonly view?: FileView;
  readonly salience: ReadonlyMap<BlockId, SalienceFactors>;
  readonly protections: ReadonlyMap<BlockId, DraftProtection>;
}

/** Why a rung may not touch a block: for good, or in this pass or policy. */
export type DraftProtection = Protection | 'keep:spared' | 'keep:head' | 'keep:recentTurns';

/** One rung of a policy: does what it can, and hands the draft on. */
export type Rung = (draft: Draft) => Draft;

/** Begins a plan in which every block is kept. */
export function startDraft(input: PolicyInput, policy: PolicyName): Draft {
  const { window, measured, estimate, spared } = input;
  const blocks = blocksInWindow(window);
  const protections = new Map<BlockId, DraftProtection>();
  for (const block of blocks) {
    const protection =
      protectionOf(window, block) ??
      (spared?.has(block.id) === true ? ('keep:spared' as const) : undefined);
    if (protection !== undefined) protections.set(block.id, protection);
  }
  const growth = scratchpadGrowth(window, measured, estimate, input.undonePrompt);
  return {
    input,
    policy,
    // The pass shows the scratchpad as it is then, which may be more than it showed before.
    used: measured.used.tokens + growth,
    target: targetOf(input),
    gapGrowth: 0,
    scratchpadGrowth: growth,
    changes: new Map(),
    out: new Set(),
    summaries: [],
    salience: salienceOf(window, (id) => weightOf(measured, id).tokens, input.ratings),
    protections,
  };
}

/** A pass that was asked for by hand leaves at most this share of what there is. */
const MANUAL_SHARE = 0.6;

/**
 * What a pass aims at, in tokens. After an overflow the estimate is known to be too low: the request
 * must shrink all the same.
 */
export function targetOf({
  trigger,
  measured,
  budget,
}: Pick<PolicyInput, 'trigger' | 'measured' | 'budget'>): number {
  const { tokens } = measured.used;
  switch (trigger) {
    case 'overflow':
      return Math.min(budget.lowTokens, Math.floor(tokens * 0.9));
    case 'manual':
      // A user who asks for room wants it, however little is used.
      return Math.min(budget.lowTokens, Math.floor(tokens * MANUAL_SHARE));
    case 'highWatermark':
    case 'cap':
      return budget.lowTokens;
    case 'byHand':
      // There is no target to reach, but what is brought back must fit.
      return budget.inputBudget;
    case 'recorded':
      // What leaves is what was recorded, however much that is.
      return tokens;
  }
}

/** A cache, since rungs ask again and again, and most of them take nothing out. */
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

/** The blocks a rung may still take out: in the window, unprotected, not yet taken. */
export function takeable(draft: Draft): readonly Block[] {
  return takeableIn(draft).blocks;
}

/** The steps among them: a rung may clear their results. */
export function takeableSteps(draft: Draft): readonly StepBlock[] {
  return takeableIn(draft).steps;
}

/**
 * The blocks that are in the window, or will be once the draft is applied, or are taken back, in
 * order.
 */
export function blocksIn({ input, changes }: Draft): readonly Block[] {
  if (!isAnyOutside(changes)) return blocksInWindow(input.window);
  return input.window.blocks.filter(
    (block) => isInWindow(block) || OUTSIDE.has(changes.get(block.id)?.what.action ?? 'keep'),
  );
}

/** The actions that may concern a block outside the window. */
const OUTSIDE: ReadonlySet<Action> = new Set<Action>(['restore', 'undoPrompt']);

/** A cache, since it is asked behind each rung. */
const ANY_OUTSIDE = new WeakMap<Draft['changes'], boolean>();

function isAnyOutside(changes: Draft['changes']): boolean {
  const known = ANY_OUTSIDE.get(changes);
  if (known !== undefined) return known;
  let found = false;
  for (const { what } of changes.values()) found ||= OUTSIDE.has(what.action);
  ANY_OUTSIDE.set(changes, found);
  return found;
}

/** Says whether a rung has taken the block out of the window. */
export function isOut(draft: Draft, id: BlockId): boolean {
  return draft.out.has(id);
}

/** The block as the draft leaves it. */
export function formOf(draft: Draft, block: Block): Block {
  return draft.changes.get(block.id)?.form ?? block;
}

/** What was decided for a block; undefined where nothing was. */
export function draftDecisionOf(draft: Draft, id: BlockId): DraftDecision | undefined {
  return draft.changes.get(id)?.what;
}

/** The block's tokens as the draft stands. */
export function weightIn(draft: Draft, id: BlockId): number {
  return draft.changes.get(id)?.weight ?? weightOf(draft.input.measured, id).tokens;
}

/** The tokens a block will have in another form, as it is measured once the draft is applied. */
export function weightAs({ input }: Draft, form: Block): number {
  return weightInForm(input, form);
}

/** A block with its new weight (tokens), its new form, and what was done to it. */
export interface BlockChange {
  readonly id: BlockId;
  readonly weight: number;
  readonly what: DraftDecision;
  /** Absent where the block is out. */
  readonly form?: Block;
}

/** Gives blocks their new weights; all of a rung's at once, so that a long window stays cheap. */
export function changeAll(draft: Draft, touched: readonly BlockChange[]): Draft {
  if (touched.length === 0) return draft;
  const changes = copyOf(draft.changes);
  let { used } = draft;
  for (const change of touched) {
    const { id, weight } = change;
    used += weight - (changes.get(id)?.weight ?? weightOf(draft.input.measured, id).tokens);
    changes.set(id, change);
  }
  if (!touched.some(({ what }) => MOVING.has(what.action))) return { ...draft, used, changes };
  const gapGrowth = gapGrowthOf(draft.input, changes);
  used += gapGrowth - draft.gapGrowth;
  const out = new Set(draft.out);
  for (const { id, what } of touched) if (TAKING_OUT.has(what.action)) out.add(id);
  return { ...draft, used, changes, out, gapGrowth };
}

/** Faster than the constructor of a map, and rungs copy long ones. */
function copyOf<K, V>(map: ReadonlyMap<K, V>): Map<K, V> {
  const copy = new Map<K, V>();
  map.forEach((value, key) => copy.set(key, value));
  return copy;
}

const TAKING_OUT: ReadonlySet<Action> = new Set<Action>(['summarise', 'evict', 'undoPrompt']);

/** The actions that take a block out of the window, or bring it in. */
const MOVING: ReadonlySet<Action> = new Set<Action>([
  'summarise',
  'evict',
  'restore',
  'undoPrompt',
]);

/** Estimates how much the lines grow that say where whole turns left, once a plan is applied. */
function gapGrowthOf(
  { window, measured, estimate }: PolicyInput,
  changes: Draft['changes'],
): number {
  // A summary stands in the place of the first block that it covers.
  const firsts = new Map<BlockId, BlockId>();
  for (const { id } of blocksInWindow(window)) {
    const summaryId = changes.get(id)?.what.summaryId;
    if (summaryId !== undefined && !firsts.has(summaryId)) firsts.set(summaryId, id);
  }
  const isOutside = isAnyOutside(changes);
  const presence = (block: Block): Presence => {
    // Most blocks have left already, and nothing is done to them.
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
      return 'told';
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

/** Takes what a rung did where that frees tokens; else the draft stays as it was. */
export function ifGained(before: Draft, after: Draft): Draft {
  return after.used < before.used ? after : before;
}
