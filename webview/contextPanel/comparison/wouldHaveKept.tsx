import type { VNode } from 'preact';
import { LinkButton } from '../parts/linkButton';
import type { PanelProps } from '../store/panelStore';
import { ComparisonProgress } from './policyTable';
import { KEPT_MEANS, keptIn, keptWords } from './words';

/** Says which policy would have kept what was needed again; computed when the user asks. */
export function WouldHaveKept({ store, context }: PanelProps): VNode | null {
  const { comparing } = store;
  const state = comparing.state.value;
  if (context.neededAgain.length === 0) return null;
  const kept = keptIn(state, context);
  if (kept !== undefined && state.running === undefined) {
    return (
      <p class="kept small" role="status" data-testid="would-have-kept">
        {keptWords(kept)} <span class="quiet">{KEPT_MEANS}</span>
      </p>
    );
  }
  const isRunning = state.running !== undefined;
  return (
    <div class="kept small">
      <LinkButton
        hint="Replays the whole session under every policy, with the current settings"
        onClick={() => (isRunning ? comparing.stop() : comparing.compare(context.settings))}
        data-testid="ask-kept"
      >
        {isRunning ? 'Stop the replays' : 'Which policy would have kept it?'}
      </LinkButton>
      {/* The what-if dialog covers the ledger and shows its own progress. */}
      {store.begun.value.whatIf === undefined && <ComparisonProgress state={state} />}
    </div>
  );
}
