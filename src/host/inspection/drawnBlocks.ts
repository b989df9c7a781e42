import { isInWindow, type Block, type BlockId } from '../../contextWindow/block';
import { whyNotBack } from '../../contextWindow/byHand';
import { blocksInWindow, type ContextWindow } from '../../contextWindow/contextWindow';
import { callKindOf } from '../../contextWindow/deed';
import { labelOf } from '../../contextWindow/label';
import { categoryOfBlock } from '../../contextWindow/ledger';
import { weightOf, type Measurement } from '../../contextWindow/measure';
import type { Decision, Pass, Plan, SalienceFactors } from '../../contextWindow/plan';
import { salienceOf } from '../../contextWindow/salience';
import type { BlockView, ResultsView } from '../../protocol/contextPanel';
import type { NextView } from '../../protocol/nextView';
import { blockReason } from '../blockReason';
import { displayState } from '../displayState';
import { lastDecisions, nextNow, nextThen } from './nextView';
import { plannedPass, type PlanFacts } from './plannedPass';

/** The rows of the Context panel. */
export interface DrawnBlocks {
  readonly next: NextView;
  readonly blocks: readonly BlockView[];
}

/** Draws a row for every block, with what a pass would do to it now. */
export function drawnBlocks(facts: PlanFacts): DrawnBlocks {
  const { window, account, policy } = facts;
  const plan = plannedPass(facts)?.plan;
  const salience = plan === undefined ? salienceNow(window, account.measured) : salienceIn(plan);
  const next = nextNow(plan, policy);
  const leavesNext = next.type === 'planned' ? changesBy(plan) : NO_CHANGES;
  const aids = { salienceOf: salience, leavesNext, tookNext: NO_CHANGES };
  return { next, blocks: blockViews(window, account.measured, aids) };
}

/** Draws the rows of a past step, with what the passes did to them that ran right after it. */
export function drawnBlocksThen(
  { window, account }: Pick<PlanFacts, 'window' | 'account'>,
  ran: readonly Pass[],
): DrawnBlocks {
  const salience = salienceNow(window, account.measured);
  const aids = {
    salienceOf: salience,
    leavesNext: NO_CHANGES,
    tookNext: changesBy({ decisions: lastDecisions(ran) }),
  };
  return { next: nextThen(ran), blocks: blockViews(window, account.measured, aids) };
}

type Changes = ReadonlyMap<BlockId, Decision>;

const NO_CHANGES: Changes = new Map();

function changesBy(pass: Pick<Plan, 'decisions'> | undefined): Changes {
  const changes = (pass?.decisions ?? []).filter(({ action }) => action !== 'keep');
  return new Map(changes.map((decision) => [decision.blockId, decision] as const));
}

type Salience = ReadonlyMap<BlockId, SalienceFactors>;

/** A plan has worked the salience of every block in the window out already. */
function salienceIn({ decisions }: Plan): Salience {
  const found = new Map<BlockId, SalienceFactors>();
  for (const { blockId, salience } of decisions) {
    if (salience !== undefined) found.set(blockId, salience);
  }
  return found;
}

function salienceNow(window: ContextWindow, measured: Measurement): Salience {
  const blocks = blocksInWindow(window);
  return salienceOf(
    window,
    new Map(blocks.map(({ id }) => [id, weightOf(measured, id).tokens] as const)),
  );
}

function blockViews(
  window: ContextWindow,
  measured: Measurement,
  aids: RowAids,
): readonly BlockView[] {
  return window.blocks.map((block) => blockView(window, measured, block, aids));
}

/** What rows show that is worked out for all of them at once. */
interface RowAids {
  readonly salienceOf: Salience;
  readonly leavesNext: Changes;
  readonly tookNext: Changes;
}

function blockView(
  window: ContextWindow,
  measured: Measurement,
  block: Block,
  { salienceOf, leavesNext, tookNext }: RowAids,
): BlockView {
  const salience = salienceOf.get(block.id);
  const next = leavesNext.get(block.id);
  const took = tookNext.get(block.id);
  const call = block.kind === 'step' ? block.pairs[0]?.use : undefined;
  const results = resultsOf(block, next);
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
    ...(call === undefined ? {} : { callKind: callKindOf(call) }),
    ...(results === undefined ? {} : { results }),
    // The host refuses by the same rule.
    canComeBack: whyNotBack(window, block) === undefined,
    ...(block.kind === 'step' ? { step: block.step } : {}),
    ...(isInWindow(block) ? { category: categoryOfBlock(window, block) } : {}),
    ...(salience === undefined ? {} : { salience: inHundredths(salience) }),
    ...(next === undefined ? {} : { leavesNext: next.action }),
    ...(took === undefined ? {} : { tookNext: took.action }),
  };
}

/** As exact as it is shown: each step moves these by a hair, and that is nothing to be told of. */
function inHundredths(factors: SalienceFactors): SalienceFactors {
  const { salience, recency, reuse, size } = factors;
  return {
    ...factors,
    salience: hundredths(salience),
    recency: hundredths(recency),
    reuse: hundredths(reuse),
    size: hundredths(size),
  };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Counts the results of a step that has several. */
function resultsOf(block: Block, next: Decision | undefined): ResultsView | undefined {
  if (block.kind !== 'step') return undefined;
  const answered = block.pairs.filter(({ result }) => result !== undefined);
  if (answered.length < 2) return undefined;
  const cleared = answered.filter((pair) => pair.cleared).length;
  const clearedNext = next?.action === 'clear' ? (next.toolUseIds?.length ?? cleared) : cleared;
  return { all: answered.length, cleared, clearedNext };
}
