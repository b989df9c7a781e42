import type { BlockView } from '../../src/protocol/contextPanel';
import { stateWord } from './blockWords';

/** Keeps the blocks whose name, state, reason, kind or tools hold every word of the query. */
export function filterBlocks(blocks: readonly BlockView[], query: string): readonly BlockView[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return blocks;
  return blocks.filter((block) => {
    const text = textOf(block);
    return words.every((word) => text.includes(word));
  });
}

function textOf(block: BlockView): string {
  const { label, reason, kind, tools, state } = block;
  return [label, reason, kind, ...tools, state, stateWord(block)].join('\n').toLowerCase();
}
