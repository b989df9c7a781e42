import type { LeavingView, NextView } from '../../../src/protocol/nextView';
import { formatNumber } from '../../ui/tokens';
import { formatCount } from '../parts/formatCount';

type Gain = LeavingView['rungs'][number];

/** Says what goes next, up to its full stop. */
export function nextPassWords(next: NextView): string {
  switch (next.type) {
    case 'planned':
      return `${leavingWords(next)}.`;
    case 'ran':
      return `${leavingWords(next)}. ${passesWords(next.passes)} ran right after this step.`;
    case 'nothing':
      return 'nothing as it stands.';
    case 'notWorkedOut':
      return `not worked out. ${next.why}`;
  }
}

/** "Pass 4", "Passes 4 and 5". */
export function passesWords(passes: readonly number[]): string {
  const numbers = passes.map(formatNumber).join(' and ');
  return passes.length === 1 ? `Pass ${numbers}` : `Passes ${numbers}`;
}

/** Says what leaves, rung by rung: "old results in 9 blocks, then 1 block whole: about 44,300 tokens". */
function leavingWords({ rungs, blocks, freedTokens }: LeavingView): string {
  const steps = rungs.filter((gain) => gain.blocks > 0).map(gainWords);
  const whole =
    blocks === 0 ? 'nothing but what the notes said before' : formatCount(blocks, 'block');
  const what = steps.length === 0 ? whole : steps.join(', then ');
  // A block can lose something to several rungs.
  const sum = rungs.reduce((all, gain) => all + gain.blocks, 0);
  const all =
    steps.length === 0 || sum === blocks ? '' : `${formatCount(blocks, 'block')} in all, `;
  return `${what}: ${all}about ${formatNumber(roundedTokens(freedTokens))} tokens`;
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
