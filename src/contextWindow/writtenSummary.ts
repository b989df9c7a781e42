import type { Block } from './block';
import { blockText } from './blockText';
import { findBlock, type ContextWindow } from './contextWindow';
import type { Summary } from './plan';

/** A summary, and the blocks it was written from as they stood then. */
export interface WrittenSummary {
  readonly summary: Summary;
  readonly from: readonly Block[];
}

/** The blocks of a window that a summary written now is written from. */
export function sourcesOf(
  { blocks }: ContextWindow,
  { covers }: Pick<Summary, 'covers'>,
): readonly Block[] {
  const covered = new Set(covers);
  return blocks.filter(({ id }) => covered.has(id));
}

/**
 * Says whether a window's blocks still say what they said when a summary was written from them: one
 * the user has rewritten since says something else, one that was pinned or lost its thinking does not.
 */
export function saySame(window: ContextWindow, from: readonly Block[]): boolean {
  return from.every((then) => {
    const now = findBlock(window, then.id);
    return now === then || (now !== undefined && blockText(now) === blockText(then));
  });
}
