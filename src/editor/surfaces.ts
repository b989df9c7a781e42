import type { SessionEvent } from '../contextWindow/event';
import type { AgentFact, Conversation, ConversationPatch } from './conversation/state';
import type { ContextFact, ContextPatch, ContextView } from './contextPanel/state';
import { conversationPatch } from './conversation/conversationPatch';
import { contextPatch, timelinePatch } from './contextPanel/statePatch';
import type { TimelinePatch, TimelineView } from './contextPanel/timeline/state';
import { accountOf, type Account } from './account';
import { estimatesOf } from './contextPanel/bar/derive';
import type { CurrentSession } from './session/currentSession';
import { effectiveBudget } from '../contextWindow/budget';
import { turnSettings } from '../settings/turnSettings';
import { attachedView } from './composer/derive';
import { passStart } from '../contextWindow/passes/rungs/policyInput';
import { conversationView, type Elsewhere, elsewhereView } from './conversation/derive';
import { SessionCosts } from './sessionCosts';
import { TurnViews } from './conversation/turns';
import type { Doing } from './gauge';
import { nameOf } from './inspected';
import type { Audience } from './publisher';
import type { ApprovalRules } from './approvals/approvalRules';
import type { Proposals } from './approvals/proposals';
import type { RunningCommands } from './commands/runningCommands';
import type { PromptAttachments } from './composer/promptAttachments';
import type { ContextPanel } from './contextPanel/panel';
import type { ModelAccess } from './model/modelAccess';
import type { Returning } from './session/returnQuestion';
import type { RunSession } from './session/turnSource';
import type { StatusBar } from './statusBar';
import type { ValidSettings } from '../settings/windowBudget';

/** A page that the user may be looking at. */
interface Page<F> {
  readonly isLive: boolean;
  post(fact: F): void;
}

/** The pages, and the features that they show. */
export interface Surroundings {
  readonly current: CurrentSession;
  readonly access: Pick<ModelAccess, 'estimator' | 'settings' | 'settingNotices'>;
  readonly agentView: Page<AgentFact>;
  readonly panel: Page<ContextFact> & Pick<ContextPanel, 'inspection' | 'readAhead'>;
  readonly statusBar: Pick<StatusBar, 'show'>;
  readonly returning: Pick<Returning, 'question'>;
  readonly proposals: Pick<Proposals, 'revisedTexts'>;
  readonly rulesOf: (run: RunSession) => Pick<ApprovalRules, 'views'>;
  readonly commands: Pick<RunningCommands, 'withOutput'>;
  readonly attachments: Pick<PromptAttachments, 'items'>;
  /** Prompts worth trying while the offline model answers, in order. */
  readonly demoPrompts: readonly string[];
  /** The model name in the offline model's answers. */
  readonly demoAuthor: string;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The input of a timeline; the list of events grows in place. */
interface ToldAgent {
  readonly session: string;
  readonly inForce: ValidSettings;
  readonly events: readonly SessionEvent[];
  readonly count: number;
}

/** Derives Agent view, Context panel and status bar from one account of one window (I8). */
export class Surfaces implements Audience {
  /** The input of the timeline that the Context panel got last. */
  #told: ToldAgent | undefined;
  readonly #contexts = new Snapshots<ContextView, ContextPatch>(contextPatch);
  readonly #timelines = new Snapshots<TimelineView, TimelinePatch>(timelinePatch);

  readonly #conversations = new Snapshots<Conversation, ConversationPatch>(conversationPatch);
  readonly #turnViews: TurnViews;
  readonly #costs: SessionCosts;
  /** The session that the Agent view got last. */
  #toldSession: string | undefined;

  constructor(private readonly parts: Surroundings) {
    this.#turnViews = new TurnViews(parts.demoAuthor);
    this.#costs = new SessionCosts(parts.demoAuthor);
  }

  publishState(): void {
    const { access, agentView, current, panel, statusBar } = this.parts;
    const account = this.#account();
    statusBar.show({
      balance: account.balance,
      estimates: estimatesOf(current.run.window, account),
      windowSource: access.settings.valid.windowSource,
      doing: doingOf(current),
      elsewhere: elsewhereOf(current),
    });
    if (agentView.isLive) this.#postConversation(account);
    if (panel.isLive) this.#postContext(account, false);
  }

  postToAgent(fact: AgentFact): void {
    this.parts.agentView.post(fact);
  }

  /** Posts everything to a newly opened Agent view, the streaming reply included. */
  hydrateAgent(): void {
    const { agentView } = this.parts;
    this.#conversations.forget();
    this.#postConversation(this.#account());
    const { reply, output } = this.parts.current.run.live;
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

  /** Posts everything to a newly opened Context panel. */
  hydrateContext(): void {
    this.#postContext(this.#account(), true);
  }

  #account() {
    const { access, current } = this.parts;
    return accountOf(current.run.window, access.settings.valid.budget, (text) =>
      access.estimator.estimate(text),
    );
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
    const { access, current, returning, demoPrompts, now } = this.parts;
    const { settings } = access;
    const { window, events, live, turns } = current.run;
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
        problem: current.problem,
        settingNotices: access.settingNotices,
        returning: returning.question,
        rules: this.parts.rulesOf(current.run).views,
        withOutput: this.parts.commands.withOutput,
        attached: attachedView(
          this.parts.attachments.items,
          account.balance.used.tokens,
          passStart(
            effectiveBudget(window, settings.valid.budget),
            turnSettings(settings.valid).policy,
          ),
        ),
        revisedTexts: this.parts.proposals.revisedTexts,
        demoPrompts,
        isThere: (id) => current.registry.fileOf(id) !== undefined,
        elsewhere: elsewhereView(elsewhereOf(current)),
        now: now(),
        costs: this.#costs.of({
          events,
          window,
          offline: settings.valid.settings.provider === 'offline',
        }),
      },
      this.#turnViews,
    );
  }

  /** Posts the timeline when the log or the settings have changed, or to a new page. */
  #postContext(account: Account, isNewPage: boolean): void {
    const { access, current, panel } = this.parts;
    const { inspection } = panel;
    const { inspected } = inspection;
    const { events, inForce } = inspected;
    const told = { session: nameOf(inspected), inForce, events, count: events.length };
    const isNew = isNewPage || this.#told?.session !== told.session;
    if (isNew) {
      this.#contexts.forget();
      this.#timelines.forget();
    }
    if (isNew || !isAlike(this.#told, told)) this.#postTimeline(inspection.timeline());
    const { window } = current.run;
    const known = { window, budget: access.settings.valid.budget, account };
    const view = inspection.view(known, isNew);
    this.#postView(view);
    if (view.next.type === 'workingOut') current.changed();
    else if (inspection.isByLog) panel.readAhead();
    this.#told = told;
  }

  #postTimeline(timeline: TimelineView): void {
    const told = this.#timelines.tell(timeline);
    this.parts.panel.post(
      'whole' in told
        ? { type: 'timelineChanged', timeline, number: told.number }
        : { type: 'timelinePatched', ...told },
    );
  }

  #postView(context: ContextView): void {
    const told = this.#contexts.tell(context);
    this.parts.panel.post(
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

function doingOf({ run: { questions, isBusy } }: CurrentSession): Doing {
  if (questions.pendingPass !== undefined) return 'awaitingReview';
  return isBusy ? 'working' : 'nothing';
}

function elsewhereOf({ background }: CurrentSession): Elsewhere {
  const waiting = background.filter(({ questions }) => questions.isWaiting).length;
  return { waiting, working: background.length - waiting };
}

/** A state for a page: whole, or a patch against the previous number. */
export type Told<T, P> =
  { readonly number: number; readonly whole: T } | { readonly number: number; readonly patch: P };

/** Numbers the states sent to a page and remembers the last one, so that only changes are sent. */
class Snapshots<T, P> {
  #last: T | undefined;
  #number = 0;

  /** `compare` makes the patch that leads from one state to another. */
  constructor(private readonly compare: (before: T, after: T) => P) {}

  /** Forgets the last state: a new page gets the next one whole. */
  forget(): void {
    this.#last = undefined;
  }

  /** Returns the post for a state; the caller must post it. */
  tell(state: T): Told<T, P> {
    const last = this.#last;
    this.#last = state;
    const number = ++this.#number;
    return last === undefined
      ? { number, whole: state }
      : { number, patch: this.compare(last, state) };
  }
}
