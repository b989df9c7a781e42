import { effectiveBudget } from '../../contextWindow/budget';
import { passStart } from '../../contextWindow/passes/rungs/policyInput';
import { turnSettings } from '../../settings/turnSettings';
import type { ApprovalRules } from '../approvals/approvalRules';
import type { Proposals } from '../approvals/proposals';
import type { RunningCommands } from '../commands/runningCommands';
import { attachedView } from '../composer/derive';
import type { PromptAttachments } from '../composer/promptAttachments';
import { Snapshots } from '../page';
import type { Services } from '../services';
import type { CurrentSession } from '../session/currentSession';
import { elsewhereView } from '../session/derive';
import type { Returning } from '../session/returnQuestion';
import { SessionCosts } from '../session/sessionCosts';
import type { RunSession } from '../session/turnSource';
import { conversationPatch } from './conversationPatch';
import { conversationView } from './derive';
import type { AgentFact, Conversation, ConversationPatch } from './state';
import { TurnViews } from './turns';

/** The features that the Agent view shows in addition to the session. */
interface ShownFeatures {
  readonly attachments: Pick<PromptAttachments, 'items'>;
  readonly commands: Pick<RunningCommands, 'withOutput'>;
  readonly proposals: Pick<Proposals, 'revisedTexts'>;
  readonly returning: Pick<Returning, 'question'>;
  readonly rulesOf: (run: RunSession) => Pick<ApprovalRules, 'views'>;
}

/** A page that the user may be looking at. */
interface AgentPage {
  readonly isLive: boolean;
  post(fact: AgentFact): void;
}

/** Derives what the Agent view shows, and posts the changes to its page. */
export class ConversationPosts {
  readonly #conversations = new Snapshots<Conversation, ConversationPatch>(conversationPatch);
  readonly #turnViews: TurnViews;
  readonly #costs: SessionCosts;
  /** The session of the newest post. */
  #session: string | undefined;

  constructor(
    private readonly page: AgentPage,
    private readonly services: Pick<Services, 'access' | 'demoAuthor' | 'demoPrompts' | 'now'>,
    private readonly current: CurrentSession,
    private readonly features: ShownFeatures,
  ) {
    this.#turnViews = new TurnViews(services.demoAuthor);
    this.#costs = new SessionCosts(services.demoAuthor);
  }

  /** Posts the changes, unless no one can see the page. */
  publish(): void {
    if (!this.page.isLive) return;
    const conversation = this.#conversation();
    if (this.#session !== conversation.session) this.#conversations.forget();
    this.#session = conversation.session;
    const update = this.#conversations.updateTo(conversation);
    this.page.post(
      'whole' in update
        ? { type: 'conversationChanged', conversation, number: update.number }
        : { type: 'conversationPatched', ...update },
    );
  }

  /** Posts everything to a newly opened page, the streaming reply included. */
  hydrate(): void {
    this.#conversations.forget();
    this.publish();
    const { reply, output } = this.current.run.live;
    if (reply !== undefined) {
      const { step, text, thinking = '' } = reply;
      this.page.post({ type: 'replyStreamed', step, text, whole: true });
      if (thinking !== '') {
        this.page.post({ type: 'thinkingStreamed', step, text: thinking, whole: true });
      }
    }
    if (output !== undefined) {
      this.page.post({ type: 'toolOutputStreamed', ...output, whole: true });
    }
  }

  #conversation(): Conversation {
    const { access, demoPrompts, now } = this.services;
    const { attachments, commands, proposals, returning, rulesOf } = this.features;
    const { account, elsewhere, problem, registry, run } = this.current;
    const { events, live, turns, window } = run;
    const { valid } = access.settings;
    const { policy, reasoning } = turnSettings(valid);
    const offline = valid.settings.provider === 'offline';
    return conversationView(
      {
        events,
        window,
        live,
        queued: turns.queued,
        held: turns.queue.held,
        logProblem: turns.logProblem,
        settings: valid.settings,
        reasoning,
        account,
        problem,
        settingNotices: access.settingNotices,
        returning: returning.question,
        rules: rulesOf(run).views,
        withOutput: commands.withOutput,
        attached: attachedView(
          attachments.items,
          account.balance.used.tokens,
          passStart(effectiveBudget(window, valid.budget), policy),
        ),
        revisedTexts: proposals.revisedTexts,
        demoPrompts,
        isThere: (id) => registry.fileOf(id) !== undefined,
        elsewhere: elsewhereView(elsewhere),
        now: now(),
        costs: this.#costs.of({ events, window, offline }),
      },
      this.#turnViews,
    );
  }
}
