import type { Block } from '../block';
import { weightIn, type Draft } from './draft';

/**
 * Picks the lowest mark that evicting the candidates can reach; undefined where nothing needs to
 * go. Where even an empty tail would stay above the low watermark, emptying it would lose much and
 * gain little: the next mark up will do.
 */
export function reachableGoal(draft: Draft, candidates: readonly Block[]): number | undefined {
  const { highTokens, inputBudget } = draft.input.budget;
  const most = candidates.reduce((sum, block) => sum + weightIn(draft, block.id), 0);
  const marks = [draft.target, (draft.target + highTokens) / 2, highTokens, inputBudget];
  const goal = marks.find((mark) => draft.used - most <= mark) ?? 0;
  return draft.used > goal ? goal : undefined;
}
