import type { VNode } from 'preact';
import { ActivityStatus } from './activityStatus';
import { AgentContext } from './agentContext';
import type { AgentStore } from './agentStore';
import { ApprovalCard } from './approvalCard';
import { Composer } from './composer';
import { EmptyState } from './emptyState';
import { Header } from './header';
import { ProblemBanner } from './problemBanner';
import { QueuedPrompts } from './queuedPrompts';
import { Refusal } from './refusal';
import { ReviewNotice } from './reviewNotice';
import { Suggestions } from './suggestions';
import { TurnList } from './turnList';

/** Draws the whole view; nothing before the host has said anything. */
export function AgentView({ store }: { readonly store: AgentStore }): VNode | null {
  const conversation = store.conversation.value;
  if (conversation === undefined) return null;
  const { turns, activity, problem, queued, suggestions } = conversation;
  const isEmpty = turns.length === 0 && activity.state === 'idle';
  return (
    <AgentContext.Provider value={store}>
      <div class="agent">
        <Header conversation={conversation} />
        {problem && <ProblemBanner problem={problem} />}
        {isEmpty ? <EmptyState /> : <TurnList conversation={conversation} />}
        <div class="dock">
          {activity.state === 'awaitingApproval' && (
            <ApprovalCard key={activity.approval.toolUseId} approval={activity.approval} />
          )}
          {activity.state === 'awaitingReview' && <ReviewNotice />}
          <Refusal />
          {activity.state === 'idle' && <Suggestions prompts={suggestions ?? []} />}
          <QueuedPrompts prompts={queued} />
          <Composer isBusy={activity.state !== 'idle'} hasTurns={turns.length > 0}>
            <ActivityStatus conversation={conversation} />
          </Composer>
        </div>
      </div>
    </AgentContext.Provider>
  );
}
