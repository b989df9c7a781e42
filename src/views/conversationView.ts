import type { SessionEvent } from '../contextWindow/event';
import type { ContextWindow } from '../contextWindow/contextWindow';
import type { Conversation, Problem } from '../protocol/agentView';
import type { Account } from './account';
import type { LiveTurn } from './liveTurn';
import { titleOfWindow } from '../sessions/sessionTitle';
import { modelName } from '../settings/modelSettings';
import type { Settings } from '../settings/settings';
import { turnViews } from './turnViews';

/** What the Agent view is drawn from; `now` in ms since the epoch. */
export interface ConversationFacts {
  readonly events: readonly SessionEvent[];
  readonly window: ContextWindow;
  readonly live: LiveTurn;
  readonly queued: readonly string[];
  readonly settings: Settings;
  readonly account: Account;
  readonly problem: Problem | undefined;
  readonly suggestions: readonly string[];
  /** What the scripted model signs its answers with. */
  readonly demoAuthor: string;
  readonly now: number;
}

/** Draws the Agent view's state: what the log holds, and what is happening right now. */
export function conversationView(facts: ConversationFacts): Conversation {
  const { events, window, live, queued, settings, account, suggestions, now } = facts;
  const { problem, demoAuthor } = facts;
  const offline = settings.provider === 'offline';
  const { used, inputBudget } = account.balance;
  return {
    title: titleOfWindow(window),
    model: modelName(settings),
    offline,
    turns: turnViews({ events, window, activity: live.activity, offline, demoAuthor, now }),
    activity: live.activity,
    queued,
    suggestions,
    gauge: { usedTokens: used.tokens, exact: used.exact, inputBudget },
    ...(problem === undefined ? {} : { problem }),
  };
}
