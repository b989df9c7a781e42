import type { VNode } from 'preact';
import { byStretch } from '../../../src/editor/chunks';
import type {
  TimelinePoint,
  TimelineTotals,
} from '../../../src/editor/contextPanel/timeline/state';
import { Icon } from '../../kit/icon';
import { ESTIMATE_MARK } from '../../kit/tokens';
import {
  costWords,
  driftWords,
  fillWords,
  marksWords,
  partsOf,
  pointWords,
  recordedWords,
  stepWords,
  totalsWords,
  MARKS,
} from './timelineWords';
import { useMemo } from 'preact/hooks';
import { kindsIn } from './timelineMarks';

export interface TimelineHeadProps {
  readonly points: readonly TimelinePoint[];
  readonly totals: TimelineTotals;
  /** The step pointed at, or travelled to, else the newest. */
  readonly read: TimelinePoint;
  /** Whether it is read out; otherwise the session is summed up in its place. */
  readonly isRead: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

/**
 * Draws the timeline's title, and beside it either the session's sum and the key, or one step read
 * out with the colours of its parts: both in one place of one size, so that nothing moves while one
 * points.
 */
export function TimelineHead(props: TimelineHeadProps): VNode {
  const { points, totals, read, isRead, isOpen, onOpen } = props;
  return (
    <div class="timeline-head">
      <h2 class="title" id="timeline-title" title="Tokens per step">
        <button
          type="button"
          class="plain fold-timeline"
          aria-expanded={isOpen}
          title={isOpen ? 'Fold the timeline to a strip' : 'Show the timeline in full'}
          onClick={() => onOpen(!isOpen)}
          data-testid="fold-timeline"
        >
          <Icon name={isOpen ? 'open' : 'chevron'} /> Timeline
        </button>
      </h2>
      <div class={isRead ? 'takes-turns other small' : 'takes-turns small'}>
        <div class="resting">
          <p class="quiet" data-testid="timeline-totals">
            {totalsWords(totals)}
          </p>
          {isOpen && <TimelineKey points={points} />}
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

/** What some points have of which the key says something. */
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
          its own agent
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
      {isOfToday && <li>budget as it is today where the log does not say it</li>}
      <li class="below">
        {hasBills
          ? isSimulated
            ? 'Plimsoll, simulated:'
            : 'billed:'
          : 'nobody reported what was billed'}
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
