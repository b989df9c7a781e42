import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Problem } from './conversation/state';
import { agentWishHandlers, agentWishReceiver, type AgentWishes } from './conversation/wishes';
import { fulfil, type WishHandlers } from './wish';
import type { SessionRegistry } from '../sessions/sessionRegistry';
import { AgentController } from './session/agentController';
import { ReplyCode } from './conversation/replyCode';
import { ApiKey } from './model/apiKey';
import { CommandDesk } from './commands/commandDesk';
import { ApprovalAnswers } from './approvals/approvalAnswers';
import type { ApprovalRules } from './approvals/approvalRules';
import { hostRules } from './approvals/hostRules';
import { readEditorSettings } from './settings/editorSettings';
import { onSettingsChange } from './notices';
import type { Contributions } from './contributions';
import { hostContributions } from './hostContributions';
import { HostFiles } from './checkpoints/hostFiles';
import type { HostParts } from './hostParts';
import { hostRegistry, sessionLimits } from './sessions/hostRegistry';
import { hostReturns } from './session/hostReturns';
import { hostSessions } from './sessions/hostSessions';
import { LeftOpen } from './session/leftOpen';
import { ModelAccess } from './model/modelAccess';
import * as notices from './notices';
import { onCloseIn, type OnClose } from './sessions/onClose';
import { plimsollApi, type PlimsollApi } from './plimsollApi';
import type { Report } from './report';
import type { ReturnDesk } from './session/returnDesk';
import { runEffects } from './session/runEffects';
import type { SessionCommands } from './sessions/sessionCommands';
import { SessionDesk } from './session/sessionDesk';
import type { SessionRun } from './session/sessionRun';
import { ShownSession } from './session/shownSession';
import { Views } from './views';
import type { WebviewPage } from './page';
import { checkpointsFolder, isLongSessionLeft, sessionsFolder } from './session/workLeft';

/** What was stopped, a turn or a command, is given this long to end before the editor goes; ms. */
const LAST_WAIT_MS = 3_000;

/** Plimsoll inside VS Code: connects controller, views, settings and sessions. */
export class Host {
  readonly #report: Report;
  readonly #apiKey: ApiKey;
  readonly #access: ModelAccess;
  readonly #registry: SessionRegistry;
  readonly #desk: SessionDesk;
  readonly #leftOpen: LeftOpen;
  readonly #rulesOf: (run: SessionRun) => ApprovalRules;
  readonly #answers: ApprovalAnswers;
  readonly #files: HostFiles;
  readonly #commands: CommandDesk;
  readonly #shown: ShownSession;
  readonly #returns: ReturnDesk;
  readonly #sessionCommands: SessionCommands;
  readonly #onClose: OnClose;
  readonly #views: Views;
  readonly #controller: AgentController;
  readonly #agentWishes: WishHandlers<AgentWishes>;
  readonly #setApiKey = () => this.#apiKey.askAndStore(this.#access.origin);
  #pinTaskAnchor: boolean;
  /** What VS Code asks for. */
  readonly contributions: Contributions;
  /** What other extensions may use. */
  readonly api: PlimsollApi;

  constructor(
    private readonly context: vscode.ExtensionContext,
    parts: HostParts,
  ) {
    this.#report = parts.report;
    const log = (problem: unknown): void => this.#report.log(problem);
    this.#apiKey = new ApiKey(context.secrets, parts.environment);
    this.#access = new ModelAccess(parts, {
      readSettings: readEditorSettings,
      key: this.#apiKey,
      changed: () => this.#accessChanged(),
      warn: notices.warn,
      log,
    });
    this.#registry = hostRegistry(parts, {
      folder: sessionsFolder(context),
      settings: this.#access.settings.valid.settings.sessions,
      isAtWork: (file) => this.#controller.isAtWork(this.#registry.inMemory(file)),
      log,
    });
    this.#leftOpen = new LeftOpen(context.workspaceState, (work) => this.#report.run(work));
    this.#desk = new SessionDesk(this.#registry, this.#leftOpen.shown);
    this.#commands = new CommandDesk({
      session: () => this.#desk.session,
      controller: () => this.#controller,
      warn: notices.warn,
      report: (error, session) => this.#shown.turnBroke(error, { session }),
      column: () => this.#views.columnBeside(),
    });
    this.#registry.onExpire(this.#commands.hook);
    this.#rulesOf = hostRules(parts, this.#access);
    this.#answers = new ApprovalAnswers({
      controller: () => this.#controller,
      rulesOf: this.#rulesOf,
      proposals: () => this.#views.proposals,
      tell: notices.tell,
    });
    this.#shown = new ShownSession({
      registry: this.#registry,
      desk: this.#desk,
      access: this.#access,
      report: this.#report,
      returns: () => this.#returns,
      commands: this.#commands,
      controller: () => this.#controller,
      views: () => this.#views,
    });
    this.#onClose = onCloseIn({ access: this.#access, parts, memento: context.globalState });
    this.#registry.onExpire(this.#onClose.hook);
    this.#returns = hostReturns(parts, {
      context,
      desk: this.#desk,
      registry: this.#registry,
      access: this.#access,
      controller: () => this.#controller,
      changed: () => this.#views.publisher.changed(),
      report: (error) => this.#shown.turnBroke(error, this.#controller.shown),
    });
    const around = {
      parts,
      registry: this.#registry,
      desk: this.#desk,
      access: this.#access,
      commands: this.#commands,
      shown: this.#shown,
    };
    this.#sessionCommands = hostSessions({
      ...around,
      controller: () => this.#controller,
      changed: () => this.#views.publisher.changed(),
    });
    this.#pinTaskAnchor = this.#access.settings.valid.settings.context.pinTaskAnchor;
    this.#views = new Views({
      extensionUri: context.extensionUri,
      host: parts,
      controller: () => this.#controller,
      access: this.#access,
      problem: () => this.#problem,
      returning: () => this.#returns.question,
      rules: () => this.#rulesOf(this.#controller.shown).views,
      withOutput: () => this.#commands.withOutput,
      answer: (run, id, approved) =>
        this.#report.run(() => this.#answers.answerElsewhere(id, approved, run)),
      showRun: (run) => this.#shown.showRun(run),
      isThere: (sessionId) => this.#registry.fileOf(sessionId) !== undefined,
      panel: {
        sentBody: parts.sentBody,
        home: parts.home,
        filesNow: (window) => this.#files.filesNow(window),
        memento: context.globalState,
        workspaceMemento: context.workspaceState,
        logBytes: () => this.#desk.logBytes(),
        sessions: this.#sessionCommands,
        report: this.#report,
      },
      receiveFromAgent: (message) => this.#report.run(() => receiveFromAgent(message)),
      background: (work) => this.#report.run(work),
    });
    this.#controller = new AgentController((run) =>
      runEffects(
        {
          ...around,
          report: this.#report,
          controller: () => this.#controller,
          views: () => this.#views,
          files: () => this.#files,
          returns: () => this.#returns,
          rulesOf: this.#rulesOf,
          tell: (problem) => this.#tell(problem),
          noteWork: () => this.#leftOpen.noteWork(this.#controller.background),
        },
        run,
      ),
    );
    this.#files = new HostFiles(parts, {
      access: this.#access,
      controller: () => this.#controller,
      folder: checkpointsFolder(context),
      column: () => this.#views.columnBeside(),
    });
    this.#agentWishes = agentWishHandlers({
      controller: this.#controller,
      answers: this.#answers,
      rulesOf: this.#rulesOf,
      proposals: this.#views.proposals,
      files: this.#files,
      commands: this.#commands,
      sessions: this.#sessionCommands,
      shown: this.#shown,
      returns: this.#returns,
      attachments: this.#views.attachments,
      adding: this.#views.adding,
      code: new ReplyCode(parts.root),
      editor: {
        run: (command, ...given) =>
          this.#report.run(() => vscode.commands.executeCommand(command, ...given)),
      },
      hydrate: () => {
        this.#views.hydrateAgent();
        this.#returns.look();
      },
      problem: () => this.#problem,
      tell: (problem) => this.#tell(problem),
      warn: notices.warn,
    });
    const { agentView } = this.#views;
    const post = agentView.post.bind(agentView);
    const receiveFromAgent = agentWishReceiver(this.#agentWishes, post, log);
    this.contributions = hostContributions({
      ...around,
      host: parts,
      views: this.#views,
      controller: this.#controller,
      answers: this.#answers,
      setApiKey: this.#setApiKey,
      apiKey: this.#apiKey,
      sessions: this.#sessionCommands,
      files: this.#files,
      problem: () => this.#problem,
    });
    this.api = plimsollApi(this.#registry, () => this.#desk.session);
  }

  /** Listens for what changes outside, and goes on with the session used last, a long one by its end first. */
  async start(agentPage: Promise<WebviewPage>): Promise<void> {
    this.context.subscriptions.push(
      this.#views,
      onSettingsChange(() =>
        this.#report.run(() =>
          notices.checkSettings(this.#access, () => this.#views.agentView.isLive),
        ),
      ),
      this.#apiKey.onChange(() => this.#report.run(() => this.#access.refresh())),
    );
    const latest = (): string | undefined => this.#desk.latestLog;
    const interrupted = this.#leftOpen.atWork;
    if (isLongSessionLeft(this.context)) await this.#views.endFirst.showSoon(agentPage, latest);
    this.#shown.goOnWith(this.#desk.openLatest(this.#returns.isLeft), false);
    const left = interrupted.filter((id) => id !== this.#controller.window.sessionId);
    this.#report.run(() =>
      notices.tellInterrupted(left.filter((id) => this.#registry.fileOf(id) !== undefined).length),
    );
    this.#report.run(() => this.#access.refresh());
  }

  /** Stops the turn, the offline server and the worker. */
  async stop(): Promise<void> {
    this.#leftOpen.close();
    const ended = Promise.all([
      this.#controller.dispose(),
      this.#onClose.stop(),
      this.#commands.stop(),
    ]);
    await Promise.race([ended, sleep(LAST_WAIT_MS)]);
    this.#registry.close();
    await this.#access.stop();
  }

  /** What stands in the way of a turn. */
  get #problem(): Problem | undefined {
    return this.#shown.problem ?? this.#access.problem;
  }

  #tell(problem: Problem): void {
    this.#report.run(() =>
      notices.warnOfRefusal(problem, (wish) => fulfil(this.#agentWishes, wish)),
    );
  }

  #accessChanged(): void {
    this.#views.publisher.changed();
    this.#registry.setLimits(sessionLimits(this.#access.settings.valid.settings.sessions));
    const { pinTaskAnchor } = this.#access.settings.valid.settings.context;
    // What a running pass refuses is tried again at the next look at the settings.
    const isSame = pinTaskAnchor === this.#pinTaskAnchor;
    const refusal = isSame ? undefined : this.#controller.setAnchorPinned(pinTaskAnchor);
    if (refusal === undefined) this.#pinTaskAnchor = pinTaskAnchor;
    if (this.#access.problem === undefined) this.#controller.turns.resume();
  }
}
