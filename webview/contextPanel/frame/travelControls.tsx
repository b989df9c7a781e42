import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import { formatNumber } from '../../kit/tokens';
import { Button, ProgressRing } from '../../kit/toolkit';
import { useFocusAfterRemoval } from '../parts/keyboardFocus';
import type { PanelStore } from '../store/panelStore';
import { hasSteps, waysFrom, type Moment, stepsOf } from './travel';

export interface TravelControlsProps {
  readonly store: PanelStore;
  readonly context: ContextView;
}

/** Says which moment is shown, and steps back and forward from it. */
export function TravelControls({ store, context }: TravelControlsProps): VNode {
  const { travel, source } = context;
  const group = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(group, { within: () => group.current });
  const { back, forward } = waysFrom(travel, stepsOf(store));
  const go = (at: Moment | undefined): void => {
    if (at !== undefined) store.wish({ type: 'travelTo', at });
  };
  const grows = source.type === 'session' || source.following;
  return (
    <div
      ref={group}
      class="travel"
      role="group"
      aria-label="Travel through the session"
      tabIndex={-1}
      data-testid="travel"
    >
      <Button
        class="arrow"
        disabled={back === undefined}
        label="One step back"
        hint="One step back (Alt+←)"
        onClick={() => go(back)}
        data-testid="step-back"
      >
        <span aria-hidden="true">◂</span>
      </Button>
      <Where context={context} />
      <Button
        class="arrow"
        disabled={forward === undefined}
        label="One step forward"
        hint="One step forward (Alt+→)"
        onClick={() => go(forward)}
        data-testid="step-forward"
      >
        <span aria-hidden="true">▸</span>
      </Button>
      <Button
        disabled={travel.at === 'now'}
        class="live"
        hint={grows ? 'Back to now, and follow' : 'To the end of the recording'}
        onClick={() => go('now')}
        data-testid="live"
      >
        {grows ? 'Live' : 'End'}
      </Button>
    </div>
  );
}

function Where({ context }: { readonly context: ContextView }): VNode {
  const { travel, turn, step, busy, review } = context;
  const isPast = travel.at !== 'now';
  const waits = review !== undefined && !isPast;
  const works = busy && !waits && !isPast;
  return (
    <span class="step number" data-testid="step">
      {works && <ProgressRing />}
      <WhereWords travel={travel} turn={turn} step={step} />
      {waits && ' · review a pass'}
      {works && <span class="spoken">, the agent is working</span>}
    </span>
  );
}

function WhereWords({ travel, turn, step }: Pick<ContextView, 'travel' | 'turn' | 'step'>): VNode {
  if (travel.at !== 'now') {
    return <span>{`step ${formatNumber(travel.at)} of ${formatNumber(travel.last)}`}</span>;
  }
  if (!hasSteps(travel)) return <span>no step yet</span>;
  return (
    <span>
      {/* Left out where the header is narrow. */}
      <span class="turn">{`turn ${formatNumber(turn)} · `}</span>
      {`step ${formatNumber(step)}`}
    </span>
  );
}
