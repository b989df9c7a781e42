import type { Block } from '../block';
import { blocksInWindow, type ContextWindow } from '../contextWindow';
import { pathsNamedBy } from '../need';
import type { SalienceFactors } from '../plan';
import { lacksOf, type WeighedFactor } from '../salience';

/** Says in one sentence why a block mattered least: with what weighed most, and what came second. */
export function whyLeastSalient(
  window: ContextWindow,
  block: Block,
  factors: SalienceFactors | undefined,
): string {
  if (factors === undefined) return 'Mattered least: nothing is known of it';
  const { rated } = factors;
  if (rated !== undefined) return `Mattered least: the model rated it ${rated.toFixed(2)} of 1`;
  const lacks = lacksOf(factors).slice(0, 2);
  const why = lacks.map((name) => lackWords(name, window, block, factors));
  return `Mattered least: ${why.length === 0 ? 'the others matter more' : why.join(', and ')}`;
}

function lackWords(
  name: WeighedFactor,
  window: ContextWindow,
  block: Block,
  factors: SalienceFactors,
): string {
  switch (name) {
    case 'recency':
      return factors.recency < 0.25 ? 'it is one of the oldest' : 'it is not among the newest';
    case 'reuse':
      return unnamedWords(window, block, factors);
    case 'size':
      return 'it is large';
    case 'kind':
      return 'work of its kind is seldom needed again';
    case 'errors':
      return 'none of its calls failed';
    case 'decisions':
      return 'the model said little in it';
  }
}

/** Files are named by calls, other names in words as well. */
function unnamedWords(window: ContextWindow, block: Block, { reuse }: SalienceFactors): string {
  const what = pathsNamedBy(block).length > 0 ? 'named its files' : 'spoken of what is in it';
  const since = stepNearest(window, reuse);
  return `nothing has ${what}${since === undefined || reuse === 0 ? ' since' : ` since step ${since}`}`;
}

/** The step at a place of the window, 0 (its oldest block) to 1. */
function stepNearest(window: ContextWindow, place: number): number | undefined {
  const blocks = blocksInWindow(window);
  const block = blocks[Math.round(place * (blocks.length - 1))];
  return block?.kind === 'step' ? block.step : undefined;
}
