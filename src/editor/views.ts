import * as vscode from 'vscode';
import type { AgentController } from './session/agentController';
import { AgentViewProvider } from './conversation/panel';
import { PromptAttachments } from './composer/promptAttachments';
import { ContextPanel, type ContextPanelParts } from './contextPanel/panel';
import { AGENT_VIEW, type Contributions } from './contributions';
import { AddToPrompt } from './composer/addToPrompt';
import { editorMentions } from './composer/editorMentions';
import { EndFirst } from './session/endFirst';
import type { HostParts } from './hostParts';
import { BlockDocuments } from './contextPanel/blocks/blockDocuments';
import { RequestDocuments } from './contextPanel/request/requestDocuments';
import { Mentions } from './composer/mentions';
import type { ModelAccess } from './model/modelAccess';
import { OpenQuestions, type OpenQuestionParts } from './session/openQuestions';
import { Proposals } from './approvals/proposals';
import { Publisher } from './publisher';
import type { SessionRun } from './session/sessionRun';
import { StatusBar } from './statusBar';
import { Surfaces } from './surfaces';
import type { Problem } from './conversation/state';
import type { RuleView } from './approvals/state';
import type { ReturnFacts } from './conversation/derive';

/** What the views show and where what their pages post goes. */
export interface ViewParts {
  readonly extensionUri: vscode.Uri;
  readonly host: Pick<
    HostParts,
    'gauge' | 'demoPrompts' | 'demoAuthor' | 'root' | 'loadTools' | 'now'
  >;
  readonly controller: () => AgentController;
  readonly access: ModelAccess;
  /** What stands in the way of a turn. */
  readonly problem: () => Problem | undefined;
  /** The question how to go on with a session that was idle. */
  readonly returning: () => ReturnFacts | undefined;
  /** The user's standing answers, newest first. */
  readonly rules: () => readonly RuleView[];
  /** Handles of commands of the session shown whose output is kept. */
  readonly withOutput: () => ReadonlySet<string>;
  /** Answers the question about a call, as a button of the Agent view does. */
  readonly answer: OpenQuestionParts['answer'];
  /** Shows a session in which the agent works. */
  readonly showRun: (run: SessionRun) => Promise<void>;
  /** Says whether a session still has its log. */
  readonly isThere: (sessionId: string) => boolean;
  readonly panel: Pick<
    ContextPanelParts,
    | 'sentBody'
    | 'home'
    | 'filesNow'
    | 'memento'
    | 'workspaceMemento'
    | 'logBytes'
    | 'sessions'
    | 'report'
  >;
  /** Take in what the pages post. */
  receiveFromAgent(message: unknown): void;
  /** Runs work whose failure is our bug. */
  background(work: () => Promise<unknown>): void;
}

/** Everything the user sees of Plimsoll in VS Code. */
export class Views implements vscode.Disposable {
  readonly agentView: AgentViewProvider;
  readonly contextPanel: ContextPanel;
  readonly proposals = new Proposals(() => this.columnBeside());
  readonly surfaces: Surfaces;
  readonly publisher: Publisher;
  /** The attachments of the prompt being typed. */
  readonly attachments: PromptAttachments;
  readonly adding: AddToPrompt;
  readonly endFirst: EndFirst;
  /** What the agent asks, in whichever session. */
  readonly questions: OpenQuestions;
  #isShownBusy = false;

  readonly #typing: vscode.Disposable;

  constructor(private readonly parts: ViewParts) {
    const { extensionUri, controller, access } = parts;
    const { gauge, demoPrompts, demoAuthor, now } = parts.host;
    this.#typing = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      // What the user makes of a proposal.
      if (document.uri.scheme === Proposals.scheme) this.publisher.changed();
    });
    this.agentView = new AgentViewProvider(
      (message) => parts.receiveFromAgent(message),
      () => this.questions.outOfSight(),
    );
    this.contextPanel = new ContextPanel({
      ...parts.panel,
      extensionUri,
      controller,
      access,
      demoAuthor,
      isThere: parts.isThere,
      changed: () => this.publisher.changed(),
      hydrate: () => this.surfaces.hydrateContext(),
    });
    const { inspection } = this.contextPanel;
    this.surfaces = new Surfaces({
      controller,
      settings: access.settings,
      estimate: access.estimator.estimate,
      agentView: this.agentView,
      contextPanel: this.contextPanel,
      inspection: () => inspection,
      publishAgain: () => this.publisher.changed(),
      readAhead: () => this.contextPanel.readAhead(),
      statusBar: new StatusBar(gauge),
      demoPrompts,
      demoAuthor,
      isThere: parts.isThere,
      problem: parts.problem,
      settingNotices: () => access.settingNotices,
      returning: parts.returning,
      rules: parts.rules,
      withOutput: parts.withOutput,
      revisedTexts: () => this.proposals.revisedTexts,
      showBusy: (isBusy) => this.#showBusy(isBusy),
      attached: () => this.attachments.items,
      now,
    });
    this.attachments = new PromptAttachments(new Mentions(editorMentions(parts.host)), access, () =>
      this.publisher.changed(),
    );
    this.adding = new AddToPrompt(this.attachments, parts.host.root, () => this.focusAgent());
    this.endFirst = new EndFirst({
      settings: () => access.settings.valid.settings,
      demoAuthor,
      log: (problem) => parts.panel.report.log(problem),
    });
    this.questions = new OpenQuestions({
      isShown: (run) => run === controller().shown,
      isInSight: () => this.agentView.isLive && vscode.window.state.focused,
      setBadge: (waiting, tooltip) => this.agentView.setBadge(waiting, tooltip),
      proposals: () => this.proposals,
      isReviewInSight: () => this.contextPanel.isLive && inspection.whyReadOnly === undefined,
      show: (run, where) => this.#show(run, where),
      answer: parts.answer,
      background: (work) => parts.background(work),
    });
    this.publisher = new Publisher(this.surfaces, () => performance.now());
  }

  /** What VS Code asks for. */
  get contributions(): Omit<Contributions, 'commands' | 'documents' | 'chat'> & {
    readonly documents: Omit<Contributions['documents'], 'plimsoll-before' | 'plimsoll-output'>;
  } {
    return {
      agentView: this.agentView,
      contextPanel: this.contextPanel,
      documents: {
        [BlockDocuments.scheme]: this.contextPanel.blocks,
        [RequestDocuments.scheme]: this.contextPanel.requests,
      },
      proposals: this.proposals,
    };
  }

  dispose(): void {
    this.#typing.dispose();
    this.publisher.dispose();
    this.contextPanel.dispose();
  }

  /** Shows the current session, which is another than before, as it stands. */
  sessionChanged(): void {
    this.contextPanel.sessionChanged();
    this.questions.sessionChanged();
  }

  /** Shows a recording in the Context panel; the user chooses one where none is named. */
  async openRecording(file: unknown): Promise<void> {
    this.contextPanel.open();
    await this.contextPanel.openRecording(typeof file === 'string' ? file : undefined);
  }

  /** Sends the Agent view everything it shows, because its page has just opened. */
  hydrateAgent(): void {
    this.agentView.ready();
    this.publisher.dropStreamed();
    this.surfaces.hydrateAgent();
  }

  /** Brings the Agent view to the front. */
  async focusAgent(): Promise<void> {
    await vscode.commands.executeCommand(`${AGENT_VIEW}.focus`);
  }

  /** Where texts open: never over the Context panel. */
  columnBeside(): vscode.ViewColumn {
    return this.contextPanel.columnBeside;
  }

  async #show(run: SessionRun, where: 'agentView' | 'contextPanel'): Promise<void> {
    if (run !== this.parts.controller().shown) await this.parts.showRun(run);
    if (where === 'agentView') return this.focusAgent();
    this.contextPanel.showCurrent();
    this.contextPanel.open();
  }

  #showBusy(isBusy: boolean): void {
    if (isBusy === this.#isShownBusy) return;
    this.#isShownBusy = isBusy;
    void vscode.commands.executeCommand('setContext', 'plimsoll.busy', isBusy);
  }
}
