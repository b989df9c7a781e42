import type { VNode } from 'preact';
import type { LifeView } from '../../../src/editor/contextPanel/blocks/state';
import { lifeWords, seenWords } from './lifeWords';

export interface LifeStripProps {
  readonly life: LifeView;
  /** The steps that the strip is as wide as. */
  readonly first: number;
  readonly last: number;
}

/** Draws along the steps how much of something the model saw, with a sign where it was used. */
export function LifeStrip({ life, first, last }: LifeStripProps): VNode {
  const width = Math.max(1, last + 1 - first);
  const placeOf = (step: number): string =>
    `${(Math.max(0, Math.min(step - first, width)) / width) * 100}%`;
  return (
    <div class="strip-of-life" role="img" aria-label={lifeWords(life)} data-testid="life-strip">
      {life.spans.map(({ from, to, seen }) => (
        <span
          key={from}
          class={`span s-${seen}`}
          // What a step read is there from that step on, and in the request of the next.
          style={{ left: placeOf(from - 1), right: `calc(100% - ${placeOf(to - 1)})` }}
          title={`${seenWords(seen)}, from step ${from}`}
          data-seen={seen}
        />
      ))}
      {life.moments
        .filter(({ kind }) => kind === 'used' || kind === 'again')
        .map(({ step, kind, words }) => (
          <span
            key={`${step} ${words}`}
            class={`sign k-${kind}`}
            style={{ left: placeOf(step) }}
            title={`Step ${step}: ${words}`}
          />
        ))}
    </div>
  );
}
