import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import type { LifeView } from '../../../src/editor/contextPanel/blocks/state';
import type { PanelStore } from '../store/panelStore';
import { LifeStrip } from './lifeStrip';
import { lifeWords, momentWords } from './lifeWords';

export interface LifeOfChosenProps {
  readonly store: PanelStore;
  readonly context: ContextView;
}

/** Lives drawn for a step that works on many files. */
const MOST = 2;

/** Shows what became of the block that is looked at, or of its files, under whichever tab is chosen. */
export function LifeOfChosen({ store, context }: LifeOfChosenProps): VNode | null {
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
    <section class="lives" aria-label="What became of what is looked at" data-testid="lives">
      {lives.slice(0, MOST).map((life) => (
        <div class="life" key={life.title}>
          <p class="small" title={lifeWords(life)}>
            <span class="quiet">Life of</span> <strong>{life.title}</strong>{' '}
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
