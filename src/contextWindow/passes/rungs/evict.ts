import { isReminder, type Block } from '../../block';
import {
  ifGained,
  takeable,
  changeAll,
  weightIn,
  type Draft,
  type Rung,
  type BlockChange,
  isOut,
} from './draft';
import { blocksInWindow } from '../../window';
import { tierOf, type Tier } from '../../tier';
import { oftenNeeded, timesNeeded } from '../oftenNeeded';

/** Evicts whole blocks, oldest first, down to the low watermark. */
export const evictOldest: Rung = (draft) => evictInOrder(draft, takeable(draft), 'evictOldest');

/** Evicts blocks in the given order, down to a mark. */
export function evictInOrder(
  draft: Draft,
  blocks: readonly Block[],
  rule: 'evictOldest' | 'evictMiddle' | 'evictLeastSalient' | 'evictUnneeded' | 'evictRestored',
): Draft {
  const candidates = blocks.filter(({ id }) => weightIn(draft, id) > 0);
  const goal = reachableGoal(draft, candidates);
  if (goal === undefined) return draft;
  let next = draft;
  let at = 0;
  // Gap lines take tokens too: if those are missing, a few more blocks are evicted.
  while (next.used > goal && at < candidates.length) {
    const touched: BlockChange[] = [];
    let { used } = next;
    for (; used > goal && at < candidates.length; at += 1) {
      const { id } = candidates[at] as Block;
      touched.push({ id, weight: 0, what: { action: 'evict', reason: { rule } } });
      used -= weightIn(draft, id);
    }
    next = changeAll(next, touched);
  }
  return ifGained(draft, next);
}

/**
 * Picks the lowest mark that evicting the candidates can reach; undefined if nothing needs to be
 * evicted. If even an empty tail would stay above the low watermark, emptying it would lose much
 * and gain little, so the next mark counts.
 */
function reachableGoal(draft: Draft, candidates: readonly Block[]): number | undefined {
  const { highTokens, inputBudget } = draft.input.budget;
  const most = candidates.reduce((sum, block) => sum + weightIn(draft, block.id), 0);
  const marks = [draft.target, (draft.target + highTokens) / 2, highTokens, inputBudget];
  const goal = marks.find((mark) => draft.used - most <= mark) ?? 0;
  return draft.used > goal ? goal : undefined;
}

const TIER_ORDER: Readonly<Record<Tier, number>> = { archive: 0, working: 1, system: 2 };

/** Evicts whole blocks, archive before working tier, least salient first. */
export function evictLeastSalient(draft: Draft): Draft {
  if (draft.used <= draft.target) return draft;
  const candidates = takeable(draft)
    .map((block) => ({ block, place: evictionOrder(draft, block) }))
    .sort((a, b) => a.place - b.place)
    .map(({ block }) => block);
  const evicted = evictInOrder(draft, candidates, 'evictLeastSalient');
  if (evicted === draft) return draft;
  // The gap lines of finished turns take tokens too, so a few more blocks may have to be evicted.
  const finished = evictFinishedPrompts(evicted);
  return finished === evicted ? evicted : evictLeastSalient(finished);
}

/** In the order of eviction, blocks that were often needed again come after this place. */
export const NEEDED_OFTEN_PLACE = 1.5;

/**
 * The place of a block in the order of eviction: at most 0.5 for archive, 1.5 for working, and below 2
 * for blocks that were often needed again.
 */
export function evictionOrder(draft: Draft, block: Block): number {
  // A prompt is small and says what its steps are for: it is evicted after them.
  if (block.kind === 'prompt' || block.kind === 'anchor') return TIER_ORDER.system;
  const salience = draft.salience.get(block.id)?.salience ?? 0;
  const { window } = draft.input;
  if (oftenNeeded(timesNeeded(window), block) > 0)
    return NEEDED_OFTEN_PLACE + (salience + 0.01) / 3;
  return TIER_ORDER[tierOf(window, block)] + salience / 2;
}

/**
 * Evicts the prompt of a turn whose steps were all evicted, so that the agent does not obey it
 * again.
 */
function evictFinishedPrompts(draft: Draft): Draft {
  const steps = blocksInWindow(draft.input.window).filter(({ kind }) => kind === 'step');
  const turnsOf = (blocks: readonly Block[]) => new Set(blocks.map(({ turn }) => turn));
  const busy = turnsOf(steps.filter(({ id }) => !isOut(draft, id)));
  const emptied = turnsOf(steps.filter(({ id }) => isOut(draft, id)));
  const finished = takeable(draft).filter(
    ({ kind, turn }) =>
      (kind === 'prompt' || kind === 'anchor') && emptied.has(turn) && !busy.has(turn),
  );
  const what = { action: 'evict', reason: { rule: 'evictFinishedPrompt' } } as const;
  return changeAll(
    draft,
    finished.map(({ id }) => ({ id, weight: 0, what })),
  );
}

/**
 * Evicts, oldest first, restored blocks that the model has not read yet, if the request is too
 * large even with them truncated: otherwise it could not be sent.
 */
export const evictRestored: Rung = (draft) => {
  const { window, budget, spared } = draft.input;
  if (draft.used <= budget.inputBudget) return draft;
  const restored = blocksInWindow(window).filter(
    ({ id }) =>
      draft.protections.get(id) === 'keep:restored' &&
      spared?.has(id) !== true &&
      !isOut(draft, id),
  );
  return evictInOrder(draft, restored, 'evictRestored');
};

/**
 * Evicts notes about changes of the scratchpad, since a pass shows the scratchpad itself, and
 * reminders that the model has read.
 */
export const evictShownNotes: Rung = (draft) => {
  if (draft.used <= draft.target) return draft;
  const notes = takeable(draft).filter(
    (block) => (block.kind === 'note' && block.source.from === 'scratchpad') || isReminder(block),
  );
  return ifGained(
    draft,
    changeAll(
      draft,
      notes.map((block): BlockChange => {
        const reason = { rule: 'evictShownNotes', isReminder: isReminder(block) } as const;
        return { id: block.id, weight: 0, what: { action: 'evict', reason } };
      }),
    ),
  );
};
