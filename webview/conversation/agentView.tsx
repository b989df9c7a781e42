import type { VNode } from 'preact';
import type { ApprovalView } from '../../src/editor/session/state';
import { ReplyActionsContext } from '../kit/markdown';
import { Waiting } from '../kit/waiting';
import { AgentViewContext, type AgentViewStore, useAgentView } from './agentViewStore';
import { TooLong } from './attachedChips';
import { ApprovalCard } from './approvalCard';
import { Composer } from './composer';
import { ConversationList } from './conversationList';
import { CommandList, RuleList, TodoList } from './dockLists';
import { composerElement } from './focus';
import { EmptyState } from './emptyState';
import { GoBackCard } from './goBack';
import { Header } from './header';
import {
  ProblemBanner,
  RestoredNotice,
  RefusalBanner,
  ReviewNotice,
  SettingNotices,
  SilenceNotice,
  WaitNotice,
} from './turnBanners';
import { PlanCard } from './planCard';
import { QuestionCard } from './questionCard';
import { Queue } from './queue';
import { ReturnCard } from './returnCard';
import { WORDS } from './words';

/** Draws the whole view, or a placeholder until the host sends the session. */
export function AgentView({ store }: { readonly store: AgentViewStore }): VNode {
  const conversation = store.conversation.value;
  if (conversation === undefined) {
    return (
      <main class="agent">
        <Waiting class="waiting quiet" data-testid="session-waits">
          {WORDS.view.waiting}
        </Waiting>
      </main>
    );
  }
  const {
    settingNotices,
    session,
    turns,
    activity,
    problem,
    start,
    suggestions,
    isOpening,
    returning,
    coldPass,
    rules,
    todo,
    commands,
    restored,
    hasPlan,
  } = conversation;
  const isEmpty = turns.length === 0 && activity.state === 'idle';
  const isRefused = problem !== undefined && store.refusal.value === problem.message;
  // One notice in one place: the offer of an empty session, until a prompt was refused.
  const isOffered =
    isEmpty && start !== undefined && problem?.action?.wish.type === 'setApiKey' && !isRefused;
  return (
    <AgentViewContext.Provider value={store}>
      <ReplyActionsContext.Provider value={store.replyActions}>
        <div class="agent">
          <Header conversation={conversation} />
          {problem && !isOffered && <ProblemBanner problem={problem} />}
          {settingNotices && <SettingNotices notices={settingNotices} />}
          {isOpening === true && (
            <Waiting class="opening quiet small" data-testid="opening">
              {WORDS.view.loadingEarlier}
            </Waiting>
          )}
          {isEmpty ? (
            <EmptyState start={start} mode={conversation.mode} />
          ) : (
            <ConversationList key={session} conversation={conversation} />
          )}
          <div class="dock">
            <div class="dock-cards">
              {activity.state === 'awaitingApproval' && (
                <Question key={activity.approval.toolUseId} approval={activity.approval} />
              )}
              {hasPlan === true && <PlanCard />}
              {returning && <ReturnCard key={session} returning={returning} />}
              {activity.state === 'awaitingReview' && <ReviewNotice coldPass={coldPass} />}
              {activity.state === 'asking' && activity.silence && (
                <SilenceNotice silence={activity.silence} />
              )}
              {activity.state === 'waiting' && <WaitNotice waiting={activity} />}
              {!isRefused && <RefusalBanner />}
              <GoBackCard conversation={conversation} />
              {restored !== undefined && activity.state === 'idle' && (
                <RestoredNotice files={restored} />
              )}
              {activity.state === 'idle' && hasPlan !== true && (
                <Suggestions prompts={suggestions ?? []} />
              )}
              <Queue {...conversation} />
              {todo && <TodoList todo={todo} />}
              {commands && <CommandList key={session} commands={commands} />}
              {rules && <RuleList rules={rules} />}
              <TooLong />
            </div>
            <Composer conversation={conversation} />
          </div>
        </div>
      </ReplyActionsContext.Provider>
    </AgentViewContext.Provider>
  );
}

/** The card for an open question or approval. */
function Question({ approval }: { readonly approval: ApprovalView }): VNode {
  return approval.kind === 'question' ? (
    <QuestionCard question={approval} />
  ) : (
    <ApprovalCard approval={approval} />
  );
}

/** Offers prompts worth trying; a click puts one into the composer, where it can be changed. */
function Suggestions({ prompts }: { readonly prompts: readonly string[] }): VNode | null {
  const store = useAgentView();
  if (prompts.length === 0 || store.unsentPrompt.value !== '') return null;
  const pick = (prompt: string): void => {
    store.unsentPrompt.value = prompt;
    composerElement()?.focus();
  };
  return (
    <ul class="suggestions" aria-label={WORDS.view.suggestions}>
      {prompts.map((prompt) => (
        <li key={prompt}>
          <button
            type="button"
            class="suggestion plain"
            data-testid="suggestion"
            title={prompt}
            onClick={() => pick(prompt)}
          >
            <span>{prompt}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
