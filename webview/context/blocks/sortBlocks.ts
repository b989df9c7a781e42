import type { BlockView } from '../../../src/protocol/contextPanel';
import type { Sort } from '../look';

/** The orders one can choose, in words. */
export const SORT_LABELS: Readonly<Record<Sort, string>> = {
  order: 'In order',
  tokens: 'Largest first',
  salience: 'Least salient first',
  age: 'Newest first',
};

/** Orders the blocks; what is equal stays in the order the model reads it in. */
export function sortBlocks(blocks: readonly BlockView[], sort: Sort): readonly BlockView[] {
  switch (sort) {
    case 'order':
      return blocks;
    case 'tokens':
      return blocks.toSorted((a, b) => b.tokens.tokens - a.tokens.tokens);
    case 'salience':
      return blocks.toSorted((a, b) => weight(a) - weight(b));
    case 'age':
      return blocks.toReversed();
  }
}

/** What is out of the window has no salience, and comes last. */
function weight({ salience }: BlockView): number {
  return salience?.salience ?? 2;
}
