import type { VNode } from 'preact';
import type { ComparisonState } from '../store/comparing';
import { formatNumber } from '../../ui/tokens';

export interface ComparisonProgressProps {
  readonly state: ComparisonState;
}

/** Shows how far the replays are; nothing while none runs. */
export function ComparisonProgress({ state }: ComparisonProgressProps): VNode | null {
  const { running, refusal } = state;
  if (running === undefined) {
    return refusal === undefined ? null : (
      <p class="refused" role="alert" data-testid="comparison-refusal">
        {refusal}
      </p>
    );
  }
  const { progress } = running;
  return (
    <div class="comparing" data-testid="comparison-progress">
      <progress
        aria-label="Replays of the session"
        max={progress?.of ?? 1}
        value={progress?.done ?? 0}
      />
      <span class="quiet small number">
        {progress === undefined
          ? 'Replaying the session…'
          : `Replaying under ${progress.policy}: ${formatNumber(progress.done)} of ${formatNumber(progress.of)} requests`}
      </span>
    </div>
  );
}
