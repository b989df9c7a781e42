import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import type { SourceView, TravelView } from '../../../src/protocol/contextPanel';
import { formatNumber } from '../../ui/tokens';
import { travelGroup, useFocusHeir } from '../parts/useFocusHeir';
import type { SendWish } from '../panelStore';

export interface PastNoticeProps {
  readonly source: SourceView;
  readonly travel: TravelView;
  /** The step shown. */
  readonly at: number;
  readonly wish: SendWish;
}

/** Says that a moment of the past is shown, and leads back. */
export function PastNotice({ source, travel, at, wish }: PastNoticeProps): VNode {
  const notice = useRef<HTMLDivElement>(null);
  useFocusHeir(notice, { gone: travelGroup });
  return (
    <div ref={notice} class="notice past" role="status" data-testid="past-notice">
      <span class="message">
        Step {formatNumber(at)} of {formatNumber(travel.last)}: the window as {sentWords(source)}.{' '}
        {travel.recordedTokens !== undefined &&
          `The recorded agent's own held ${formatNumber(travel.recordedTokens)} tokens by its server's count. `}
        {travel.budgetOfToday === true &&
          'The log does not say its budget: that is as it is today. '}
        Nothing can be changed here.
      </span>
      <button
        type="button"
        class="plain link"
        onClick={() => wish({ type: 'travelTo', at: 'now' })}
        data-testid="back-to-now"
      >
        Back to now
      </button>
    </div>
  );
}

/** Of a recording nothing was sent. */
function sentWords({ type }: SourceView): string {
  return type === 'session' ? 'its request was sent' : 'Plimsoll would have sent its request';
}
