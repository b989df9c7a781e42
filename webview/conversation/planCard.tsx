import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from '../kit/toolkit';
import { useAgentView } from './agentViewStore';
import { WORDS } from './words';

/** Offers to start the work on the plan, as the user left it in its document. */
export function PlanCard(): VNode {
  const store = useAgentView();
  const titleId = useId();
  return (
    <section class="approval" data-testid="plan" role="group" aria-labelledby={titleId}>
      <div class="approval-line approval-head">
        <h2 id={titleId} class="approval-title">
          {WORDS.plan.ready}
        </h2>
        <button
          type="button"
          class="plain link approval-diff"
          data-testid="plan-open"
          onClick={() => store.wish({ type: 'openPlan' })}
        >
          {WORDS.plan.open}
        </button>
      </div>
      <div class="approval-line approval-answer">
        <Button
          data-testid="plan-start-new"
          onClick={() => store.wish({ type: 'startPlan', place: 'newSession' })}
        >
          {WORDS.plan.startNew}
        </Button>
        <Button
          appearance="primary"
          data-testid="plan-start"
          onClick={() => store.wish({ type: 'startPlan', place: 'here' })}
        >
          {WORDS.plan.start}
        </Button>
      </div>
    </section>
  );
}
