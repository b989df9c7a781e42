import { categoryOfBlock } from '../../../contextWindow/account/balance';
import { type Measurement, weightOf } from '../../../contextWindow/account/measure';
import { isKept, marksIn } from '../../../agent/secrets/knownSecrets';
import { type Block, type BlockId, isInWindow, type ToolPair } from '../../../contextWindow/block';
import { blockText } from '../../../contextWindow/blockText';
import { callKindOf } from '../../../contextWindow/callEffect';
import { labelOf } from '../../../contextWindow/label';
import { whyNotBack, whyNotTaken } from '../../../contextWindow/passes/byHand';
import { salienceOf } from '../../../contextWindow/passes/rungs/salience';
import { PersistentList, rememberedFold } from '../../../contextWindow/persistentList';
import { type Protection, protectionOf } from '../../../contextWindow/tier';
import { PersistentMap } from '../../../contextWindow/persistentMap';
import type {
  Action,
  Amount,
  Decision,
  Pass,
  Plan,
  SalienceFactors,
} from '../../../contextWindow/plan';
import type { ContextWindow, LedgerEntry } from '../../../contextWindow/window';
import {
  lastDecisions,
  type PlanFacts,
  plannedNext,
  plannedPass,
  ranNext,
} from '../ledger/nextPass';
import { callStateOf } from '../../session/callState';
import type { NextView } from '../ledger/state';
import type { BlockView, DisplayState, ResultsView } from '../state';
import { blockReason, blockWhy } from './blockReason';
import type { LeftView } from './state';

/** The rows of the Context panel. */
export interface DrawnBlocks {
  readonly next: NextView;
  readonly blocks: readonly BlockView[];
  /** Rows of the same session that a later drawing uses again. */
  readonly rows: SettledRows;
}

/**
 * The rows of removed blocks, by block, and by chunk if the whole chunk was removed: such a row
 * shows the block and its decision, and neither changes any more.
 */
interface SettledRows {
  readonly blocks: WeakMap<Block, BlockView>;
  readonly chunks: WeakMap<readonly Block[], readonly BlockView[]>;
}

/**
 * Draws a row for every block, with what a pass would do to it now. Rows of `former`, drawn of the same
 * session before, are used again where they still hold.
 */
export function drawnBlocks(facts: PlanFacts, former?: DrawnBlocks): DrawnBlocks {
  const { window, account, policy } = facts;
  const plan = plannedPass(facts)?.plan;
  const salience = plan === undefined ? salienceNow(window, account.measured) : salienceIn(plan);
  const next = plannedNext(plan, policy);
  const leavesNext = next.type === 'planned' ? changesBy(plan) : NO_CHANGES;
  const aids = { salienceOf: salience, leavesNext, tookNext: NO_CHANGES };
  return { next, ...blockViews(window, account.measured, aids, former?.rows) };
}

/** Draws the rows without a plan, which takes a while for a long window. */
export function drawnBlocksUnplanned({
  window,
  account,
}: Pick<PlanFacts, 'window' | 'account'>): DrawnBlocks {
  return { next: { type: 'workingOut' }, ...blockViews(window, account.measured, NO_AIDS) };
}

/** Draws the rows of a past step, with what the passes did to them that ran right after it. */
export function drawnBlocksOfPast(
  { window, account }: Pick<PlanFacts, 'window' | 'account'>,
  ran: readonly Pass[],
  former?: DrawnBlocks,
): DrawnBlocks {
  const salience = salienceNow(window, account.measured);
  const tookNext = changesBy({ decisions: lastDecisions(ran) });
  const aids = { salienceOf: salience, leavesNext: NO_CHANGES, tookNext };
  return { next: ranNext(ran), ...blockViews(window, account.measured, aids, former?.rows) };
}

type Changes = ReadonlyMap<BlockId, Decision>;

const NO_CHANGES: Changes = new Map();

function changesBy(pass: Pick<Plan, 'decisions'> | undefined): Changes {
  const changes = (pass?.decisions ?? []).filter(({ action }) => action !== 'keep');
  return new Map(changes.map((decision) => [decision.blockId, decision] as const));
}

type Salience = ReadonlyMap<BlockId, SalienceFactors>;

/** The plan has already calculated the relevance of every block in the window. */
function salienceIn({ decisions }: Plan): Salience {
  const found = new Map<BlockId, SalienceFactors>();
  for (const { blockId, salience } of decisions) {
    if (salience !== undefined) found.set(blockId, salience);
  }
  return found;
}

function salienceNow(window: ContextWindow, measured: Measurement): Salience {
  return salienceOf(window, (id) => weightOf(measured, id).tokens);
}

function blockViews(
  window: ContextWindow,
  measured: Measurement,
  aids: RowAids,
  settled: SettledRows = { blocks: new WeakMap(), chunks: new WeakMap() },
): Omit<DrawnBlocks, 'next'> {
  const isSettled = (block: Block) => !isInWindow(block) && !aids.tookNext.has(block.id);
  const rowOf = (block: Block): BlockView => {
    const known = isSettled(block) ? settled.blocks.get(block) : undefined;
    const row = known ?? blockView(window, measured, block, aids);
    if (isSettled(block)) settled.blocks.set(block, row);
    return row;
  };
  const chunks = window.blocks.chunks.map((chunk) => {
    const known = aids.tookNext.size === 0 ? settled.chunks.get(chunk) : undefined;
    if (known !== undefined) return known;
    const rows = chunk.map(rowOf);
    if (chunk.every(isSettled)) settled.chunks.set(chunk, rows);
    return rows;
  });
  return { blocks: PersistentList.ofChunks(chunks).toArray(), rows: settled };
}

/** Facts for all rows, calculated once. */
interface RowAids {
  readonly salienceOf: Salience;
  readonly leavesNext: Changes;
  readonly tookNext: Changes;
}

const NO_AIDS = { salienceOf: new Map(), leavesNext: NO_CHANGES, tookNext: NO_CHANGES };

function unrecordedOf({ recorded }: ContextWindow, block: Block): Pick<BlockView, 'unrecorded'> {
  const unrecorded = isInWindow(block) ? recorded?.sizes.get(block.id)?.unrecorded : undefined;
  return unrecorded === undefined || unrecorded === 0 ? {} : { unrecorded };
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
  const results = resultsOf(block, next);
  const left = isInWindow(block) ? undefined : whatLeft(window).get(block.id);
  const whyHeld = isInWindow(block) ? whyNotTaken(window, block) : undefined;
  return {
    id: block.id,
    kind: block.kind,
    turn: block.turn,
    label: labelOf(block),
    reason: blockReason(window, block, next),
    why: blockWhy(window, block, next),
    state: displayState(window, block),
    pinned: block.pinned,
    keepable: isInWindow(block) && !isHeld(protectionOf(window, block)),
    tokens: weightOf(measured, block.id),
    ...unrecordedOf(window, block),
    ...callsOf(block.kind === 'step' ? block.pairs : []),
    results,
    whyHeld,
    canComeBack: whyNotBack(window, block) === undefined,
    ...(isInWindow(block) ? secretsOf(window, block) : {}),
    ...(block.kind === 'step' ? { step: block.step } : {}),
    ...writtenBeforeStep(window, block),
    ...(isInWindow(block) ? { category: categoryOfBlock(window, block) } : {}),
    left,
    ...(block.kind === 'summary' ? { covers: block.covers } : {}),
    ...(salience === undefined ? {} : { salience: inHundredths(salience) }),
    ...(next === undefined ? {} : { leavesNext: next.action }),
    ...(took === undefined ? {} : { tookNext: took.action }),
  };
}

/** The calls of a step, as its name says them. */
export function callsOf(
  pairs: readonly ToolPair[],
): Pick<BlockView, 'tools' | 'callKinds' | 'callStates'> {
  const states = pairs.map(({ result }) =>
    result === undefined ? 'waiting' : callStateOf(result),
  );
  return {
    tools: pairs.map(({ use }) => use.name),
    callKinds: pairs.map(({ use }) => callKindOf(use)),
    ...(states.every((state) => state === 'done') ? {} : { callStates: states }),
  };
}

/** A cache: a step draws all rows, and a block never changes. */
const MARKS = new WeakMap<Block, readonly string[]>();

/** Whether a block has secrets whose originals are in memory. */
function secretsOf({ sentSecrets = [] }: ContextWindow, block: Block): Pick<BlockView, 'secrets'> {
  const marks = MARKS.get(block) ?? marksIn(blockText(block));
  MARKS.set(block, marks);
  const kept = marks.filter(isKept);
  if (kept.length === 0) return {};
  return { secrets: kept.every((mark) => sentSecrets.includes(mark)) ? 'sent' : 'masked' };
}

/** Says whether a rule protects a block however long the session goes on, or until the next turn. */
function isHeld(protection: Protection | undefined): boolean {
  return protection !== undefined && protection !== 'keep:restored' && protection !== 'keep:unread';
}

/** The pass that wrote a summary or excerpts; their position among the blocks does not tell. */
function writtenBeforeStep(
  { ledger }: ContextWindow,
  { kind, id }: Block,
): Pick<BlockView, 'writtenBeforeStep'> {
  if (kind !== 'summary' && kind !== 'excerpts') return {};
  const entry = ledger.findLast(
    ({ pass }) => pass.excerpts?.id === id || pass.summaries.some((summary) => summary.id === id),
  );
  return entry === undefined ? {} : { writtenBeforeStep: entry.pass.beforeStep };
}

/** Rounds to displayed precision, so that tiny changes at each step redraw nothing. */
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

/** The state of a block on screen: a block that the user removed was not evicted by a policy. */
export function displayState(window: ContextWindow, { id, state }: Block): DisplayState {
  if (state === 'undone') return 'excluded';
  const isByUser = window.decisions.get(id)?.reason.rule === 'excludedByUser';
  return state === 'evicted' && isByUser ? 'excluded' : state;
}

/** How each removed block left the window. */
interface WhatLeft {
  readonly left: PersistentMap<BlockId, LeftView>;
  /** What a block was while it was whole: an earlier pass may have cleared it before one took it. */
  readonly whole: PersistentMap<BlockId, Amount>;
}

const whatLeftIn = rememberedFold(
  { left: PersistentMap.of(), whole: PersistentMap.of() } as WhatLeft,
  (known, { pass, undone }: LedgerEntry) => {
    if (undone === true) return known;
    const { left, whole } = known;
    const taken = pass.decisions.filter(({ action }) => TAKES[action] !== undefined);
    return {
      left: left.with(taken.map((decision) => [decision.blockId, leftBy(pass, decision, whole)])),
      whole: whole.with(
        taken.map(({ blockId, action, before }) => [
          blockId,
          action === 'restore' ? undefined : (whole.get(blockId) ?? before),
        ]),
      ),
    };
  },
);

/** Which pass removed each block, and what the block was before. */
export function whatLeft({
  ledger,
}: Pick<ContextWindow, 'ledger'>): ReadonlyMap<BlockId, LeftView> {
  return whatLeftIn(ledger).left;
}

/** The actions that remove something of a block, or restore it whole. */
const TAKES: Readonly<Partial<Record<Action, true>>> = {
  truncate: true,
  trim: true,
  clear: true,
  summarise: true,
  evict: true,
  restore: true,
  undoPrompt: true,
};

function leftBy(
  { ordinal, beforeStep, trigger }: Pass,
  { blockId, action, before }: Decision,
  whole: PersistentMap<BlockId, Amount>,
): LeftView | undefined {
  if (action !== 'summarise' && action !== 'evict' && action !== 'undoPrompt') return undefined;
  // The undo also covers blocks that an earlier pass had removed.
  const hadLeft = action === 'undoPrompt' && before.tokens === 0;
  return {
    was: hadLeft ? (whole.get(blockId) ?? before) : before,
    beforeStep,
    ...(trigger === 'byHand' ? {} : { pass: ordinal }),
  };
}
