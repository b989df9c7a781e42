import * as vscode from 'vscode';
import { ProposalFiles, type ProposalTexts } from './approvals/proposalFiles';
import { type ChatAnswers, registerChat } from './chat/chatRegistration';
import type { OnDemand } from './loading';
import { WebviewPage } from './page';
import type { AgentNode, OtherAgents } from './recordings/otherAgents';
import type { Report } from './report';
import { registerCodeActions } from './inFile/codeActions';
import { AGENT_VIEW, CONTEXT_PANEL } from './page';

/** The icon of the agent, in the folder of the extension. */
const ICON = 'media/plimsoll-tab.svg';

/** Plimsoll's virtual documents, by URI scheme. */
const DOCUMENTS = [
  'plimsoll-before',
  'plimsoll-block',
  'plimsoll-output',
  'plimsoll-request',
  'plimsoll-settings',
] as const;

/** Answers when VS Code asks for something that Plimsoll contributes. */
export interface Contributions {
  readonly agentView: { adopt(view: vscode.WebviewView, page: WebviewPage): void };
  readonly contextPanel: { adopt(panel: vscode.WebviewPanel, page: WebviewPage): void };
  readonly documents: Readonly<Record<(typeof DOCUMENTS)[number], Documents>>;
  readonly otherAgents: Pick<OtherAgents, 'roots' | 'message' | 'onDidChange'>;
  readonly proposals: ProposalTexts;
  readonly commands: CommandEffects;
  readonly chat: ChatAnswers;
}

/** Provides the text of documents, and announces changes. */
interface Documents {
  provideTextDocumentContent(uri: vscode.Uri): string | Promise<string>;
  readonly onDidChange?: vscode.Event<vscode.Uri>;
}

/**
 * Registers Plimsoll's contributions with VS Code. The host is loaded on the first request;
 * requests wait for it in order. Pages appear immediately and say that they are loading.
 */
export function registerContributions(
  extensionUri: vscode.Uri,
  host: Pick<OnDemand<{ readonly contributions: Contributions }>, 'get' | 'whenThere'>,
  report: Report,
  agentPageShown: (page: WebviewPage) => void,
): readonly vscode.Disposable[] {
  const { window } = vscode;
  /** VS Code reports that a view, panel or document failed, but not why. */
  const answering = async (): Promise<Contributions> => {
    try {
      return (await host.get()).contributions;
    } catch (error) {
      report.bug(error);
      throw error;
    }
  };
  const proposalFiles = new ProposalFiles(async () => (await answering()).proposals);
  host.whenThere(({ contributions }) => proposalFiles.follow(contributions.proposals));
  return [
    proposalFiles,
    vscode.workspace.registerFileSystemProvider('plimsoll-proposal', proposalFiles, {
      isCaseSensitive: true,
    }),
    window.registerWebviewViewProvider(AGENT_VIEW, {
      async resolveWebviewView(view) {
        const isGone = disposalOf(view);
        const page = new WebviewPage(view.webview, extensionUri, 'agent', 'Agent');
        agentPageShown(page);
        const { agentView } = await answering();
        if (!isGone()) agentView.adopt(view, page);
      },
    }),
    window.registerWebviewPanelSerializer(CONTEXT_PANEL, {
      async deserializeWebviewPanel(panel) {
        const isGone = disposalOf(panel);
        const page = new WebviewPage(panel.webview, extensionUri, 'context', 'Context');
        const { contextPanel } = await answering();
        if (!isGone()) contextPanel.adopt(panel, page);
      },
    }),
    ...DOCUMENTS.flatMap((scheme) => {
      const changed = new vscode.EventEmitter<vscode.Uri>();
      host.whenThere(({ contributions }) =>
        contributions.documents[scheme].onDidChange?.((uri) => changed.fire(uri)),
      );
      const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: changed.event,
        async provideTextDocumentContent(uri) {
          const { documents } = await answering();
          return documents[scheme].provideTextDocumentContent(uri);
        },
      });
      return [provider, changed];
    }),
    registerCodeActions(),
    ...registerOtherAgents(host, async () => (await answering()).otherAgents),
    ...registerChat(
      async () => (await answering()).chat,
      vscode.Uri.joinPath(extensionUri, ICON),
      (work) => report.run(work),
    ),
    ...registerCommands(
      async () => (await host.get()).contributions.commands,
      (work) => report.run(work),
      { reportIssue: async () => (await import('./issueReport')).openIssueReport(report) },
      (name) => report.debug(`Command plimsoll.${name}.`),
    ),
    // Also if the rest fails to load.
    vscode.commands.registerCommand('plimsoll.showLog', () => report.show()),
  ];
}

/** Shows the sessions of other agents; nothing is read before the view is opened. */
function registerOtherAgents(
  host: Pick<OnDemand<{ readonly contributions: Contributions }>, 'whenThere'>,
  otherAgents: () => Promise<Contributions['otherAgents']>,
): readonly vscode.Disposable[] {
  const changed = new vscode.EventEmitter<void>();
  host.whenThere(({ contributions }) => {
    contributions.otherAgents.onDidChange(() => changed.fire());
  });
  const view = vscode.window.createTreeView<AgentNode>('plimsoll.otherAgents', {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: ({ item }) => item,
      async getChildren(node) {
        if (node !== undefined) return [...((await node.children?.()) ?? [])];
        const { message, roots } = await shownNow();
        view.message = message;
        return [...roots];
      },
    },
  });
  const shownNow = async () => {
    const agents = await otherAgents();
    return { message: agents.message, roots: await agents.roots() };
  };
  let wasHidden = false;
  const shown = view.onDidChangeVisibility(({ visible }) => {
    // The first time it reads anyway.
    if (visible && wasHidden) changed.fire();
    wasHidden = !visible;
  });
  return [view, changed, shown];
}

/**
 * Notices when the user closes something that Plimsoll is about to fill: then there is nothing left
 * to fill.
 */
function disposalOf(shown: vscode.WebviewView | vscode.WebviewPanel): () => boolean {
  let isDisposed = false;
  shown.onDidDispose(() => (isDisposed = true));
  return () => isDisposed;
}

/** Puts the gauge into the status bar before it has anything to show. */
export function createGauge(): vscode.StatusBarItem {
  const { Right } = vscode.StatusBarAlignment;
  const item = vscode.window.createStatusBarItem('plimsoll.gauge', Right, 100);
  item.name = 'Plimsoll: context window';
  item.text = '$(dashboard) Plimsoll';
  item.tooltip = 'Plimsoll: context window\n\nClick to see every block';
  item.accessibilityInformation = { label: 'Plimsoll: context window' };
  item.command = 'plimsoll.openContextPanel';
  item.show();
  return item;
}

/** The commands in package.json, without the prefix `plimsoll.`. */
const COMMANDS = [
  'focusAgent',
  'openContextPanel',
  /** Take the path of a file; without one the user chooses. */
  'openRecording',
  /** Saves a report on the shown session; with 'shown', the page that the user has seen. */
  'saveReport',
  /** Takes a session from the view; without one the user chooses. */
  'inspectSession',
  'refreshOtherAgents',
  /** Take a session from the view, or the key of an agent; without one the user chooses. */
  'recordExactly',
  'stopRecordingExactly',
  'deleteRecordedRequests',
  'newSession',
  'stopTurn',
  /** Take the URI of a proposal; without one, the diff in the active editor. */
  'allowProposal',
  'denyProposal',
  'compactNow',
  'undoPass',
  /** Opens a copy of the sample project in a new window, and performs its task there. */
  'tryDemo',
  'chooseMode',
  'chooseModel',
  /** Show and hide the tree of tools. */
  'chooseTools',
  'leaveTools',
  'chooseVariables',
  'setApiKey',
  'clearApiKey',
  /** Attaches files to the prompt: those from the explorer, else the open file. */
  'addFile',
  'addSelection',
  'addProblems',
  'addTerminal',
  /** Takes a repository of the source control view; without one, that of the workspace. */
  'writeCommitMessage',
  /** Take the URI of a file and a line with a problem; without them, the cursor's. */
  'fixProblem',
  'explain',
  'editSelection',
  /** Take the id of a change; without one, the change at the cursor. */
  'keepChange',
  'undoChange',
  'keepFileChanges',
  'undoFileChanges',
  'nextChange',
  'previousChange',
  'openSessionLog',
  'sessions',
  'searchSessions',
  'renameSession',
  'forkSession',
  'handOverSession',
  'exportSession',
  'closeSession',
  'deleteSession',
  'reportIssue',
] as const;

/** The handler of each command of the palette. */
type CommandEffects = Readonly<
  Record<(typeof COMMANDS)[number], (...given: readonly unknown[]) => unknown>
>;

/**
 * Registers the commands in package.json that need the host. `withoutHost` handles a few of them if
 * the host cannot be loaded. `run` reports failures; `ran` gets the names.
 */
function registerCommands(
  effects: () => Promise<CommandEffects>,
  run: (work: () => unknown) => void,
  withoutHost: Partial<CommandEffects>,
  ran: (name: string) => void,
): readonly vscode.Disposable[] {
  return COMMANDS.map((name) =>
    vscode.commands.registerCommand(`plimsoll.${name}`, (...given: readonly unknown[]) => {
      ran(name);
      const alone = withoutHost[name];
      run(async () => {
        const all = alone === undefined ? await effects() : await effects().catch(() => undefined);
        return (all?.[name] ?? alone)?.(...given);
      });
    }),
  );
}
