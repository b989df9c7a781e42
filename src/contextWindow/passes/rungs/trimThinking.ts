import {
  type Block,
  isThinking,
  type StepBlock,
  type SummaryBlock,
  withoutThinking,
} from '../../block';
import { blocksInWindow, newestStep, type ContextWindow } from '../../window';
import { byChunk } from '../../persistentList';
import { viewPlace } from './viewBlock';
import {
  blocksIn,
  ifGained,
  formOf,
  isOut,
  changeAll,
  draftDecisionOf,
  weightIn,
  weightAs,
  type Draft,
  type Rung,
  type BlockChange,
} from './draft';
import { scratchpadAfter, isShownOtherwise } from '../../request/request';

/**
 * Takes old thinking out, oldest first. The API allows it from the start only and for good, so the
 * newest step keeps its own as long as nothing before it is edited.
 */
export const trimOldThinking: Rung = (draft) => {
  const { window } = draft.input;
  if (!isAnyThinking(window)) return draft;
  const touched: BlockChange[] = [];
  let { used } = draft;
  for (const block of blocksInWindow(window)) {
    if (used <= draft.target) break;
    if (block.kind === 'step' && block.step === newestStep(window)) break;
    // Only from the start on: a block the user took out of the pass also keeps the thinking of
    // everything after it.
    if (draft.protections.get(block.id) === 'keep:spared' && hasThinking(block)) break;
    const trimmed = trim(draft, block, 'it was the oldest');
    if (trimmed === undefined) continue;
    used += trimmed.weight - weightIn(draft, block.id);
    touched.push(trimmed);
  }
  return ifGained(draft, changeAll(draft, touched));
};

/**
 * Takes the thinking behind the first change: it is bound to every byte before it, so the API would
 * refuse it. What that frees counts before the next rung looks at the target.
 */
export function trimBehindEdit(draft: Draft): Draft {
  const { window, undonePrompt } = draft.input;
  const isChanged = draft.changes.size > 0 || draft.view !== undefined;
  if (!isChanged || !isAnyThinking(window)) return draft;
  const staying = stayingIn(draft);
  const behindView = draft.view === undefined ? undefined : staying[viewPlace(staying)]?.id;
  let edited = isShownOtherwise(window, scratchpadAfter(window, staying, undonePrompt));
  const touched: BlockChange[] = [];
  for (const block of blocksIn(draft)) {
    const decided = draftDecisionOf(draft, block.id);
    edited ||=
      block.id === behindView || (decided !== undefined && decided.rule !== 'trimThinking');
    const trimmed = edited ? trim(draft, block, 'something before it changed') : undefined;
    if (trimmed !== undefined) touched.push(trimmed);
  }
  // It has to go whether or not that frees anything, and the plan has to say so.
  return changeAll(draft, touched);
}

/**
 * The blocks as the draft leaves them, with something in the assistant's voice in place of each
 * that a summary replaces.
 */
function stayingIn(draft: Draft): readonly Block[] {
  return blocksIn(draft).flatMap((block): readonly Block[] => {
    const action = draftDecisionOf(draft, block.id)?.action;
    if (action === 'evict' || action === 'undoPrompt') return [];
    return [action === 'summarise' ? inSummary(block) : formOf(draft, block)];
  });
}

function inSummary({ id, turn }: Block): SummaryBlock {
  return {
    kind: 'summary',
    id,
    turn,
    text: '',
    covers: [id],
    writtenBy: { by: 'workNote', because: 'it is not written yet' },
    pinned: false,
    state: 'whole',
  };
}

function trim(draft: Draft, block: Block, because: string): BlockChange | undefined {
  if (block.kind !== 'step' || isOut(draft, block.id)) return undefined;
  const now = formOf(draft, block);
  if (!hasThinking(now)) return undefined;
  const form = withoutThinking(now);
  const what = draftDecisionOf(draft, block.id) ?? {
    action: 'trim' as const,
    rule: 'trimThinking' as const,
    because,
  };
  return { id: block.id, weight: weightAs(draft, form), what, form };
}

/** Asked behind each rung; most blocks were there the last time. */
const thinkingInChunks = byChunk((chunk: readonly Block[]) => chunk.some(hasThinking));

/** Says whether a block has thinking, also one that has left: a change by hand may bring it back. */
function isAnyThinking({ blocks }: ContextWindow): boolean {
  return thinkingInChunks(blocks).includes(true);
}

function hasThinking(block: Block): block is StepBlock {
  return block.kind === 'step' && !block.thinkingDropped && block.parts.some(isThinking);
}
