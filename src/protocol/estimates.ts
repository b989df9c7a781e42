import type { BlockView, Category } from './contextPanel';

/** Tokens of each category that are estimates: the server counts a request, not its parts. */
export type Estimates = Readonly<Record<Category, number>>;

/**
 * Adds up what nobody counted on its own. Tools, system prompt and notes never are: their share of
 * a counted request is apportioned.
 */
export function estimatesIn(blocks: readonly Pick<BlockView, 'category' | 'tokens'>[]): Estimates {
  const sums: Record<Category, number> = {
    tools: Number.POSITIVE_INFINITY,
    system: Number.POSITIVE_INFINITY,
    unrecorded: Number.POSITIVE_INFINITY,
    scratchpad: Number.POSITIVE_INFINITY,
    anchor: 0,
    summary: 0,
    archive: 0,
    working: 0,
  };
  for (const { category, tokens } of blocks) {
    if (category !== undefined && !tokens.exact) sums[category] += tokens.tokens;
  }
  return sums;
}

/** Says whether nothing of a number was counted; `estimated` is how many of its tokens were not. */
export function isAllEstimated(tokens: number, estimated: number): boolean {
  return estimated > 0 && estimated >= Math.abs(tokens);
}
