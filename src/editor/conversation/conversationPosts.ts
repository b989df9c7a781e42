import { effectiveBudget } from '../../contextWindow/budget';
import { passStart } from '../../contextWindow/passes/rungs/policyInput';
import { turnSettings } from '../../settings/turnSettings';
import type { ApprovalRules } from '../approvals/approvalRules';
import type { Proposals } from '../approvals/proposals';
import type { RunningCommands } from '../commands/runningCommands';
import { attachedView } from '../composer/derive';
import type { FilesInEditor } from '../composer/filesInEditor';
import type { PromptAttachments } from '../composer/promptAttachments';
import { Snapshots, type WebviewPage } from '../page';
import type { LogEnd } from '../../sessions/logSummary';
import type { Services } from '../services';
import type { CurrentSession } from '../session/currentSession';
import { payeeOf, reviewCost } from '../session/coldText';
import { elsewhereView } from '../session/derive';
import type { Returning } from '../session/returnQuestion';
import { SessionCosts } from '../session/sessionCosts';
import type { RunSession } from '../session/turnSource';
import { conversationPatch } from './conversationPatch';
import { conversationView, openingView } from './derive';
import type { StartOffers } from './startOffers';
import type { AgentFact, ColdPassView, Conversation, ConversationPatch } from './state';
import { TurnViews } from './turns';

/** The features that the Agent view shows in addition to the session. */
interface ShownFeatures {
  readonly attachments: Pick<PromptAttachments, 'items' | 'mentions'>;
  readonly commands: Pick<RunningCommands, 'withOutput'>;
  readonly inEditor: Pick<FilesInEditor, 'offered'>;
  readonly offers: Pick<StartOffers, 'found'>;
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
  /** The session of the newest post, and whether it was being loaded. */
  #shown: string | undefined;
  /** The view of the session that is being loaded. */
  #opening: { readonly end: LogEnd; readonly view: Conversation } | undefined;

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
    const shown = `${conversation.session} ${conversation.isOpening === true}`;
    if (this.#shown !== shown) this.#conversations.forget();
    this.#shown = shown;
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
    if (this.current.opening !== undefined) return;
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
    const { opening } = this.current;
    if (opening === undefined) return this.#current();
    if (this.#opening?.end !== opening) {
      this.#opening = { end: opening, view: viewOfEnd(opening, this.services) };
    }
    return this.#opening.view;
  }

  #current(): Conversation {
    const { access, demoPrompts, now } = this.services;
    const { attachments, commands, inEditor, offers, proposals, returning, rulesOf } =
      this.features;
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
        coldPass: this.#coldPass(),
        rules: rulesOf(run).views,
        withOutput: commands.withOutput,
        attached: attachedView(
          attachments.items,
          account.balance.used.tokens,
          passStart(effectiveBudget(window, valid.budget), policy),
        ),
        offered: inEditor.offered(attachments.mentions, attachments.items),
        revisedTexts: proposals.revisedTexts,
        demoPrompts,
        hasApiKey: access.hasApiKey,
        ...(offers.found === undefined ? {} : { offers: offers.found }),
        isThere: (id) => registry.fileOf(id) !== undefined,
        elsewhere: elsewhereView(elsewhere),
        mode: run.mode,
        now: now(),
        costs: this.#costs.of({ events, window, offline }),
      },
      this.#turnViews,
    );
  }

  #coldPass(): ColdPassView | undefined {
    const { access } = this.services;
    const { questions, window } = this.current.run;
    const { id, proposed } = questions.pendingPass ?? {};
    if (id === undefined || proposed === undefined) return undefined;
    const by = payeeOf(access.settings.valid);
    const { cold } = reviewCost(proposed, window, access.estimator.estimate, by);
    return cold === undefined ? undefined : { proposedPassId: id, cost: cold };
  }
}

type EndServices = Pick<Services, 'access' | 'demoAuthor'>;

/** The last turns of a session that is being loaded. */
function viewOfEnd(end: LogEnd, { access, demoAuthor }: EndServices): Conversation {
  return openingView(end, { settings: access.settings.valid.settings, demoAuthor });
}

/**
 * Posts the last turns of the session that is being loaded to a page that no one has adopted yet,
 * once it listens.
 */
export async function showEnd(
  page: Promise<Pick<WebviewPage, 'isListening' | 'post'>>,
  services: EndServices,
  current: Pick<CurrentSession, 'opening'>,
): Promise<void> {
  const end = current.opening;
  if (end === undefined) return;
  const shown = await page;
  await shown.isListening;
  if (current.opening !== end) return;
  shown.post({ type: 'conversationChanged', conversation: viewOfEnd(end, services) });
}
