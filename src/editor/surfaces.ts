import type { SessionEvent } from '../contextWindow/event';
import type { Estimate } from '../contextWindow/truncate';
import type {
  AgentFact,
  Conversation,
  ConversationPatch,
  Problem,
  SettingNotice,
} from './conversation/state';
import type { AttachedItem } from './composer/state';
import type { RuleView } from './approvals/state';
import type { ContextFact, ContextPatch, ContextView } from './contextPanel/state';
import { conversationPatch } from './conversation/conversationPatch';
import { contextPatch, timelinePatch } from './contextPanel/statePatch';
import type { TimelinePatch, TimelineView } from './contextPanel/timeline/state';
import { accountOf, estimatesOf, type Account } from './contextPanel/bar/derive';
import type { AgentController } from './session/agentController';
import { effectiveBudget } from '../contextWindow/budget';
import { turnSettings } from '../settings/turnSettings';
import { attachedView } from './composer/derive';
import { passStart } from '../contextWindow/passes/rungs/policyInput';
import {
  conversationView,
  type Elsewhere,
  elsewhereView,
  type ReturnFacts,
  SessionCosts,
} from './conversation/derive';
import { TurnViews } from './conversation/turns';
import type { Doing, GaugeFacts } from './gauge';
import { nameOf } from './contextPanel/inspected';
import type { Inspection } from './contextPanel/inspection';
import type { Audience } from './publisher';
import type { SettingsInForce } from './model/settingsInForce';
import type { ValidSettings } from '../settings/windowBudget';

/** A page somebody may be looking at. */
interface Page<F> {
  readonly isLive: boolean;
  post(fact: F): void;
}

/** What the surfaces are drawn from and where they are. */
export interface SurfaceParts {
  readonly controller: () => AgentController;
  readonly settings: SettingsInForce;
  readonly estimate: Estimate;
  readonly agentView: Page<AgentFact>;
  readonly contextPanel: Page<ContextFact>;
  /** What the Context panel shows: the current session or another, now or in the past. */
  readonly inspection: () => Inspection;
  readonly statusBar: { show(facts: GaugeFacts): void };
  /** Says whether a session still has its log. */
  readonly isThere: (sessionId: string) => boolean;
  /** Prompts worth trying while the offline model answers, in order. */
  readonly demoPrompts: readonly string[];
  /** What the offline model signs its answers with. */
  readonly demoAuthor: string;
  /** What stands in the way of a turn. */
  problem(): Problem | undefined;
  /** What is to be said of the settings. */
  settingNotices(): readonly SettingNotice[];
  /** The question how to go on with a session that was idle; undefined where there is none. */
  returning(): ReturnFacts | undefined;
  /** What the user made of proposed edits, whole texts by the id of the call. */
  revisedTexts(): Readonly<Record<string, string>>;
  /** The user's standing answers, newest first. */
  rules(): readonly RuleView[];
  /** Handles of commands of the session shown whose output is kept. */
  withOutput(): ReadonlySet<string>;
  /** What lies beside the prompt that is being typed. */
  attached(): readonly AttachedItem[];
  /** Asks for the state to be published once more, soon. */
  publishAgain(): void;
  /** Asks for the files to be read that the next pass would show. */
  readAhead(): void;
  /** Tells VS Code whether the agent is at work, for its menus. */
  showBusy(isBusy: boolean): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** What a timeline was drawn from; the list of events grows in place. */
interface ToldAgent {
  readonly session: string;
  readonly inForce: ValidSettings;
  readonly events: readonly SessionEvent[];
  readonly count: number;
}

/** Draws Agent view, Context panel and status bar from one account of one window (I8). */
export class Surfaces implements Audience {
  /** What the Context panel was told of last, as far as its timeline is drawn from it. */
  #told: ToldAgent | undefined;
  readonly #contexts = new Snapshots<ContextView, ContextPatch>(contextPatch);
  readonly #timelines = new Snapshots<TimelineView, TimelinePatch>(timelinePatch);

  readonly #conversations = new Snapshots<Conversation, ConversationPatch>(conversationPatch);
  readonly #turnViews: TurnViews;
  readonly #costs: SessionCosts;
  /** The session the Agent view was told of last. */
  #toldSession: string | undefined;

  constructor(private readonly parts: SurfaceParts) {
    this.#turnViews = new TurnViews(parts.demoAuthor);
    this.#costs = new SessionCosts(parts.demoAuthor);
  }

  publishState(): void {
    const { agentView, contextPanel, statusBar, settings } = this.parts;
    const controller = this.parts.controller();
    const account = this.#account();
    statusBar.show({
      balance: account.balance,
      estimates: estimatesOf(controller.window, account),
      windowSource: settings.valid.windowSource,
      doing: doingOf(controller),
      elsewhere: elsewhereOf(controller),
    });
    this.parts.showBusy(controller.isBusy);
    if (agentView.isLive) this.#postConversation(account);
    if (contextPanel.isLive) this.#postContext(account, false);
  }

  postToAgent(fact: AgentFact): void {
    this.parts.agentView.post(fact);
  }

  /** Tells a newly opened Agent view everything, the reply in flight included. */
  hydrateAgent(): void {
    const { agentView } = this.parts;
    this.#conversations.forget();
    this.#postConversation(this.#account());
    const { reply, output } = this.parts.controller().live;
    if (reply !== undefined) {
      const { step, text, thinking = '' } = reply;
      agentView.post({ type: 'replyStreamed', step, text, whole: true });
      if (thinking !== '') {
        agentView.post({ type: 'thinkingStreamed', step, text: thinking, whole: true });
      }
    }
    if (output !== undefined) {
      agentView.post({ type: 'toolOutputStreamed', ...output, whole: true });
    }
  }

  /** Tells a newly opened Context panel everything. */
  hydrateContext(): void {
    this.#postContext(this.#account(), true);
  }

  #account() {
    const { controller, settings, estimate } = this.parts;
    return accountOf(controller().window, settings.valid.budget, estimate);
  }

  #postConversation(account: Account): void {
    const { agentView } = this.parts;
    const conversation = this.#conversation(account);
    if (this.#toldSession !== conversation.session) this.#conversations.forget();
    this.#toldSession = conversation.session;
    const told = this.#conversations.tell(conversation);
    agentView.post(
      'whole' in told
        ? { type: 'conversationChanged', conversation, number: told.number }
        : { type: 'conversationPatched', ...told },
    );
  }

  #conversation(account: Account): Conversation {
    const { controller, settings, problem, returning, demoPrompts, isThere, now } = this.parts;
    const { window, events, live, turns } = controller();
    return conversationView(
      {
        events,
        window,
        live,
        queued: turns.queued,
        held: turns.queue.held,
        logProblem: turns.logProblem,
        settings: settings.valid.settings,
        reasoning: turnSettings(settings.valid).reasoning,
        account,
        problem: problem(),
        settingNotices: this.parts.settingNotices(),
        returning: returning(),
        rules: this.parts.rules(),
        withOutput: this.parts.withOutput(),
        attached: attachedView(
          this.parts.attached(),
          account.balance.used.tokens,
          passStart(
            effectiveBudget(window, settings.valid.budget),
            turnSettings(settings.valid).policy,
          ),
        ),
        revisedTexts: this.parts.revisedTexts(),
        demoPrompts,
        isThere,
        elsewhere: elsewhereView(elsewhereOf(controller())),
        now: now(),
        costs: this.#costs.of({
          events,
          window,
          budget: effectiveBudget(window, settings.valid.budget),
          offline: settings.valid.settings.provider === 'offline',
        }),
      },
      this.#turnViews,
    );
  }

  /** The timeline is told when the log or the settings have changed, or to a new page. */
  #postContext(account: Account, isNewPage: boolean): void {
    const { controller, settings } = this.parts;
    const inspection = this.parts.inspection();
    const { inspected } = inspection;
    const { events, inForce } = inspected;
    const told = { session: nameOf(inspected), inForce, events, count: events.length };
    const isNew = isNewPage || this.#told?.session !== told.session;
    if (isNew) {
      this.#contexts.forget();
      this.#timelines.forget();
    }
    if (isNew || !isAlike(this.#told, told)) this.#postTimeline(inspection.timeline());
    const { window } = controller();
    const known = { window, budget: settings.valid.budget, account };
    const view = inspection.view(known, isNew);
    this.#postView(view);
    if (view.next.type === 'workingOut') this.parts.publishAgain();
    else if (inspection.isByLog) this.parts.readAhead();
    this.#told = told;
  }

  #postTimeline(timeline: TimelineView): void {
    const told = this.#timelines.tell(timeline);
    this.parts.contextPanel.post(
      'whole' in told
        ? { type: 'timelineChanged', timeline, number: told.number }
        : { type: 'timelinePatched', ...told },
    );
  }

  #postView(context: ContextView): void {
    const told = this.#contexts.tell(context);
    this.parts.contextPanel.post(
      'whole' in told
        ? { type: 'contextChanged', context, number: told.number }
        : { type: 'contextPatched', ...told },
    );
  }
}

function isAlike(one: ToldAgent | undefined, other: ToldAgent): boolean {
  const { inForce, events, count } = other;
  return one?.inForce === inForce && one.events === events && one.count === count;
}

function doingOf({ questions, isBusy }: AgentController): Doing {
  if (questions.pendingPass !== undefined) return 'awaitingReview';
  return isBusy ? 'working' : 'nothing';
}

function elsewhereOf({ background }: AgentController): Elsewhere {
  const waiting = background.filter(({ questions }) => questions.isWaiting).length;
  return { waiting, working: background.length - waiting };
}

/** What a page is told of a state: all of it, or what changed since the one numbered before. */
export type Told<T, P> =
  { readonly number: number; readonly whole: T } | { readonly number: number; readonly patch: P };

/**
 * Numbers what a page is told of a state, and remembers the state told last, so that only what
 * changed has to be told next.
 */
class Snapshots<T, P> {
  #last: T | undefined;
  #number = 0;

  /** `compare` makes the patch that leads from one state to another. */
  constructor(private readonly compare: (before: T, after: T) => P) {}

  /** Forgets what was told: the next state is told whole, as a page that knows none needs it. */
  forget(): void {
    this.#last = undefined;
  }

  /** Says how to tell a state, which must then be told. */
  tell(state: T): Told<T, P> {
    const last = this.#last;
    this.#last = state;
    const number = ++this.#number;
    return last === undefined
      ? { number, whole: state }
      : { number, patch: this.compare(last, state) };
  }
}
