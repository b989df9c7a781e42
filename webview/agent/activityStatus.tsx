import type { VNode } from 'preact';
import type { Activity, Conversation } from '../../src/protocol/agentView';
import { RunningTime } from '../ui/runningTime';
import { ProgressRing } from '../ui/toolkit';
import { activityWords } from './activityWords';

/** Nothing goes on before the user does something. */
const STILL: ReadonlySet<Activity['state']> = new Set([
  'idle',
  'awaitingApproval',
  'awaitingReview',
]);

/** Says what the agent is doing right now; the words are spoken when they change, the time is not. */
export function ActivityStatus({ conversation }: { readonly conversation: Conversation }): VNode {
  const { activity } = conversation;
  const words = activityWords(conversation);
  const turns = !STILL.has(activity.state);
  return (
    <div class="activity small" data-testid="activity" data-state={activity.state}>
      {turns && <ProgressRing />}
      <span class="ellipsis quiet" role="status" aria-live="polite" title={words}>
        {words}
      </span>
      {'since' in activity && <RunningTime since={activity.since} />}
    </div>
  );
}
