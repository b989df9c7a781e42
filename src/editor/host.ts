import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { ApprovalAnswers } from './approvals/approvalAnswers';
import { rulesBySession } from './approvals/approvalRules';
import { QuestionAlerts } from './approvals/questionAlerts';
import { Proposals } from './approvals/proposals';
import { ChatParticipant } from './chat/chatParticipant';
import { WorkspaceFiles } from './checkpoints/workspaceFiles';
import { RunningCommands } from './commands/runningCommands';
import { AddToPrompt } from './composer/addToPrompt';
import { CustomCommands } from './composer/customCommands';
import { KeptDraft } from './composer/keptDraft';
import { DemoProject, demoBegan, doesDemoWait } from './demo/demoProject';
import { editorMentions } from './composer/editorMentions';
import { FilesInEditor } from './composer/filesInEditor';
import { Mentions } from './composer/mentions';
import { PromptAttachments } from './composer/promptAttachments';
import { CommitMessage } from './git/commitMessage';
import { AskInFile } from './inFile/askInFile';
import { ChangesInFile } from './inFile/changesInFile';
import { EditInPlace } from './inFile/editInPlace';
import { BlockDocuments } from './contextPanel/blocks/blockDocuments';
import { ContextPanel } from './contextPanel/panel';
import { RequestDocuments } from './contextPanel/request/requestDocuments';
import type { Contributions } from './contributions';
import { focusAgent } from './openEditor';
import type { Problem } from './session/state';
import { ConversationPosts, showEnd } from './conversation/conversationPosts';
import { AgentViewProvider } from './conversation/panel';
import { StartOffers } from './conversation/startOffers';
import { Plans } from './conversation/plans';
import { ReplyCode } from './conversation/replyCode';
import { agentWishHandlers, agentWishReceiver } from './conversation/wishes';
import { ModelPicker } from './model/modelPicker';
import { tellInterrupted, warnOfRefusal } from './notifications';
import { checkSettings, onSettingsChange } from './settings/editorSettings';
import type { WebviewPage } from './page';
import type { Platform } from './platform';
import { plimsollApi, type PlimsollApi } from './plimsollApi';
import { Publisher } from './publisher';
import { OtherAgents } from './recordings/otherAgents';
import { RecordExactly } from './recordings/recordExactly';
import { RequestCaptures } from './recordings/requestCaptures';
import { type Services, servicesOf } from './services';
import { CurrentSession } from './session/currentSession';
import { draftFolder } from './session/workLeft';
import { needsFollower } from './session/neededInSessions';
import { returningIn } from './session/returnQuestion';
import { followTurns, inSession } from './session/turnNotices';
import { OnClose } from './sessions/onClose';
import { SessionCommands } from './sessions/sessionCommands';
import { SessionSearch } from './sessions/sessionSearch';
import { StatusBar } from './statusBar';
import { Telemetry } from './telemetry/telemetry';
import { ToolPicker } from './tools/toolPicker';
import { VariablePicker } from './tools/variablePicker';
import { TurnSetup } from './turnSetup';
import { fulfil } from './wish';

/** Longest wait for stopped turns and commands before the editor closes, in ms. */
const LAST_WAIT_MS = 3_000;

/** Plimsoll inside VS Code: creates the features in order, and gives each the same services. */
export class Host {
  readonly #services: Services;
  readonly #current: CurrentSession;
  readonly #commands: RunningCommands;
  readonly #onClose: OnClose;
  readonly #drafts: KeptDraft;
  readonly #agentView: AgentViewProvider;
  readonly #telemetry: Telemetry;
  readonly contributions: Contributions;
  readonly api: PlimsollApi;

  constructor(context: vscode.ExtensionContext, platform: Platform) {
    const services = servicesOf(context, platform);
    const { access, folders, notices, report, textColumn } = services;

    // The sessions and their agents.
    const current = new CurrentSession(services);
    const { registry } = current;
    const commands = new RunningCommands(services, current);
    registry.onExpire(commands.hook);
    const onClose = new OnClose(services);
    registry.onExpire(onClose.hook);
    const returning = returningIn(services, current);
    const files = new WorkspaceFiles(services, current);
    const rulesOf = rulesBySession(services);
    current.runTurnsWith(
      new TurnSetup(services, { commands, files, returning, sessions: registry, rulesOf }),
    );
    followTurns(services, current);
    const sessions = new SessionCommands(services, current, commands);
    const models = new ModelPicker(services, current);
    const tools = new ToolPicker(services, current);
    const variables = new VariablePicker(services);
    const plans = new Plans(services, current);

    // The pages, and the features they show.
    const captures = new RequestCaptures(services);
    const telemetry = new Telemetry(services, current);
    const agentView = new AgentViewProvider();
    const panel = new ContextPanel(services, current, {
      agentView,
      files,
      sessions,
      tools,
      captures,
      telemetry,
    });
    textColumn.avoid(panel);
    const recordExactly = new RecordExactly(services, captures);
    const otherAgents = new OtherAgents(services, panel, captures);
    const demo = new DemoProject(context, services.makeId, (folder) =>
      vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder), {
        forceNewWindow: true,
      }),
    );
    const proposals = new Proposals(textColumn);
    const answers = new ApprovalAnswers({ current, rulesOf, proposals, notices });
    const inPlace = new EditInPlace(proposals, agentView);
    const shown = { agentView, answers, inPlace, panel, proposals };
    const questions = new QuestionAlerts(services, current, shown);
    const inEditor = new FilesInEditor(folders, () => current.changed());
    const mentions = new Mentions(editorMentions(services, inEditor));
    const drafts = new KeptDraft(draftFolder(context), (error) => report.log(error));
    const attachments = new PromptAttachments(mentions, access, () => {
      drafts.keepAttached(attachments.kept);
      current.changed();
    });
    attachments.takeBack(drafts.attached);
    const adding = new AddToPrompt(attachments, folders, focusAgent);
    const inFile = new ChangesInFile(services, current, files);
    const asking = new AskInFile(services, current, attachments, agentView, inPlace);
    const offers = new StartOffers(services, () => current.changed());
    const conversation = new ConversationPosts(agentView, services, current, {
      attachments,
      commands,
      inEditor,
      offers,
      proposals,
      returning,
      rulesOf,
    });
    const views = [new StatusBar(services, current), conversation, panel];
    const publisher = new Publisher(views, agentView, () => performance.now());

    // Connects the features with the events they need.
    current.follow(commands);
    current.follow({ ended: (run) => plans.ended(run) });
    current.follow(needsFollower(services));
    current.follow(publisher.following(current));
    current.follow({
      shown: () => {
        publisher.dropStreamed();
        panel.sessionChanged();
        questions.sessionChanged();
        if (current.run.isBusy) conversation.hydrate();
      },
      askedFor: async (from, isOpen) => {
        if (!isOpen) conversation.hydrate();
        if (from === 'list' || (from === 'link' && !agentView.isLive)) await focusAgent();
      },
      asked: (run, question) => questions.asked(run, question),
    });
    proposals.onDidType(() => current.changed());

    // What the Agent view and VS Code can ask for.
    // A page in sight shows the refusal itself.
    const tell = (problem: Problem): void => (agentView.isLive ? undefined : warn(problem));
    const warn = (problem: Problem): void =>
      report.run(() => warnOfRefusal(problem, (wish) => fulfil(wishes, wish)));
    const wishes = agentWishHandlers({
      agentView,
      current,
      answers,
      rulesOf,
      proposals,
      commands,
      sessions,
      returning,
      files,
      attachments,
      customCommands: new CustomCommands(services, (message) => access.tellOnce(message)),
      adding,
      drafts,
      notices,
      tell,
      plans,
      openSubAgent: (toolUseId) => panel.openSubAgent(toolUseId),
      code: new ReplyCode(folders),
      editor: {
        run: (command, ...given) =>
          report.run(() => vscode.commands.executeCommand(command, ...given)),
      },
      hydrate: () => {
        agentView.ready();
        publisher.dropStreamed();
        conversation.hydrate();
        returning.look();
        report.run(() => offers.look());
      },
    });
    const receive = agentWishReceiver(wishes, agentView, report, current);
    agentView.onMessage((message) => report.run(() => receive(message)));
    agentView.onHidden(() => questions.outOfSight());
    current.follow({
      refused: (run, { message, action }) =>
        warn({ message: inSession(current, run, message), action }),
    });
    this.contributions = {
      agentView,
      contextPanel: panel,
      proposals,
      otherAgents,
      chat: new ChatParticipant({ current, answers, folders, notices }),
      documents: {
        [BlockDocuments.scheme]: panel.blocks,
        [RequestDocuments.scheme]: panel.requests,
        [WorkspaceFiles.scheme]: files,
        [RunningCommands.scheme]: commands,
        [RecordExactly.scheme]: recordExactly,
      },
      commands: {
        focusAgent,
        ...panel.commands,
        ...sessions.commands,
        ...new SessionSearch(registry, current, panel).commands,
        ...answers.commands,
        ...models.commands,
        ...tools.commands,
        ...variables.commands,
        ...plans.commands,
        ...adding.commands,
        ...inFile.commands,
        ...asking.commands,
        ...new CommitMessage(services, current, warn).commands,
        ...otherAgents.commands,
        ...recordExactly.commands,
        ...demo.commands,
      },
    };
    this.api = plimsollApi(registry, () => current.session);
    captures.onDidChange(() => panel.captureTurned());
    context.subscriptions.push(
      captures,
      panel,
      proposals,
      publisher,
      otherAgents,
      inFile,
      inPlace,
      inEditor,
    );

    this.#services = services;
    this.#current = current;
    this.#commands = commands;
    this.#drafts = drafts;
    this.#onClose = onClose;
    this.#agentView = agentView;
    this.#telemetry = telemetry;
  }

  /**
   * Listens for changes of settings and key, and opens the latest session; a long one shows its
   * last turns first, on a page that gets its facts from here until the host is ready.
   */
  async start(agentPage: Promise<WebviewPage>): Promise<void> {
    const { access, apiKey, context, report } = this.#services;
    const current = this.#current;
    context.subscriptions.push(
      onSettingsChange(() => report.run(() => checkSettings(access, () => this.#agentView.isLive))),
      apiKey.onChange(() => report.run(() => access.refresh())),
    );
    const { interrupted } = current;
    const opening = current.openLatest();
    const stopShowing = current.follow({
      changed: () => report.run(() => showEnd(agentPage, this.#services, current)),
    });
    await opening.finally(stopShowing);
    const left = interrupted.filter((id) => id !== current.run.window.sessionId);
    const stillThere = left.filter((id) => current.registry.fileOf(id) !== undefined);
    report.run(() => tellInterrupted(stillThere.length));
    report.run(() => access.refresh());
    report.run(() => this.#onClose.catchUp(current.registry));
    report.run(() => this.#beginDemo());
  }

  /** Performs the demo's task in the window that was opened for it, once. */
  async #beginDemo(): Promise<void> {
    const { context, demoPrompts, root } = this.#services;
    const [task] = demoPrompts;
    if (root === undefined || task === undefined || !doesDemoWait(root, context)) return;
    await focusAgent();
    await demoBegan(root);
    this.#current.run.submit({ text: task });
  }

  /** Stops turns, commands, telemetry, the offline server and the worker; finishes the draft. */
  async stop(): Promise<void> {
    const ending = [this.#current, this.#onClose, this.#commands, this.#drafts];
    const ended = Promise.all(ending.map((one) => one.stop()));
    await Promise.race([ended, sleep(LAST_WAIT_MS)]);
    await this.#telemetry.stop();
    this.#current.registry.close();
    await this.#services.access.stop();
  }
}
