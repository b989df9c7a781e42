import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { LifeView } from '../../../src/editor/contextPanel/blocks/state';
import { withoutFolders } from '../../kit/callWords';
import type { PanelProps } from '../store/panelStore';
import { lifeWords, momentWords, seenWords } from './words';

/** Lives drawn for a step that works on many files. */
const MOST = 2;

/** Shows the life of the chosen block, or of its files, under every tab. */
export function LifeOfChosen({ store, context }: PanelProps): VNode | null {
  const { blockId } = store.look.value;
  const { session, revision, travel } = context;
  const [lives, setLives] = useState<readonly LifeView[]>([]);
  useEffect(() => {
    if (blockId === undefined) return setLives([]);
    return store.wish(
      { type: 'fetchLives', blockId },
      { answered: setLives, refused: () => setLives([]) },
    );
  }, [blockId, session, revision]);
  if (blockId === undefined || lives.length === 0) return null;
  const points = store.timeline.value?.points ?? [];
  const first = points[0]?.step ?? travel.first;
  return (
    <section class="lives" aria-label="Life of the chosen block" data-testid="lives">
      {lives.slice(0, MOST).map((life) => (
        <div class="life" key={life.title}>
          <p class="small" title={lifeWords(life)}>
            <span class="quiet">Life of</span> <strong>{withoutFolders(life.title)}</strong>{' '}
            <span class="quiet">{life.moments.map(momentWords).join(' · ')}</span>
          </p>
          <LifeStrip life={life} first={first} last={travel.last} />
        </div>
      ))}
      {lives.length > MOST && (
        <p class="quiet small">and {lives.length - MOST} more: see the tab Files</p>
      )}
    </section>
  );
}

interface LifeStripProps {
  readonly life: LifeView;
  /** The number of steps across the strip. */
  readonly first: number;
  readonly last: number;
}

/** Draws along the steps how much of a block or file the model saw, with a sign for each use. */
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
          // A read is in the window from its step on, so in the request of the next step.
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
