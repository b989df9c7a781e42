import type { Block } from '../block';
import { blocksInWindow } from '../contextWindow';
import { tierOf, type Tier } from '../tier';
import { closeRung, isOut, takeable, touchAll, weightIn, type Draft, type Touched } from './draft';

const TIER_ORDER: Readonly<Record<Tier, number>> = { archive: 0, working: 1, system: 2 };

/** Takes whole blocks out, archive before working tier, least salient first. */
export function evictLeastSalient(draft: Draft): Draft {
  const candidates = takeable(draft)
    .filter(({ id }) => weightIn(draft, id) > 0)
    .toSorted((a, b) => order(draft, a) - order(draft, b));
  const goal = reachableGoal(draft, candidates);
  if (goal === undefined) return draft;
  const touched: Touched[] = [];
  let { used } = draft;
  for (const { id } of candidates) {
    if (used <= goal) break;
    touched.push({ id, weight: 0, what: { action: 'evict', rule: 'evictLeastSalient' } });
    used -= weightIn(draft, id);
  }
  return closeRung(draft, evictFinishedPrompts(touchAll(draft, touched)), 'evict');
}

function order(draft: Draft, block: Block): number {
  // A prompt weighs little and says what its steps are for: it goes after them.
  if (block.kind === 'prompt' || block.kind === 'anchor') return TIER_ORDER.system;
  const salience = draft.salience.get(block.id)?.salience ?? 0;
  return TIER_ORDER[tierOf(draft.input.window, block)] + salience / 2;
}

/**
 * Picks the lowest mark that can be reached. Where even an empty tail would stay above the low
 * watermark, emptying it would lose much and gain little: the next mark up will do.
 */
function reachableGoal(draft: Draft, candidates: readonly Block[]): number | undefined {
  const { highTokens, inputBudget } = draft.input.budget;
  const most = candidates.reduce((sum, block) => sum + weightIn(draft, block.id), 0);
  const marks = [draft.target, (draft.target + highTokens) / 2, highTokens, inputBudget];
  const goal = marks.find((mark) => draft.used - most <= mark) ?? 0;
  return draft.used > goal ? goal : undefined;
}

/** Takes the prompt of a turn along whose steps have all gone, so that it is not obeyed again. */
function evictFinishedPrompts(draft: Draft): Draft {
  const left = takeable(draft);
  const busyTurns = new Set(
    blocksInWindow(draft.input.window)
      .filter((block) => block.kind === 'step' && !isOut(draft, block.id))
      .map((block) => block.turn),
  );
  const emptied = new Set(
    draft.input.window.blocks
      .filter((block) => block.kind === 'step' && isOut(draft, block.id))
      .map((block) => block.turn),
  );
  const finished = left.filter(
    ({ kind, turn }) =>
      (kind === 'prompt' || kind === 'anchor') && emptied.has(turn) && !busyTurns.has(turn),
  );
  const what = { action: 'evict', rule: 'evictFinishedPrompt' } as const;
  return touchAll(
    draft,
    finished.map(({ id }) => ({ id, weight: 0, what })),
  );
}
