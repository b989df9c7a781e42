import type { BlockView } from '../../../src/protocol/contextPanel';
import { isOut } from './blockWords';

/** Which blocks a state filter lets through; the words are those of the rows. */
export const STATE_FILTERS = [
  { name: 'all', label: 'All states' },
  { name: 'in', label: 'In the window' },
  { name: 'out', label: 'Out of it' },
  { name: 'whole', label: 'Whole' },
  { name: 'truncated', label: 'Truncated' },
  { name: 'trimmed', label: 'Trimmed' },
  { name: 'cleared', label: 'Cleared' },
  { name: 'compacted', label: 'Compacted' },
  { name: 'evicted', label: 'Evicted' },
  { name: 'excluded', label: 'Excluded' },
  { name: 'pinned', label: 'Pinned' },
] as const;

export type StateFilter = (typeof STATE_FILTERS)[number]['name'];

/** Takes the name of a filter as it was kept; one that no longer exists lets everything through. */
export function stateFilterOf(kept: string): StateFilter {
  return STATE_FILTERS.find(({ name }) => name === kept)?.name ?? 'all';
}

/** Says whether a block is let through. */
export function passesFilter(filter: StateFilter, block: BlockView): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'in':
      return !isOut(block);
    case 'out':
      return isOut(block);
    case 'pinned':
      return block.pinned;
    case 'whole':
    case 'truncated':
    case 'trimmed':
    case 'cleared':
    case 'compacted':
    case 'evicted':
    case 'excluded':
      return block.state === filter;
  }
}
