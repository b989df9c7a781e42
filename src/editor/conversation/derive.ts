import type { PromptContent, QueuedPrompt, SessionEvent } from '../../contextWindow/event';
import { promptParts } from '../../contextWindow/attached';
import type { ContextWindow } from '../../contextWindow/contextWindow';
import type {
  Activity,
  Conversation,
  HoldReason,
  Problem,
  QueuedView,
  SettingNotice,
  TurnView,
} from './state';
import type { CostsView } from './costsState';
import type { ElsewhereView } from './elsewhereState';
import type { AttachedView } from '../composer/state';
import type { RuleView } from '../approvals/state';
import { fold } from '../../contextWindow/log/fold';
import type { LogEnd } from '../../sessions/logSummary';
import type { Account } from '../contextPanel/account';
import { attachedNames } from '../composer/attachedNames';
import { revisedView } from '../approvals/derive';
import { commandViews } from '../commands/derive';
import { costsView } from './costsView';
import type { LiveTurn } from '../session/agentWork';
import { titleOfWindow } from '../../sessions/sessionTitle';
import { modelName } from '../../settings/modelSettings';
import type { Settings } from '../../settings/settings';
import type { Reasoning } from '../../contextWindow/reasoning';
import { reasoningText } from '../model/modelChoice';
import { returnView, type ReturnFacts } from './returnView';
import { sessionLinks } from '../sessions/derive';
import { TurnViews } from './turnViews';

/** What the Agent view is drawn from; `now` in ms since the epoch. */
export interface ConversationFacts {
  readonly events: readonly SessionEvent[];
  readonly window: ContextWindow;
  readonly live: LiveTurn;
  readonly queued: readonly (PromptContent & Partial<QueuedPrompt>)[];
  readonly held?: HoldReason | undefined;
  readonly settings: Settings;
  /** What requests say of thinking and effort; absent for nothing. */
  readonly reasoning?: Reasoning | undefined;
  readonly account: Account;
  readonly problem: Problem | undefined;
  readonly settingNotices?: readonly SettingNotice[];
  /** What the log said when it took nothing more; absent while it takes what it is given. */
  readonly logProblem?: string | undefined;
  /** Absent where nothing is asked about a session that was idle. */
  readonly returning?: ReturnFacts | undefined;
  /** What goes on in sessions that are not shown; absent for nothing. */
  readonly elsewhere?: ElsewhereView | undefined;
  /** Prompts worth trying while the scripted model answers, in order. */
  readonly demoPrompts: readonly string[];
  /** Says whether a session still has its log. */
  readonly isThere: (sessionId: string) => boolean;
  /** What the user made of proposed edits, whole texts by the id of the call. */
  readonly revisedTexts?: Readonly<Record<string, string>>;
  /** The user's standing answers, newest first. */
  readonly rules?: readonly RuleView[];
  /** Handles of commands in the background whose output is kept. */
  readonly withOutput?: ReadonlySet<string>;
  /** What is beside the prompt that is being typed; absent for nothing. */
  readonly attached?: AttachedView | undefined;
  readonly now: number;
  /** What the session cost; absent where nobody works it out. */
  readonly costs?: Omit<CostsView, 'turn'> | undefined;
}

/** Draws the Agent view's state: what the log holds, and what is happening right now. */
export function conversationView(facts: ConversationFacts, turnViews: TurnViews): Conversation {
  const { events, window, live, queued, settings, account, demoPrompts, now } = facts;
  const {
    problem,
    rules = [],
    revisedTexts = {},
    settingNotices = [],
    logProblem,
    returning,
    held,
    attached,
    elsewhere,
  } = facts;
  const offline = settings.provider === 'offline';
  const { used, inputBudget } = account.balance;
  const links = sessionLinks(window, facts.isThere);
  const { activity } = live;
  const { todo = [] } = window.scratchpad;
  const commands = commandViews(window, facts.withOutput ?? new Set());
  const turns = turnViews.of({ events, window, activity, logProblem, offline, now });
  const costs = costsView(facts.costs, turns);
  return {
    session: window.sessionId,
    title: titleOfWindow(window),
    model: modelName(settings),
    ...reasoningOf(facts),
    offline,
    turns,
    activity: revisedActivity(activity, revisedTexts),
    queued: queued.map(queuedView),
    ...(held === undefined ? {} : { held }),
    ...(attached === undefined ? {} : { attached }),
    suggestions: offline ? suggestionsAfter(turns, demoPrompts) : [],
    ...(elsewhere === undefined ? {} : { elsewhere }),
    ...(links === undefined ? {} : { links }),
    gauge: { usedTokens: used.tokens, exact: used.exact, inputBudget },
    ...(costs === undefined ? {} : { costs }),
    ...(todo.length === 0 ? {} : { todo }),
    ...(commands.length === 0 ? {} : { commands }),
    ...(turnViews.restored === undefined ? {} : { restored: turnViews.restored }),
    ...(rules.length === 0 ? {} : { rules }),
    ...(problem === undefined ? {} : { problem }),
    ...(settingNotices.length === 0 ? {} : { settingNotices }),
    ...(returning === undefined ? {} : { returning: returnView(returning, used) }),
  };
}

/**
 * Draws the last turns of a long session while the rest of its log is still being read: how full
 * its window is cannot be known yet.
 */
export function openingView(
  { sessionId, title, events }: LogEnd,
  { settings, demoAuthor }: { readonly settings: Settings; readonly demoAuthor: string },
): Conversation {
  const offline = settings.provider === 'offline';
  const activity = { state: 'idle' } as const;
  const facts = { events, window: windowOfEnd(events), activity, offline, now: 0 };
  return {
    session: sessionId,
    title,
    model: modelName(settings),
    offline,
    turns: new TurnViews(demoAuthor).of(facts),
    activity,
    queued: [],
    isOpening: true,
  };
}

/** What was put beside a prompt is named, not shown. */
function queuedView({ attachments, ...prompt }: PromptContent & Partial<QueuedPrompt>): QueuedView {
  const parts = promptParts(prompt.text);
  return { ...prompt, text: parts.typed, ...attachedNames(parts, attachments) };
}

/** The script thinks nothing, whatever is set. */
function reasoningOf({
  settings,
  reasoning = {},
}: ConversationFacts): Pick<Conversation, 'reasoning'> {
  const text = settings.provider === 'offline' ? '' : reasoningText(reasoning);
  return text === '' ? {} : { reasoning: text };
}

/** The window as far as the last turns tell of it: their passes are as they were. */
function windowOfEnd(events: readonly SessionEvent[]): ContextWindow {
  const window = fold(events);
  // Without the blocks of before, the fold cannot tell that a pass was undone; the log says so.
  const undone = new Set(events.map((event) => event.type === 'passUndone' && event.number));
  const ledger = window.ledger.mapped((entry) =>
    undone.has(entry.pass.number) ? { ...entry, undone: true as const } : entry,
  );
  return { ...window, ledger };
}

/** The task of the demo first, then what has not been asked yet. */
function suggestionsAfter(
  turns: readonly TurnView[],
  demoPrompts: readonly string[],
): readonly string[] {
  const asked = turns.filter(({ undonePrompt }) => undonePrompt === undefined);
  if (asked.length === 0) return demoPrompts.slice(0, 1);
  return demoPrompts
    .slice(1)
    .filter((suggested) => !asked.some(({ prompt }) => prompt.trim() === suggested));
}

function revisedActivity(activity: Activity, revised: Readonly<Record<string, string>>): Activity {
  if (activity.state !== 'awaitingApproval') return activity;
  return { ...activity, approval: revisedView(activity.approval, revised) };
}
