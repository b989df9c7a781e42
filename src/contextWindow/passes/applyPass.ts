import {
  isInWindow,
  type Block,
  type BlockId,
  type BlockState,
  type StepRange,
  type SummaryBlock,
} from '../block';
import type { ContextWindow, FormerBlock } from '../contextWindow';
import { admissionDecision } from '../account/admission';
import { asAdmitted, shortened } from '../blockForms';
import type { Decision, Pass, Summary, Taking } from '../plan';
import { isScratchpadChanged, belongBehindAnchor } from '../request/blockMessages';
import { refaultByUser } from './refault';
import { scratchpadText } from '../scratchpad';
import { withoutThinking } from '../thinking';

const STATE_AFTER: Readonly<Record<Taking, BlockState>> = {
  truncate: 'truncated',
  trim: 'trimmed',
  clear: 'cleared',
  compact: 'compacted',
  evict: 'evicted',
};

/** Carries out what a pass decided: states change, summaries come in, nothing is deleted. */
export function applyPass(window: ContextWindow, pass: Pass): ContextWindow {
  const decisionOf = new Map(pass.decisions.map((decision) => [decision.blockId, decision]));
  const shownScratchpad = scratchpadText(window.scratchpad);
  const asDecided = (block: Block): Block => {
    const decision = decisionOf.get(block.id);
    return decision === undefined ? block : decide(window, block, decision);
  };
  const staying = pass.summaries
    .reduce(placeSummary, window.blocks.map(asDecided))
    .filter(isInWindow);
  let edited = isScratchpadChanged(window, staying);
  const decided = window.blocks.map((block): Block => {
    const decision = decisionOf.get(block.id);
    const changed = asDecided(block);
    // Thinking may go from the start on, oldest first: that leaves later thinking as it is.
    edited ||= changed !== block && decision?.action !== 'trim';
    return edited ? withoutThinking(changed) : changed;
  });
  const blocks = pass.summaries.reduce(placeSummary, decided);
  return {
    ...window,
    blocks,
    leftByPass: blocks,
    shownScratchpad,
    scratchpadBehindAnchor: belongBehindAnchor(staying),
    decisions: decisionsAfter(window, decided, decisionOf),
    refaults: [...window.refaults, ...restoredIn(window, pass)],
    ledger: [...window.ledger, { pass, former: formerOf(window, decided) }],
  };
}

/** The last decision for every block that is not whole, once the pass has applied. */
function decisionsAfter(
  window: ContextWindow,
  decided: readonly Block[],
  decisionOf: ReadonlyMap<BlockId, Decision>,
): ContextWindow['decisions'] {
  const decisions = new Map(window.decisions);
  window.blocks.forEach((before, index) => {
    const decision = decisionOf.get(before.id);
    const block = decided[index];
    if (decision === undefined || block === undefined) return;
    switch (decision.action) {
      case 'keep':
      case 'rewrite':
        return;
      case 'trim':
        // A block that is cut or cleared as well stays that: why it is says more.
        if (before.state === 'whole') decisions.set(before.id, decision);
        return;
      case 'restore': {
        // What took it out holds no longer; how it was cut at admission does.
        decisions.delete(before.id);
        const admitted = block.kind === 'summary' ? undefined : admissionDecision(block);
        if (admitted !== undefined) decisions.set(before.id, admitted);
        return;
      }
      case 'truncate':
      case 'clear':
      case 'compact':
      case 'evict':
        decisions.set(before.id, decision);
        return;
    }
  });
  return decisions;
}

/** What the user brought back, as far as a policy had taken it. */
function restoredIn(window: ContextWindow, { decisions }: Pass): ContextWindow['refaults'] {
  return decisions.flatMap(({ action, blockId }) =>
    action === 'restore' ? refaultByUser(window, blockId) : [],
  );
}

/** The blocks a pass changed, as they were. */
function formerOf(window: ContextWindow, decided: readonly Block[]): readonly FormerBlock[] {
  return window.blocks.flatMap((block, index): FormerBlock[] => {
    if (decided[index] === block) return [];
    const decision = window.decisions.get(block.id);
    return [{ block, ...(decision === undefined ? {} : { decision }) }];
  });
}

function decide(window: ContextWindow, block: Block, decision: Decision): Block {
  const { action } = decision;
  if (action === 'keep') return block;
  if (action === 'restore') return asAdmitted(window, block);
  if (action === 'rewrite') return rewritten(block, decision);
  if (action === 'truncate') return shortened(block, decision.admissions ?? []);
  if (action === 'trim') {
    return withoutThinking(block.state === 'whole' ? { ...block, state: 'trimmed' } : block);
  }
  const { exactTokens: _stale, ...rest } = block;
  const state = STATE_AFTER[action];
  if (action !== 'clear' || rest.kind !== 'step') return { ...rest, state } as Block;
  const cleared = new Set(decision.toolUseIds ?? []);
  const pairs = rest.pairs.map((pair) =>
    cleared.has(pair.use.id) ? { ...pair, cleared: true } : pair,
  );
  return shortened({ ...rest, state, pairs }, decision.admissions ?? []);
}

function rewritten(block: Block, { text }: Decision): Block {
  if (block.kind !== 'summary' || text === undefined) return block;
  const { exactTokens: _stale, ...rest } = block;
  return { ...rest, text, editedByUser: true };
}

function placeSummary(blocks: readonly Block[], summary: Summary): readonly Block[] {
  const covered = new Set<BlockId>(summary.covers);
  const at = blocks.findIndex((block) => covered.has(block.id));
  if (at === -1) return blocks;
  const block: SummaryBlock = {
    kind: 'summary',
    id: summary.id,
    turn: blocks[at]?.turn ?? 0,
    text: summary.text,
    covers: summary.covers,
    ...stepsOf(blocks.filter((covering) => covered.has(covering.id))),
    writtenBy: summary.writtenBy,
    ...(summary.editedByUser === true ? { editedByUser: true } : {}),
    pinned: false,
    state: 'whole',
  };
  return [...blocks.slice(0, at), block, ...blocks.slice(at)];
}

/** The steps a run stands for; a summary in it stands for the steps it took over. */
function stepsOf(run: readonly Block[]): { readonly steps?: StepRange } {
  const numbers = run.flatMap((block) => {
    if (block.kind === 'step') return [block.step];
    return block.kind === 'summary' && block.steps !== undefined
      ? [block.steps.first, block.steps.last]
      : [];
  });
  return numbers.length === 0
    ? {}
    : { steps: { first: Math.min(...numbers), last: Math.max(...numbers) } };
}
