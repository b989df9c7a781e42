import {
  type Block,
  isThinking,
  type StepBlock,
  type SummaryBlock,
  withoutThinking,
} from '../../block';
import { blocksInWindow, newestStep, type ContextWindow } from '../../window';
import { byChunk } from '../../persistentList';
import { excerptsPlace } from './excerptsBlock';
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
import { isRulesShownOtherwise } from '../../standingRules/standingRules';

/**
 * Removes old thinking, oldest first. The API allows this only from the start and for good, so the
 * newest step keeps its thinking while nothing before it changes.
 */
export const trimOldThinking: Rung = (draft) => {
  const { window } = draft.input;
  if (!isAnyThinking(window)) return draft;
  const touched: BlockChange[] = [];
  let { used } = draft;
  for (const block of blocksInWindow(window)) {
    if (used <= draft.target) break;
    if (block.kind === 'step' && block.step === newestStep(window)) break;
    // Only from the start: a spared block also keeps all later thinking.
    if (draft.protections.get(block.id) === 'keep:spared' && hasThinking(block)) break;
    const trimmed = trim(draft, block, 'oldest');
    if (trimmed === undefined) continue;
    used += trimmed.weight - weightIn(draft, block.id);
    touched.push(trimmed);
  }
  return ifGained(draft, changeAll(draft, touched));
};

/**
 * Removes the thinking after the first change: it is bound to every byte before it, so the API
 * would refuse it. A pass that removes no block may still show other rules or another scratchpad.
 * The freed tokens count before the next rung.
 */
export function trimBehindEdit(draft: Draft): Draft {
  const { window, undonePrompt } = draft.input;
  if (!isAnyThinking(window)) return draft;
  const staying = stayingIn(draft);
  const afterExcerpts =
    draft.excerpts === undefined ? undefined : staying[excerptsPlace(staying)]?.id;
  const scratchpad = scratchpadAfter(window, staying, undonePrompt);
  let edited =
    isShownOtherwise(window, scratchpad) ||
    isRulesShownOtherwise(window, draft.rules.text, scratchpad.scratchpadBehindAnchor);
  const touched: BlockChange[] = [];
  for (const block of blocksIn(draft)) {
    const decided = draftDecisionOf(draft, block.id);
    edited ||=
      block.id === afterExcerpts ||
      (decided !== undefined && decided.reason.rule !== 'trimThinking');
    const trimmed = edited ? trim(draft, block, 'changedBefore') : undefined;
    if (trimmed !== undefined) touched.push(trimmed);
  }
  // Thinking after a change must be removed even if that frees nothing, and the plan says so.
  return changeAll(draft, touched);
}

/**
 * The blocks as the draft leaves them, with a stand-in summary for each block that a summary
 * replaces.
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

function trim(
  draft: Draft,
  block: Block,
  because: 'oldest' | 'changedBefore',
): BlockChange | undefined {
  if (block.kind !== 'step' || isOut(draft, block.id)) return undefined;
  const now = formOf(draft, block);
  if (!hasThinking(now)) return undefined;
  const form = withoutThinking(now);
  const what = draftDecisionOf(draft, block.id) ?? {
    action: 'trim' as const,
    reason: { rule: 'trimThinking' as const, because },
  };
  return { id: block.id, weight: weightAs(draft, form), what, form };
}

/** A cache: asked after each rung, and most blocks are the same. */
const thinkingInChunks = byChunk((chunk: readonly Block[]) => chunk.some(hasThinking));

/** Says whether a block has thinking, also outside the window: a change by hand may restore it. */
function isAnyThinking({ blocks }: ContextWindow): boolean {
  return thinkingInChunks(blocks).includes(true);
}

function hasThinking(block: Block): block is StepBlock {
  return block.kind === 'step' && !block.thinkingDropped && block.parts.some(isThinking);
}
