import { isInWindow, type Block, type BlockId } from '../../contextWindow/block';
import { blocksInWindow, type ContextWindow } from '../../contextWindow/contextWindow';
import { labelOf } from '../../contextWindow/label';
import { categoryOfBlock } from '../../contextWindow/ledger';
import { weightOf, type Measurement } from '../../contextWindow/measure';
import type { Action, Plan, SalienceFactors } from '../../contextWindow/plan';
import { salienceOf } from '../../contextWindow/salience';
import type { BlockView } from '../../protocol/contextPanel';
import { blockReason } from '../blockReason';
import { displayState } from '../displayState';
import { plannedPass, whyNothing, type PlanFacts } from './plannedPass';

/** The rows of the Context panel. */
export interface DrawnBlocks {
  /** What a pass would do now; absent in the past, and while nothing would leave. */
  readonly plan?: Plan;
  readonly blocks: readonly BlockView[];
}

/** Draws a row for every block, with what a pass would do to it where it is now. */
export function drawnBlocks(facts: PlanFacts, isNow: boolean): DrawnBlocks {
  const { window, account } = facts;
  const planned = isNow ? plannedPass(facts) : undefined;
  if (planned === undefined || whyNothing(planned.plan) !== undefined) {
    return { blocks: blockViews(window, account.measured, undefined) };
  }
  const { plan } = planned;
  return { plan, blocks: blockViews(window, account.measured, plan) };
}

function blockViews(
  window: ContextWindow,
  measured: Measurement,
  plan: Plan | undefined,
): readonly BlockView[] {
  const weights = new Map(
    blocksInWindow(window).map(({ id }) => [id, weightOf(measured, id).tokens] as const),
  );
  const aids: RowAids = {
    salienceOf: salienceOf(window, weights),
    leavesNext: new Map(
      (plan?.decisions ?? []).flatMap(({ blockId, action }) =>
        action === 'keep' ? [] : [[blockId, action] as const],
      ),
    ),
  };
  return window.blocks.map((block) => blockView(window, measured, block, aids));
}

/** What rows show that is worked out for all of them at once. */
interface RowAids {
  readonly salienceOf: ReadonlyMap<BlockId, SalienceFactors>;
  readonly leavesNext: ReadonlyMap<BlockId, Action>;
}

function blockView(
  window: ContextWindow,
  measured: Measurement,
  block: Block,
  { salienceOf, leavesNext }: RowAids,
): BlockView {
  const salience = salienceOf.get(block.id);
  const next = leavesNext.get(block.id);
  return {
    id: block.id,
    kind: block.kind,
    turn: block.turn,
    label: labelOf(block),
    reason: blockReason(window, block),
    state: displayState(window, block),
    pinned: block.pinned,
    tokens: weightOf(measured, block.id),
    tools: block.kind === 'step' ? block.pairs.map(({ use }) => use.name) : [],
    ...(block.kind === 'step' ? { step: block.step } : {}),
    ...(isInWindow(block) ? { category: categoryOfBlock(window, block) } : {}),
    ...(salience === undefined ? {} : { salience }),
    ...(next === undefined ? {} : { leavesNext: next }),
  };
}
