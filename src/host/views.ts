import * as vscode from 'vscode';
import type { ApprovalRequest } from '../agent/tool';
import type { ToolUse } from '../contextWindow/block';
import type { AgentController } from './agentController';
import { visiblePath } from '../contextWindow/visibleText';
import { approvalNotice } from '../views/approvalNotice';
import type { FurtherEdit } from '../agent/editsTogether';
import { approvalView } from '../views/approvalView';
import { AgentViewProvider } from './agentViewProvider';
import { AttachedDesk } from './attachedDesk';
import { BlockDocuments } from './blockDocuments';
import { compareInWorker } from '../replay/compareInWorker';
import { ComparisonDesk } from './comparisonDesk';
import { ContextPanel } from './contextPanel';
import { AGENT_VIEW, type Contributions } from './contributions';
import { editorMentions } from './editorMentions';
import { EndFirst } from './endFirst';
import type { HostParts } from './hostParts';
import { InspectionDesk, type InspectionDeskParts } from './inspectionDesk';
import { RequestDocuments } from './requestDocuments';
import { Mentions } from './mentions';
import type { ModelAccess } from './modelAccess';
import { proposedEdit, Proposals } from './proposals';
import { Publisher } from './publisher';
import { StatusBar } from './statusBar';
import { Surfaces } from './surfaces';
import type { Problem } from '../protocol/agentView';
import type { ApprovalView, RuleView } from '../protocol/approvalView';
import type { ReturnFacts } from '../views/returnView';

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
  readonly answer: (toolUseId: string, approved: boolean) => void;
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
}

/** Everything the user sees of Plimsoll in VS Code. */
export class Views implements vscode.Disposable {
  readonly agentView: AgentViewProvider;
  readonly contextPanel: ContextPanel;
  readonly blocks: BlockDocuments;
  readonly inspectionDesk: InspectionDesk;
  readonly comparisonDesk: ComparisonDesk;
  readonly proposals = new Proposals(() => this.columnBeside());
  readonly surfaces: Surfaces;
  readonly publisher: Publisher;
  /** What lies beside the prompt that is being typed, and what may. */
  readonly desk: AttachedDesk;
  readonly mentions: Mentions;
  readonly endFirst: EndFirst;
  #isShownBusy = false;

  readonly #typing: vscode.Disposable;
  /** The open question, as long as no notification has asked it. */
  #unnoticed: ApprovalView | undefined;

  constructor(private readonly parts: ViewParts) {
    const { extensionUri, controller, access } = parts;
    const { gauge, demoPrompts, demoAuthor, now } = parts.host;
    this.#typing = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      // What the user makes of a proposal.
      if (document.uri.scheme === Proposals.scheme) this.publisher.changed();
    });
    this.agentView = new AgentViewProvider(
      (message) => parts.receiveFromAgent(message),
      () => this.#askInNotification(),
    );
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
      column: () => this.columnBeside(),
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
      () => this.columnBeside(),
    );
    this.surfaces = new Surfaces({
      controller,
      settings: access.settings,
      estimate: (text) => access.estimator.estimate(text),
      agentView: this.agentView,
      contextPanel: this.contextPanel,
      inspection: () => inspection,
      publishAgain: () => this.publisher.changed(),
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
      attached: () => this.desk.items,
      now,
    });
    this.desk = new AttachedDesk({
      estimator: () => access.estimator,
      changed: () => this.publisher.changed(),
    });
    this.mentions = new Mentions(editorMentions(parts.host));
    this.endFirst = new EndFirst({
      settings: () => access.settings.valid.settings,
      demoAuthor,
      log: (problem) => parts.inspection.log(problem),
    });
    this.publisher = new Publisher(this.surfaces, () => performance.now());
  }

  /** What VS Code asks for. */
  get contributions(): Omit<Contributions, 'commands' | 'documents'> & {
    readonly documents: Omit<Contributions['documents'], 'plimsoll-before' | 'plimsoll-output'>;
  } {
    return {
      agentView: this.agentView,
      contextPanel: this.contextPanel,
      documents: {
        [BlockDocuments.scheme]: this.blocks,
        [RequestDocuments.scheme]: this.inspectionDesk.documents,
      },
      proposals: this.proposals,
    };
  }

  dispose(): void {
    this.#typing.dispose();
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

  /**
   * Shows a proposed edit until the returned function is called, and has the further ones at hand;
   * commands are shown in the view.
   */
  showProposal(
    use: ToolUse,
    request: ApprovalRequest,
    root: string,
    further: readonly FurtherEdit[] = [],
  ): () => void {
    const answered = this.#callForAnswer(use.id, request);
    const shown = [{ use, request }, ...further].flatMap((one) => {
      const edit = proposedEdit(one.request);
      return edit === undefined ? [] : [{ id: one.use.id, edit }];
    });
    if (shown.length === 0) return answered;
    for (const { id, edit } of shown) this.proposals.add(id, edit, vscode.Uri.file(root));
    this.parts.background(() => this.proposals.open(use.id));
    return () => {
      answered();
      for (const { id } of shown) this.parts.background(() => this.proposals.close(id));
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

  /** Marks the view while a question is open, and asks in a notification where it cannot be seen. */
  #callForAnswer(toolUseId: string, request: ApprovalRequest): () => void {
    const question = approvalView(toolUseId, request);
    const { kind, title, subject } = question;
    const isNamed = kind === 'memory' || kind === 'delete';
    const name = isNamed ? `${title} ${visiblePath(subject, 60)}` : title;
    this.agentView.setBadge(`Waiting for your answer: ${name}`);
    this.#unnoticed = question;
    if (!this.agentView.isLive) this.#askInNotification();
    return () => {
      this.agentView.setBadge(undefined);
      this.#unnoticed = undefined;
    };
  }

  /**
   * Asks, once, what is asked in the view that cannot be seen. Yes and no are offered where all of it is
   * in sight, there or in its diff.
   */
  #askInNotification(): void {
    const question = this.#unnoticed;
    if (question === undefined) return;
    this.#unnoticed = undefined;
    const { message, mayAnswer } = approvalNotice(question);
    this.parts.background(async () => {
      const answers = mayAnswer ? ['Allow', 'Deny'] : [];
      const choice = await vscode.window.showInformationMessage(message, 'Show', ...answers);
      if (choice === 'Show') await this.focusAgent();
      else if (choice !== undefined) this.parts.answer(question.toolUseId, choice === 'Allow');
    });
  }

  #announce(message: string, open: () => Promise<void>): void {
    this.parts.background(async () => {
      const show = 'Show';
      const choice = await vscode.window.showInformationMessage(message, show);
      if (choice === show) await open();
    });
  }

  /** No text may cover the Context panel: a hidden page forgets what is being typed in it. */
  columnBeside(): vscode.ViewColumn {
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
