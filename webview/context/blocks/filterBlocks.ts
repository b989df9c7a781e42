import type { BlockView } from '../../../src/protocol/contextPanel';
import { stateWord } from './blockWords';
import { passesFilter, type StateFilter } from './stateFilter';

/** Keeps the blocks whose name, state, reason, kind or tools hold every word of the query. */
export function filterBlocks(
  blocks: readonly BlockView[],
  query: string,
  states: StateFilter = 'all',
): readonly BlockView[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const some = states === 'all' ? blocks : blocks.filter((block) => passesFilter(states, block));
  if (words.length === 0) return some;
  return some.filter((block) => {
    const text = textOf(block);
    return words.every((word) => text.includes(word));
  });
}

/** Every key typed asks all blocks again, and they seldom change in between. */
const TEXTS = new WeakMap<BlockView, string>();

function textOf(block: BlockView): string {
  const known = TEXTS.get(block);
  if (known !== undefined) return known;
  const { label, reason, kind, tools, state } = block;
  const parts = [label, reason, kind, ...tools, state, stateWord(block)];
  const text = parts.join('\n').toLowerCase();
  TEXTS.set(block, text);
  return text;
}
