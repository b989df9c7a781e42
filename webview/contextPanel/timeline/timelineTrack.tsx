import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import type {
  TimelinePoint,
  TimelineTotals,
} from '../../../src/editor/contextPanel/timeline/state';
import { TimelineHead } from './timelineHead';
import { indexAt, nearestIndex, placeOf } from './timelineMarks';
import { makeTimelinePlot, type TimelinePlot } from './timelinePlot';
import { lookedEdge, lookedWords, pointWords } from './timelineWords';
import type { Moment } from '../frame/travel';

export interface TimelineTrackProps {
  /** At least one. */
  readonly points: readonly TimelinePoint[];
  readonly totals: TimelineTotals;
  /** Tokens of the moment shown, as the map has them. */
  readonly tiers: ContextView['tiers'];
  /** The moment the panel shows. */
  readonly at: Moment;
  readonly onTravel: (step: number) => void;
  /** Whether it is drawn in full; folded, it is a strip. */
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

/**
 * Draws the steps as one control: pointing or the arrow keys read a step out in a line that is
 * always there; a click or Enter travels to it.
 */
export function TimelineTrack(props: TimelineTrackProps): VNode {
  const { points, totals, tiers, at, onTravel, isOpen, onOpen } = props;
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<TimelinePlot | undefined>(undefined);
  // Kept by step, since points may be added while the user points.
  const [pointed, setPointed] = useState<number | undefined>(undefined);
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (host.current === null) return undefined;
    plot.current = makeTimelinePlot(host.current, !isOpen);
    return () => plot.current?.close();
  }, [isOpen]);
  useLayoutEffect(() => {
    plot.current?.draw({ points, looked: at === 'now' ? undefined : at });
  }, [points, isOpen, at]);

  const last = points.at(-1)?.step ?? 0;
  const resting = at === 'now' ? last : at;
  const index = nearestIndex(points, pointed ?? chosen ?? resting);
  const found = points[index];
  if (found === undefined) return <></>;
  // The log has the split as estimated at that time; the present moment is shown with the map's own
  // numbers.
  const { summary: _, ...split } = found;
  const read = found.step === at ? { ...split, ...tiers } : found;
  const stepUnder = (event: MouseEvent & { currentTarget: Element }): number | undefined => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    if (width === 0) return undefined;
    return points[indexAt(points, (event.clientX - left) / width)]?.step;
  };
  const travel = (step: number | undefined): void => {
    if (step !== undefined) onTravel(step);
  };
  const isElsewhere = read.step !== resting;
  return (
    <>
      <TimelineHead
        points={points}
        totals={totals}
        read={read}
        isRead={at !== 'now' || (pointed ?? chosen) !== undefined}
        isOpen={isOpen}
        onOpen={onOpen}
      />
      <div
        class="track"
        role="slider"
        tabIndex={0}
        aria-label="Steps; arrow keys read one out, Shift goes from mark to mark, Enter travels there"
        aria-valuemin={points[0]?.step}
        aria-valuemax={last}
        aria-valuenow={read.step}
        aria-valuetext={pointWords(read)}
        onPointerMove={(event) => setPointed(stepUnder(event))}
        onPointerLeave={() => setPointed(undefined)}
        onClick={(event) => travel(stepUnder(event))}
        onFocusOut={() => setChosen(undefined)}
        onKeyDown={(event) =>
          timelineKeys(event, points, index, {
            choose: (step) => {
              setPointed(undefined);
              setChosen(step);
            },
            travel: () => travel(read.step),
          })
        }
        data-testid="timeline"
      >
        <div ref={host} class="plots" aria-hidden="true" />
        {isElsewhere && <Cursor kind="pointer" place={placeOf(points, read.step)} />}
        {at !== 'now' && (
          <Cursor kind="looked" place={placeOf(points, at)} label={lookedWords(at)} />
        )}
      </div>
    </>
  );
}

interface CursorProps {
  readonly kind: 'pointer' | 'looked';
  readonly place: number;
  readonly label?: string;
}

function Cursor({ kind, place, label }: CursorProps): VNode {
  return (
    <span
      class={`cursor ${kind}`}
      style={{ left: `${place * 100}%` }}
      data-testid={`timeline-${kind}`}
    >
      {label !== undefined && <span class={`label number ${lookedEdge(place)}`}>{label}</span>}
    </span>
  );
}

/** Steps that Page Up and Page Down skip. */
const PAGE = 10;

/** What the keys can do to the timeline. */
export interface TimelineActions {
  /** Reads a step out; undefined for the one that the panel shows. */
  readonly choose: (step: number | undefined) => void;
  readonly travel: () => void;
}

/** Reads steps out with the arrow keys, from mark to mark with Shift, and travels with Enter. */
function timelineKeys(
  event: KeyboardEvent,
  points: readonly TimelinePoint[],
  index: number,
  { choose, travel }: TimelineActions,
): void {
  const { key, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey) return;
  if (key === 'Enter' || key === ' ') travel();
  else if (key === 'Escape') choose(undefined);
  else {
    const to = event.shiftKey ? markedIndex(key, points, index) : indexFor(key, points, index);
    if (to === undefined) return;
    choose(points[Math.min(points.length - 1, Math.max(0, to))]?.step);
  }
  event.preventDefault();
}

function indexFor(
  key: string,
  { length }: readonly TimelinePoint[],
  index: number,
): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return index - 1;
    case 'ArrowRight':
    case 'ArrowUp':
      return index + 1;
    case 'PageDown':
      return index - PAGE;
    case 'PageUp':
      return index + PAGE;
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
  }
  return undefined;
}

function markedIndex(
  key: string,
  points: readonly TimelinePoint[],
  index: number,
): number | undefined {
  const isMarked = ({ marks }: TimelinePoint): boolean => marks.length > 0;
  const at =
    key === 'ArrowLeft'
      ? points.slice(0, index).findLastIndex(isMarked)
      : key === 'ArrowRight'
        ? points.findIndex((point, each) => each > index && isMarked(point))
        : -1;
  return at === -1 ? undefined : at;
}
