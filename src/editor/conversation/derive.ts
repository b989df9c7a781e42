import { changesText } from '../../agent/returning';
import { amountText } from '../../contextWindow/amount';
import { promptParts } from '../../contextWindow/attached';
import type { ContextWindow } from '../../contextWindow/window';
import type { PromptContent, QueuedPrompt, SessionEvent } from '../../contextWindow/event';
import { idleText } from '../../contextWindow/idle';
import { fold } from '../../contextWindow/fold';
import { type Mode, planOf } from '../../contextWindow/mode';
import type { Amount } from '../../contextWindow/plan';
import type { Reasoning } from '../../contextWindow/reasoning';
import type { LogEnd } from '../../sessions/logSummary';
import { titleOfWindow } from '../../sessions/sessionTitle';
import { modelName } from '../../settings/modelSettings';
import type { Settings } from '../../settings/settings';
import { type Account, revisedView, sessionLinks } from '../session/derive';
import type { CostsView, ElsewhereView, ApprovalRuleView } from '../session/state';
import { commandViews } from '../commands/derive';
import { attachedNames } from '../composer/derive';
import type { AttachedView, OfferedView } from '../composer/state';
import { reasoningText } from '../model/modelChoice';
import type { LiveTurn } from '../session/agentWork';
import type {
  Activity,
  ColdPassView,
  Conversation,
  HoldReason,
  Problem,
  QueuedView,
  ReturnView,
  SettingNotice,
  TurnView,
} from './state';
import { TurnViews } from './turns';
import type { ReturnFacts } from '../session/returnQuestion';

/** What the Agent view is derived from; `now` in ms since the epoch. */
interface ConversationFacts {
  readonly events: readonly SessionEvent[];
  readonly window: ContextWindow;
  readonly live: LiveTurn;
  readonly queued: readonly (PromptContent & Partial<QueuedPrompt>)[];
  readonly held?: HoldReason | undefined;
  readonly settings: Settings;
  /** The thinking and effort that requests set; absent for none. */
  readonly reasoning?: Reasoning | undefined;
  readonly account: Account;
  readonly problem: Problem | undefined;
  readonly settingNotices?: readonly SettingNotice[];
  /** Why the log rejected an event; absent while it works. */
  readonly logProblem?: string | undefined;
  /** Absent if no question about an idle session is open. */
  readonly returning?: ReturnFacts | undefined;
  /** A pass at a cold cache that waits for its review; absent for none. */
  readonly coldPass?: ColdPassView | undefined;
  /** Activity in other sessions; absent for none. */
  readonly elsewhere?: ElsewhereView | undefined;
  /** What an empty session offers; absent until it is known. */
  readonly offers?: {
    readonly otherAgents: readonly string[];
    readonly prompts: readonly string[];
  };
  /** Absent while it is unknown. */
  readonly hasApiKey?: boolean;
  /** Prompts worth trying while the scripted model answers, in order. */
  readonly demoPrompts: readonly string[];
  /** Whether a session still has its log. */
  readonly isThere: (sessionId: string) => boolean;
  /** The user's versions of proposed edits, whole texts by the id of the call. */
  readonly revisedTexts?: Readonly<Record<string, string>>;
  /** The approval rules, newest first. */
  readonly rules?: readonly ApprovalRuleView[];
  /** Handles of background commands whose output is kept. */
  readonly withOutput?: ReadonlySet<string>;
  /** The attachments of the prompt being typed; absent for none. */
  readonly attached?: AttachedView | undefined;
  /** What one click attaches; absent for nothing. */
  readonly offered?: OfferedView | undefined;
  readonly mode: Mode;
  readonly now: number;
  /** The cost of the session; absent if unknown. */
  readonly costs?: Omit<CostsView, 'turn'> | undefined;
}

/** Derives the Agent view's state from the log and the running turn. */
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
    mode: facts.mode,
    ...(activity.state === 'idle' && planOf(window) !== undefined ? { hasPlan: true } : {}),
    offline,
    turns,
    activity: revisedActivity(activity, revisedTexts),
    queued: queued.map(queuedView),
    held,
    attached,
    ...(facts.offered === undefined ? {} : { offered: facts.offered }),
    ...startOf(facts, turns),
    suggestions: offline ? suggestionsAfter(turns, demoPrompts) : promptsToBegin(facts, turns),
    elsewhere,
    links,
    gauge: { usedTokens: used.tokens, exact: used.exact, inputBudget },
    costs,
    ...(todo.length === 0 ? {} : { todo }),
    ...(commands.length === 0 ? {} : { commands }),
    restored: turnViews.restored,
    ...(rules.length === 0 ? {} : { rules }),
    problem,
    ...(settingNotices.length === 0 ? {} : { settingNotices }),
    ...(returning === undefined ? {} : { returning: returnView(returning, used) }),
    ...(facts.coldPass === undefined ? {} : { coldPass: facts.coldPass }),
  };
}

/**
 * Shows the last turns of a long session while the rest of its log is read; the size of its window
 * is still unknown.
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
    mode: 'ask',
    queued: [],
    isOpening: true,
  };
}

/** Attachments of a queued prompt are named, not shown. */
function queuedView({ attachments, ...prompt }: PromptContent & Partial<QueuedPrompt>): QueuedView {
  const parts = promptParts(prompt.text);
  return { ...prompt, text: parts.typed, ...attachedNames(parts, attachments) };
}

/** The script does not think, whatever the settings say. */
function reasoningOf({
  settings,
  reasoning = {},
}: ConversationFacts): Pick<Conversation, 'reasoning'> {
  const text = settings.provider === 'offline' ? '' : reasoningText(reasoning);
  return text === '' ? {} : { reasoning: text };
}

/** The window as far as the last turns determine it. */
function windowOfEnd(events: readonly SessionEvent[]): ContextWindow {
  const window = fold(events);
  // Without the earlier blocks, the fold cannot tell that a pass was undone; the log can.
  const undone = new Set(events.map((event) => event.type === 'passUndone' && event.number));
  const ledger = window.ledger.mapped((entry) =>
    undone.has(entry.pass.number) ? { ...entry, undone: true as const } : entry,
  );
  return { ...window, ledger };
}

/** What an empty session offers; the scripted demo begins with its own task. */
function startOf(
  { offers, hasApiKey = true, settings }: ConversationFacts,
  turns: readonly TurnView[],
): Pick<Conversation, 'start'> {
  if (offers === undefined || turns.length > 0 || settings.provider === 'offline') return {};
  return { start: { needsKey: !hasApiKey, otherAgents: offers.otherAgents } };
}

function promptsToBegin(
  { offers }: ConversationFacts,
  turns: readonly TurnView[],
): readonly string[] {
  return turns.length === 0 ? (offers?.prompts ?? []) : [];
}

/** The demo's task first, then questions that were not asked yet. */
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

/** The cost of the session and of its newest turn; undefined before the first answer. */
export function costsView(
  session: Omit<CostsView, 'turn'> | undefined,
  turns: readonly TurnView[],
): CostsView | undefined {
  const newest = turns.at(-1);
  if (session === undefined || newest === undefined) return undefined;
  const hasAnswer = turns.some(({ usage }) => usage.inputTokens + usage.outputTokens > 0);
  return hasAnswer ? { turn: newest.usage.cost, ...session } : undefined;
}

/** Most files listed below the question. */
const MOST_LISTED = 20;

/** Derives the question; `used` is the size of the window. */
export function returnView(
  { usedAt, now, changes, isAnswered, cost }: ReturnFacts,
  used: Amount,
): ReturnView {
  const files = changes?.ok === true ? changes.files : [];
  const changed = changes === undefined ? 'looking up changes since then' : changesText(changes);
  const listed = files.slice(0, MOST_LISTED);
  return {
    sentence: `Idle ${idleText(now - usedAt)}, ${amountText(used)} tokens, ${changed}.`,
    ...(cost === undefined ? {} : { cost }),
    files: listed.map(({ path, how, isKnown }) => ({ path, isGone: how === 'gone', isKnown })),
    moreFiles: files.length - listed.length,
    isAnswered,
  };
}
