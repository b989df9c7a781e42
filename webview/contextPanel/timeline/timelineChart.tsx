import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ESTIMATE_MARK } from '../../../src/editor/coreForPages';
import { byStretch } from '../../../src/editor/chunks';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import type { TimelinePoint } from '../../../src/editor/contextPanel/timeline/state';
import type { TimelineTotals } from '../../../src/editor/session/state';
import { Icon } from '../../kit/icon';
import type { Moment } from '../frame/travel';
import { isReplayed } from '../bar/words';
import type { PanelProps } from '../store/panelStore';
import { indexAt, kindsIn, nearestIndex, placeOf } from './timelineMarks';
import { makeTimelinePlot, type TimelinePlot } from './timelinePlot';
import {
  costWords,
  driftWords,
  fillWords,
  MARKS,
  marksWords,
  partsOf,
  pointWords,
  recordedWords,
  stepWords,
  totalsWords,
} from './words';

/** Shows how the window came to be as full as it is, step after step. */
export function TimelineChart({ store, context }: PanelProps): VNode {
  const timeline = store.timeline.value;
  const isOpen = store.look.value.timelineOpen;
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
          isReplay={isReplayed(context)}
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

interface TimelineTrackProps {
  /** At least one. */
  readonly points: readonly TimelinePoint[];
  readonly totals: TimelineTotals;
  /** Tokens of the moment shown, as the bar has them. */
  readonly tiers: ContextView['tiers'];
  /** The moment the panel shows. */
  readonly at: Moment;
  readonly onTravel: (step: number) => void;
  /** Whether the windows of its steps are those of a replay, which no model saw. */
  readonly isReplay: boolean;
  /** Whether it is drawn in full; folded, it is a strip. */
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

/**
 * Draws the steps as one control: pointing or the arrow keys read a step out in a line that is
 * always there; a click or Enter travels to it.
 */
function TimelineTrack(props: TimelineTrackProps): VNode {
  const { points, totals, tiers, at, onTravel, isReplay, isOpen, onOpen } = props;
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
    plot.current?.draw({ points });
  }, [points, isOpen]);

  const last = points.at(-1)?.step ?? 0;
  const resting = at === 'now' ? last : at;
  const index = nearestIndex(points, pointed ?? chosen ?? resting);
  const found = points[index];
  if (found === undefined) return <></>;
  // The log has the split as estimated at that time; the present moment is shown with the bar's own
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
        isRead={(pointed ?? chosen) !== undefined}
        isReplay={isReplay}
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
        <Cursor kind="looked" place={placeOf(points, resting)} />
      </div>
    </>
  );
}

interface CursorProps {
  readonly kind: 'pointer' | 'looked';
  readonly place: number;
}

/** A line at a step; the one of the step shown has a handle. */
function Cursor({ kind, place }: CursorProps): VNode {
  return (
    <span
      class={`cursor ${kind}`}
      style={{ left: `${place * 100}%` }}
      data-testid={`timeline-${kind}`}
    />
  );
}

/** Steps that Page Up and Page Down skip. */
const PAGE = 10;

/** What the keys can do to the timeline. */
interface TimelineActions {
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

interface TimelineHeadProps extends Pick<TimelineTrackProps, 'isReplay' | 'isOpen' | 'onOpen'> {
  readonly points: readonly TimelinePoint[];
  readonly totals: TimelineTotals;
  /** The step pointed at, or travelled to, else the newest. */
  readonly read: TimelinePoint;
  /** Whether it is read out; otherwise the session is summed up in its place. */
  readonly isRead: boolean;
}

/**
 * Draws the timeline's title, and beside it either the session's sum and the key, or one step read
 * out with the colours of its parts: both in one place of one size, so that nothing moves while one
 * points.
 */
function TimelineHead(props: TimelineHeadProps): VNode {
  const { points, totals, read, isRead, isReplay, isOpen, onOpen } = props;
  return (
    <div class="timeline-head">
      <h2 class="title" id="timeline-title" title="Tokens per step">
        <button
          type="button"
          class="plain fold-timeline"
          aria-expanded={isOpen}
          title={isOpen ? 'Fold the timeline' : 'Show the timeline in full, with totals and key'}
          onClick={() => onOpen(!isOpen)}
          data-testid="fold-timeline"
        >
          <Icon name={isOpen ? 'open' : 'chevron'} /> Timeline
        </button>
      </h2>
      <div class={isRead ? 'takes-turns other small' : 'takes-turns small'}>
        <div class="resting">
          {isOpen ? (
            <>
              <p class="quiet" data-testid="timeline-totals">
                {totalsWords(totals)}
              </p>
              <TimelineKey points={points} />
            </>
          ) : (
            <p class="quiet">{isReplay ? 'Click a step' : 'Click: what the model saw'}</p>
          )}
        </div>
        <p class="readout" data-testid="timeline-readout" title={pointWords(read)}>
          <span class="number">{stepWords(read)}</span>
          <Said words={marksWords(read)} />
          <Fill point={read} />
          <Said words={recordedWords(read)} />
          <Said words={driftWords(read)} />
          <Said words={costWords(read)} />
        </p>
      </div>
    </div>
  );
}

/** It has the colours of the areas, because it takes the place of the key. */
function Fill({ point }: { readonly point: TimelinePoint }): VNode {
  return (
    <span class="number">
      {` · ${fillWords(point)} (${ESTIMATE_MARK}\u00a0`}
      {partsOf(point).map(({ area, words }, index) => (
        <span key={area}>
          {index === 0 ? '' : ', '}
          <span class={`swatch c-${area}`} aria-hidden="true" />
          {words}
        </span>
      ))}
      )
    </span>
  );
}

function Said({ words }: { readonly words: string }): VNode | null {
  return words === '' ? null : <span> · {words}</span>;
}

/** Traits of points that the key explains. */
const signsIn = byStretch((points: readonly TimelinePoint[]) => ({
  isOfToday: points.some(({ budget }) => budget.ofToday === true),
  hasEstimates: points.some(({ exact }) => !exact),
  hasBills: points.some(({ billed }) => billed !== null),
  hasRecorded: points.some(({ recordedTokens }) => recordedTokens !== undefined),
  isSimulated: points.some(({ simulated }) => simulated === true),
}));

/** Says what the areas and the signs of the timeline are. */
function TimelineKey({ points }: { readonly points: readonly TimelinePoint[] }): VNode {
  const { kinds, hasEstimates, hasBills, hasRecorded, isSimulated, isOfToday } = useMemo(() => {
    const signs = signsIn(points);
    return {
      isOfToday: signs.some(({ isOfToday }) => isOfToday),
      kinds: kindsIn(points),
      hasEstimates: signs.some(({ hasEstimates }) => hasEstimates),
      hasBills: signs.some(({ hasBills }) => hasBills),
      hasRecorded: signs.some(({ hasRecorded }) => hasRecorded),
      isSimulated: signs.some(({ isSimulated }) => isSimulated),
    };
  }, [points]);
  return (
    <ul class="timeline-key quiet small" aria-label="Key to the timeline">
      <Area name="system" words="system" />
      <Area name="archive" words="older" />
      <Area name="working" words="recent" />
      {hasEstimates && <Area name="estimate" words={`${ESTIMATE_MARK} estimated`} />}
      {hasRecorded && (
        <li>
          <span class="sign" aria-hidden="true">
            ━
          </span>{' '}
          the recorded agent
        </li>
      )}
      {kinds.map((kind) => (
        <li key={kind}>
          <span class="sign" aria-hidden="true">
            {MARKS[kind].sign}
          </span>{' '}
          {MARKS[kind].name}
        </li>
      ))}
      {isOfToday && <li>today’s budget where the log has none</li>}
      <li class="below">
        {hasBills ? (isSimulated ? 'Plimsoll, simulated:' : 'billed:') : 'no bill was reported'}
      </li>
      {hasBills && (
        <>
          <Area name="cacheRead" words="from cache" />
          <Area name="cacheWrite" words="to cache" />
          <Area name="fresh" words="fresh" />
        </>
      )}
    </ul>
  );
}

function Area({ name, words }: { readonly name: string; readonly words: string }): VNode {
  return (
    <li>
      <span class={`swatch c-${name}`} aria-hidden="true" />
      {words}
    </li>
  );
}
