import type { VNode } from 'preact';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import type { PanelStore } from '../store/panelStore';
import { TimelineTrack } from './timelineTrack';

export interface TimelineProps {
  readonly store: PanelStore;
  readonly context: ContextView;
}

/** A lower panel has more use for rows of blocks, unless the user says otherwise; CSS pixels. */
const ROOMY = 760;

/** Shows how the window came to be as full as it is, step after step. */
export function Timeline({ store, context }: TimelineProps): VNode {
  const timeline = store.timeline.value;
  const isOpen = store.look.value.timelineOpen ?? globalThis.innerHeight >= ROOMY;
  return (
    <section class={isOpen ? 'timeline' : 'timeline strip'} aria-labelledby="timeline-title">
      {timeline === undefined || timeline.points.length === 0 ? (
        <>
          <h2 class="title" id="timeline-title">
            Timeline
          </h2>
          <p class="empty quiet" data-testid="timeline-empty">
            The timeline begins with the first step.
          </p>
        </>
      ) : (
        <TimelineTrack
          points={timeline.points}
          totals={timeline.totals}
          tiers={context.tiers}
          at={context.travel.at}
          isOpen={isOpen}
          onOpen={(timelineOpen) => {
            store.look.value = { ...store.look.value, timelineOpen };
          }}
          onTravel={(at) => store.wish({ type: 'travelTo', at })}
        />
      )}
    </section>
  );
}
