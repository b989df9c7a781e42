import type { VNode } from 'preact';
import type { ComparisonProgressView } from '../../../src/editor/contextPanel/comparison/state';
import type { ComparisonState } from '../store/comparing';
import { formatNumber } from '../../kit/tokens';

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
      <span class="quiet small number">{progressWords(progress)}</span>
    </div>
  );
}

function progressWords(progress: ComparisonProgressView | undefined): string {
  if (progress === undefined) return 'Replaying the session…';
  const { policy, done, of } = progress;
  const what = policy === undefined ? 'Reading what its API counted' : `Replaying under ${policy}`;
  return `${what}: ${formatNumber(done)} of ${formatNumber(of)} requests`;
}
