import type { BlockView } from '../../../src/protocol/contextPanel';
import { formatNumber } from '../../ui/tokens';
import { formatCount } from '../parts/formatCount';

const STATES: readonly BlockView['state'][] = [
  'whole',
  'truncated',
  'trimmed',
  'cleared',
  'compacted',
  'evicted',
  'excluded',
];

/** Counts the blocks by state: "58 blocks · 31 whole · 14 cleared · 1 evicted · 1 pinned". */
export function countWords(blocks: readonly Pick<BlockView, 'state' | 'pinned'>[]): string {
  const counted = STATES.map((state) => ({
    word: state as string,
    count: blocks.filter((block) => block.state === state).length,
  }));
  const pinned = { word: 'pinned', count: blocks.filter((block) => block.pinned).length };
  return [
    formatCount(blocks.length, 'block'),
    ...[...counted, pinned]
      .filter(({ count }) => count > 0)
      .map(({ word, count }) => `${formatNumber(count)} ${word}`),
  ].join(' · ');
}
