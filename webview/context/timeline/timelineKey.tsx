import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { TimelinePoint } from '../../../src/protocol/timeline';
import { ESTIMATE_MARK } from '../../ui/tokens';
import { kindsIn } from './timelineMarks';
import { MARKS } from './timelineWords';

/** Says what the areas and the signs of the timeline are. */
export function TimelineKey({ points }: { readonly points: readonly TimelinePoint[] }): VNode {
  const { kinds, hasEstimates, hasBills, isOfToday } = useMemo(
    () => ({
      isOfToday: points.some(({ budget }) => budget.ofToday === true),
      kinds: kindsIn(points),
      hasEstimates: points.some(({ exact }) => !exact),
      hasBills: points.some(({ billed }) => billed !== null),
    }),
    [points],
  );
  return (
    <ul class="timeline-key quiet small" aria-label="Key to the timeline">
      <Area name="system" words="system" />
      <Area name="archive" words="archive" />
      <Area name="working" words="working" />
      {hasEstimates && <Area name="estimate" words={`${ESTIMATE_MARK} estimated`} />}
      {kinds.map((kind) => (
        <li key={kind}>
          <span class="sign" aria-hidden="true">
            {MARKS[kind].sign}
          </span>{' '}
          {MARKS[kind].name}
        </li>
      ))}
      {isOfToday && <li>budget as it is today where the log does not say it</li>}
      <li class="below">{hasBills ? 'billed:' : 'nobody reported what was billed'}</li>
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
