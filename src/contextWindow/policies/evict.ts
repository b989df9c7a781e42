import type { Block } from '../block';
import { tierOf, type Tier } from '../tier';
import { closeRung, isOut, takeable, touch, weightIn, type Draft } from './draft';

const TIER_ORDER: Readonly<Record<Tier, number>> = { archive: 0, working: 1, system: 2 };

/** Takes whole blocks out, archive before working tier, least salient first. */
export function evictLeastSalient(draft: Draft): Draft {
  const candidates = takeable(draft)
    .filter(({ id }) => weightIn(draft, id) > 0)
    .toSorted((a, b) => order(draft, a) - order(draft, b));
  const goal = reachableGoal(draft, candidates);
  if (goal === undefined) return draft;
  let next = draft;
  for (const block of candidates) {
    if (next.used <= goal) break;
    next = touch(next, block.id, 0, { action: 'evict', rule: 'evictLeastSalient' });
  }
  return closeRung(draft, evictFinishedPrompts(next), 'evict');
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
    left.filter((block) => block.kind === 'step').map((block) => block.turn),
  );
  return left
    .filter(
      (block) => (block.kind === 'prompt' || block.kind === 'anchor') && !busyTurns.has(block.turn),
    )
    .filter((block) => hadSteps(draft, block.turn))
    .reduce(
      (next, block) => touch(next, block.id, 0, { action: 'evict', rule: 'evictFinishedPrompt' }),
      draft,
    );
}

function hadSteps(draft: Draft, turn: number): boolean {
  return draft.input.window.blocks.some(
    (block) => block.kind === 'step' && block.turn === turn && isOut(draft, block.id),
  );
}
