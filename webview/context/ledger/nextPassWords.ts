import type { NextView } from '../../../src/protocol/contextPanel';
import { formatNumber } from '../../ui/tokens';
import { formatCount } from '../parts/formatCount';

type Gain = NextView['rungs'][number];

/** Says what would leave, rung by rung: "old results in 9 blocks, then 1 block whole: about 44,300 tokens". */
export function nextPassWords({ rungs, blocks, freedTokens }: NextView): string {
  const steps = rungs.filter((gain) => gain.blocks > 0).map(gainWords);
  const what = steps.length === 0 ? formatCount(blocks, 'block') : steps.join(', then ');
  return `${what}: about ${formatNumber(roundedTokens(freedTokens))} tokens`;
}

function gainWords({ rung, blocks }: Gain): string {
  const count = formatCount(blocks, 'block');
  switch (rung) {
    case 'supersede':
      return `outdated results in ${count}`;
    case 'clear':
      return `old results in ${count}`;
    case 'trim':
      return `the thinking of ${count}`;
    case 'compact':
      return `${count} into a summary`;
    case 'evict':
      return `${count} whole`;
    case 'cap':
      return `${count} over the limit of turns or messages`;
    case 'shorten':
      return `the middle of ${count}`;
  }
}

/** A forecast is no more precise than three digits. */
function roundedTokens(tokens: number): number {
  return Number(tokens.toPrecision(3));
}
