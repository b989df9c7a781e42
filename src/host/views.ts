import * as vscode from 'vscode';
import type { ApprovalRequest } from '../agent/tool';
import type { ToolUse } from '../contextWindow/block';
import type { AgentController } from './agentController';
import { visiblePath } from '../contextWindow/visibleText';
import { approvalView } from '../views/approvalView';
import { AgentViewProvider } from './agentViewProvider';
import { BlockDocuments } from './blockDocuments';
import { compareInWorker } from '../replay/compareInWorker';
import { ComparisonDesk } from './comparisonDesk';
import { ContextPanel } from './contextPanel';
import { AGENT_VIEW, type Contributions } from './contributions';
import { EndFirst } from './endFirst';
import { InspectionDesk, type InspectionDeskParts } from './inspectionDesk';
import { RequestDocuments } from './requestDocuments';
import type { ModelAccess } from './modelAccess';
import { proposedEdit, Proposals } from './proposals';
import { Publisher } from './publisher';
import { StatusBar } from './statusBar';
import { Surfaces } from './surfaces';
import type { Problem } from '../protocol/agentView';
import type { RuleView } from '../protocol/approvalView';
import type { ReturnFacts } from '../views/returnView';

/** What the views show and where what their pages post goes. */
export interface ViewParts {
  readonly extensionUri: vscode.Uri;
  /** The item of the status bar. */
  readonly gauge: vscode.StatusBarItem;
  readonly controller: () => AgentController;
  readonly access: ModelAccess;
  /** What stands in the way of a turn. */
  readonly problem: () => Problem | undefined;
  /** The question how to go on with a session that was idle. */
  readonly returning: () => ReturnFacts | undefined;
  /** The user's standing answers, newest first. */
  readonly rules: () => readonly RuleView[];
  readonly demoPrompts: readonly string[];
  readonly demoAuthor: string;
  /** Says whether a session still has its log. */
  readonly isThere: (sessionId: string) => boolean;
  readonly inspection: Pick<
    InspectionDeskParts,
    | 'sentBody'
    | 'home'
    | 'memento'
    | 'workspaceMemento'
    | 'logBytes'
    | 'sessions'
    | 'allowCost'
    | 'log'
  >;
  /** Take in what the pages post. */
  receiveFromAgent(message: unknown): void;
  receiveFromPanel(message: unknown): void;
  /** Runs work whose failure is our bug. */
  background(work: () => Promise<unknown>): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Everything the user sees of Plimsoll in VS Code. */
export class Views implements vscode.Disposable {
  readonly agentView: AgentViewProvider;
  readonly contextPanel: ContextPanel;
  readonly blocks: BlockDocuments;
  readonly inspectionDesk: InspectionDesk;
  readonly comparisonDesk: ComparisonDesk;
  readonly proposals = new Proposals(() => this.#columnBeside());
  readonly surfaces: Surfaces;
  readonly publisher: Publisher;
  readonly endFirst: EndFirst;
  #isShownBusy = false;

  constructor(private readonly parts: ViewParts) {
    const { extensionUri, controller, access, demoPrompts, demoAuthor } = parts;
    this.agentView = new AgentViewProvider((message) => parts.receiveFromAgent(message));
    this.contextPanel = new ContextPanel(extensionUri, {
      receive: (message) => parts.receiveFromPanel(message),
      seen: (how) => {
        this.inspectionDesk.panelSeen(how);
        // A page that cannot be seen is taken down, and nobody waits for the answer.
        if (how !== 'shown') this.comparisonDesk.stop();
      },
      restored: () => parts.background(() => this.inspectionDesk.reopenRecording()),
    });
    this.inspectionDesk = new InspectionDesk({
      ...parts.inspection,
      controller,
      access,
      demoAuthor,
      isThere: parts.isThere,
      changed: () => {
        this.comparisonDesk.follow();
        this.publisher.changed();
      },
      column: () => this.#columnBeside(),
      background: (work) => parts.background(work),
    });
    const { inspection } = this.inspectionDesk;
    const worker = vscode.Uri.joinPath(extensionUri, 'dist', 'compareWorker.js').fsPath;
    this.comparisonDesk = new ComparisonDesk({
      inspected: () => inspection.inspected,
      compare: (...run) => compareInWorker(worker, ...run),
      post: (fact) => this.contextPanel.post(fact),
    });
    this.blocks = new BlockDocuments(
      () => inspection.window,
      () => this.#columnBeside(),
    );
    this.surfaces = new Surfaces({
      controller,
      settings: access.settings,
      estimate: (text) => access.estimator.estimate(text),
      agentView: this.agentView,
      contextPanel: this.contextPanel,
      inspection: () => inspection,
      publishAgain: () => this.publisher.changed(),
      statusBar: new StatusBar(parts.gauge),
      demoPrompts,
      demoAuthor,
      isThere: parts.isThere,
      problem: parts.problem,
      settingNotices: () => access.settingNotices,
      returning: parts.returning,
      rules: parts.rules,
      showBusy: (isBusy) => this.#showBusy(isBusy),
      now: () => parts.now(),
    });
    this.endFirst = new EndFirst({
      settings: () => access.settings.valid.settings,
      demoAuthor,
      log: (problem) => parts.inspection.log(problem),
    });
    this.publisher = new Publisher(this.surfaces, () => performance.now());
  }

  /** What VS Code asks for. */
  get contributions(): Omit<Contributions, 'commands'> {
    return {
      agentView: this.agentView,
      contextPanel: this.contextPanel,
      documents: {
        [Proposals.scheme]: this.proposals,
        [BlockDocuments.scheme]: this.blocks,
        [RequestDocuments.scheme]: this.inspectionDesk.documents,
      },
    };
  }

  dispose(): void {
    this.publisher.dispose();
    this.blocks.dispose();
    this.comparisonDesk.stop();
    this.inspectionDesk.dispose();
  }

  /** Shows the current session, which is another than before, as it stands. */
  sessionChanged(): void {
    this.inspectionDesk.showCurrent();
    this.blocks.refresh();
  }

  /** Shows a recording in the Context panel; the user chooses one where none is named. */
  async openRecording(file: unknown): Promise<void> {
    this.contextPanel.open();
    await this.inspectionDesk.openRecording(typeof file === 'string' ? file : undefined);
  }

  /** Brings the Agent view to the front. */
  async focusAgent(): Promise<void> {
    await vscode.commands.executeCommand(`${AGENT_VIEW}.focus`);
  }

  /** Shows a proposed edit until the returned function is called; commands are shown in the view. */
  showProposal(use: ToolUse, request: ApprovalRequest, root: string): () => void {
    const { kind, title, subject } = approvalView(use.id, request);
    const isNamed = kind === 'memory' || kind === 'delete';
    const answered = this.#callForAnswer(isNamed ? `${title} ${visiblePath(subject, 60)}` : title);
    const edit = proposedEdit(request);
    if (edit === undefined) return answered;
    this.proposals.add(use.id, edit, vscode.Uri.file(root));
    this.parts.background(() => this.proposals.open(use.id));
    return () => {
      answered();
      this.parts.background(() => this.proposals.close(use.id));
    };
  }

  /** Calls for the user's answer to a pass, which is given in the Context panel. */
  showReview(): () => void {
    this.agentView.setBadge('Review this pass');
    const { inspection } = this.inspectionDesk;
    if (!this.contextPanel.isLive || inspection.whyReadOnly !== undefined) {
      const message = 'Plimsoll: a pass is waiting for your review in the Context panel.';
      this.#announce(message, async () => {
        this.inspectionDesk.showCurrent();
        this.contextPanel.open();
      });
    }
    return () => this.agentView.setBadge(undefined);
  }

  /** Marks the view while a question is open, and says so where the view cannot be seen. */
  #callForAnswer(question: string): () => void {
    this.agentView.setBadge(`Waiting for your answer: ${question}`);
    if (!this.agentView.isLive) {
      this.#announce(`Plimsoll asks: ${question}?`, () => this.focusAgent());
    }
    return () => this.agentView.setBadge(undefined);
  }

  #announce(message: string, open: () => Promise<void>): void {
    this.parts.background(async () => {
      const show = 'Show';
      const choice = await vscode.window.showInformationMessage(message, show);
      if (choice === show) await open();
    });
  }

  /** No text may cover the Context panel: a hidden page forgets what is being typed in it. */
  #columnBeside(): vscode.ViewColumn {
    const { column } = this.contextPanel;
    if (column === undefined) return vscode.ViewColumn.Active;
    return column === vscode.ViewColumn.One ? vscode.ViewColumn.Two : vscode.ViewColumn.One;
  }

  #showBusy(isBusy: boolean): void {
    if (isBusy === this.#isShownBusy) return;
    this.#isShownBusy = isBusy;
    void vscode.commands.executeCommand('setContext', 'plimsoll.busy', isBusy);
  }
}
