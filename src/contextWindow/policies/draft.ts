import type { Block, BlockId, ToolUseId } from '../block';
import { blocksInWindow } from '../contextWindow';
import { notesGrowth, weightOf } from '../measure';
import type { Action, RungGain, Rule, SalienceFactors, SummaryJob } from '../plan';
import { salienceOf } from '../salience';
import { protectionOf, type Protection } from '../tier';
import type { PolicyInput } from './policy';

/** What a rung did to one block. */
export interface Touch {
  readonly action: Exclude<Action, 'keep' | 'truncate'>;
  readonly rule: Rule;
  readonly toolUseIds?: readonly ToolUseId[];
  readonly summaryId?: BlockId;
}

/** A plan in the making: what the rungs so far have done, and how full that leaves the window. */
export interface Draft {
  readonly input: PolicyInput;
  /** Estimated tokens of the window with the touches applied, each summary at its largest. */
  readonly used: number;
  /** Stop at or below this; tokens. */
  readonly target: number;
  readonly touches: ReadonlyMap<BlockId, Touch>;
  /** Current tokens of every block that was in the window. */
  readonly weights: ReadonlyMap<BlockId, number>;
  readonly summaries: readonly SummaryJob[];
  readonly rungs: readonly RungGain[];
  readonly salience: ReadonlyMap<BlockId, SalienceFactors>;
  readonly protections: ReadonlyMap<BlockId, Protection>;
}

/** One rung of the ladder: does what it can, and hands on. */
export type Rung = (draft: Draft) => Draft;

/** Begins a plan in which every block is kept. */
export function startDraft(input: PolicyInput): Draft {
  const { window, measured, estimate } = input;
  const blocks = blocksInWindow(window);
  const protections = new Map<BlockId, Protection>();
  for (const block of blocks) {
    const protection = protectionOf(window, block);
    if (protection !== undefined) protections.set(block.id, protection);
  }
  return {
    input,
    // The pass shows the notes as they are now, which may be more than it showed before.
    used: measured.used.tokens + notesGrowth(window, estimate),
    target: targetOf(input),
    touches: new Map(),
    weights: new Map(blocks.map(({ id }) => [id, weightOf(measured, id).tokens])),
    summaries: [],
    rungs: [],
    salience: salienceOf(window),
    protections,
  };
}

/** After an overflow the estimate is known to be too low: the request must shrink all the same. */
function targetOf({ trigger, measured, budget }: PolicyInput): number {
  return trigger === 'overflow'
    ? Math.min(budget.lowTokens, Math.floor(measured.used.tokens * 0.9))
    : budget.lowTokens;
}

/** The blocks a rung may still take out: in the window, unprotected, not yet taken. */
export function takeable(draft: Draft): readonly Block[] {
  return blocksInWindow(draft.input.window).filter(
    ({ id }) => !draft.protections.has(id) && !isOut(draft, id),
  );
}

/** Says whether a rung has taken the block out of the window. */
export function isOut(draft: Draft, id: BlockId): boolean {
  const action = draft.touches.get(id)?.action;
  return action === 'compact' || action === 'evict';
}

/** The block's tokens as the draft stands. */
export function weightIn(draft: Draft, id: BlockId): number {
  return draft.weights.get(id) ?? 0;
}

/** A block with its new weight (tokens) and what was done to it. */
export interface Touched {
  readonly id: BlockId;
  readonly weight: number;
  readonly what: Touch;
}

/** Gives blocks their new weights; all of a rung's at once, so that a long window stays cheap. */
export function touchAll(draft: Draft, touched: readonly Touched[]): Draft {
  const touches = new Map(draft.touches);
  const weights = new Map(draft.weights);
  let { used } = draft;
  for (const { id, weight, what } of touched) {
    used += weight - (weights.get(id) ?? 0);
    touches.set(id, what);
    weights.set(id, weight);
  }
  return { ...draft, used, touches, weights };
}

/** Adds to the account what a rung gained; a rung that gained nothing leaves no trace. */
export function closeRung(before: Draft, after: Draft, rung: RungGain['rung']): Draft {
  const tokens = before.used - after.used;
  const touched = [...after.touches].filter(([id, what]) => before.touches.get(id) !== what);
  if (tokens <= 0) return before;
  const gain = { rung, blocks: touched.length, tokens };
  const earlier = before.rungs.find((other) => other.rung === rung);
  if (earlier === undefined) return { ...after, rungs: [...before.rungs, gain] };
  const sum = {
    rung,
    blocks: earlier.blocks + gain.blocks,
    tokens: earlier.tokens + gain.tokens,
  };
  return { ...after, rungs: before.rungs.map((other) => (other === earlier ? sum : other)) };
}
