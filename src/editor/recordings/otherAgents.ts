import * as vscode from 'vscode';
import type { CaptureFolders } from '../../recordings/captures/joinCaptures';
import type { FoundSession, FoundSessions } from '../../recordings/lens/foundSession';
import { sessionTitle, sessionWords } from '../../recordings/lens/sessionWords';
import type { Services } from '../services';
import { FindingThread } from './findingThread';
import type { RequestCaptures } from './requestCaptures';
import { runningSession } from './runningSession';

/** The status bar looks for a running session this often, while the window has the focus; ms. */
const LOOK_MS = 10_000;

/** Says that the user has opened the view or the list, on this machine. */
const USED = 'plimsoll.lens.used';

/** A row of the tree; without `children` it has none. */
export interface AgentNode {
  readonly item: vscode.TreeItem;
  /** The session of the row, for the commands in it. */
  readonly session?: FoundSession;
  readonly children?: () => Promise<readonly AgentNode[]> | readonly AgentNode[];
}

/** The panel that shows a session; it follows one that is running. */
interface InspectingPanel {
  open(): void;
  openRecording(file: string, follows: boolean): Promise<void>;
}

/** The sessions of other agents: the view "Other Agents", and the command that lists them. */
export class OtherAgents implements vscode.Disposable {
  readonly #finder: FindingThread;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when the view must be read again. */
  readonly onDidChange = this.#changed.event;

  /** Where agents' requests may be recorded; nowhere before the view or the list is opened. */
  #requests: CaptureFolders = {};
  #watching: NodeJS.Timeout | undefined;
  #item: vscode.StatusBarItem | undefined;
  #running: FoundSession | undefined;

  readonly commands = {
    inspectSession: (given: unknown) => this.inspect(given === RUNNING ? this.#running : given),
    refreshOtherAgents: () => this.#changed.fire(),
  };

  constructor(
    private readonly services: Services,
    private readonly panel: InspectingPanel,
    private readonly captures: Pick<RequestCaptures, 'folders' | 'switchOf' | 'onDidChange'>,
  ) {
    const worker = vscode.Uri.joinPath(services.context.extensionUri, 'dist', 'recordingWorker.js');
    this.#finder = new FindingThread(worker.fsPath);
    captures.onDidChange(() => this.#changed.fire());
    // Nothing is read before the user has opened the view once.
    if (services.context.globalState.get(USED) === true) this.#watch();
  }

  /** The rows of the view: the sessions of the open folder, and the others on demand. */
  async roots(): Promise<readonly AgentNode[]> {
    const folders = this.services.folders.now;
    await this.#findRequests();
    const found = await this.#findHere();
    if (folders === undefined) return this.#rowsOf(found);
    const here = folders.areNamed ? 'these folders' : 'this folder';
    const none = rowOf(`No session of another agent in ${here}`, 'info');
    return [
      ...(found.sessions.length === 0 ? [none] : []),
      ...this.#rowsOf(found),
      {
        item: new vscode.TreeItem(
          'Sessions of other folders',
          vscode.TreeItemCollapsibleState.Collapsed,
        ),
        children: async () => this.#rowsOf(await this.#elsewhere(found.sessions)),
      },
    ];
  }

  /** Says where the view looks, if that is not the machine at which the user sits. */
  get message(): string | undefined {
    const { remoteName } = vscode.env;
    return remoteName === undefined
      ? undefined
      : `Sessions on the machine where Plimsoll runs (${remoteName}).`;
  }

  /** Opens a session in the Context panel; without one the user chooses. */
  async inspect(given: unknown): Promise<void> {
    const session = isSession(given) ? given : await this.#choose();
    if (session === undefined) return;
    this.panel.open();
    await this.panel.openRecording(session.file, session.isRunning);
  }

  async #choose(): Promise<FoundSession | undefined> {
    await this.#findRequests();
    const found = await this.#findHere();
    const chosen = await pick(found, this.services.folders.now !== undefined);
    return chosen === 'elsewhere' ? pickIn(await this.#elsewhere(found.sessions)) : chosen;
  }

  /** From now on it knows which agents record their requests, and where. */
  async #findRequests(): Promise<void> {
    this.#requests = await this.captures.folders();
  }

  /** The sessions of the open folders, each once; all if none is open. */
  async #findHere(requests = this.#requests): Promise<FoundSessions> {
    const folders = this.services.folders.now?.all ?? [];
    const [first, ...others] = await Promise.all(
      folders.length === 0
        ? [this.#find(undefined, requests)]
        : folders.map(({ root }) => this.#find(root, requests)),
    );
    if (first === undefined || others.length === 0) return first ?? { sessions: [], problems: [] };
    const found = [first, ...others];
    const sessions = new Map(
      found.flatMap((one) => one.sessions).map((session) => [session.file, session]),
    );
    return {
      sessions: [...sessions.values()].toSorted((a, b) => b.usedAt - a.usedAt),
      problems: [...new Set(found.flatMap(({ problems }) => problems))],
    };
  }

  async #find(folder?: string, requests = this.#requests): Promise<FoundSessions> {
    if (this.#watching === undefined) {
      await this.services.context.globalState.update(USED, true);
      this.#watch();
    }
    const { places } = this.services.access.settings.valid.settings.lens;
    return this.#finder.find(folder, places, { requests });
  }

  dispose(): void {
    clearInterval(this.#watching);
    this.#finder.dispose();
    this.#item?.dispose();
    this.#changed.dispose();
  }

  /** Shows the running session of this folder in the status bar. */
  #watch(): void {
    const look = () => this.services.report.run(() => this.#look());
    this.#watching = setInterval(() => {
      if (vscode.window.state.focused) look();
    }, LOOK_MS);
    look();
  }

  async #look(): Promise<void> {
    const { access, folders } = this.services;
    const isWanted = access.settings.valid.settings.lens.statusBar && folders.now !== undefined;
    const found = isWanted ? (await this.#findHere({})).sessions : [];
    this.#running = found.find(({ isRunning, tokens }) => isRunning && tokens !== undefined);
    const shown = this.#running && runningSession(this.#running);
    if (shown === undefined) {
      this.#item?.hide();
      return;
    }
    const item = (this.#item ??= newItem());
    item.text = shown.text;
    item.tooltip = shown.tooltip;
    item.accessibilityInformation = { label: shown.tooltip };
    item.show();
  }

  /** All sessions but those already listed. */
  async #elsewhere(listed: readonly FoundSession[]): Promise<FoundSessions> {
    const files = new Set(listed.map(({ file }) => file));
    const { sessions, problems } = await this.#find();
    return { sessions: sessions.filter(({ file }) => !files.has(file)), problems };
  }

  #rowsOf({ sessions, problems }: FoundSessions): readonly AgentNode[] {
    return [
      ...problems.map((problem) => rowOf(problem, 'warning')),
      ...sessions.map((session) => sessionRow(session, this.captures)),
    ];
  }
}

/** What the status bar item gives the command. */
const RUNNING = 'running';

function newItem(): vscode.StatusBarItem {
  const { Right } = vscode.StatusBarAlignment;
  const item = vscode.window.createStatusBarItem('plimsoll.runningSession', Right, 99);
  item.name = "Plimsoll: another agent's session";
  item.command = {
    command: 'plimsoll.inspectSession',
    title: "Inspect an Agent's Session",
    arguments: [RUNNING],
  };
  return item;
}

function isSession(given: unknown): given is FoundSession {
  return typeof given === 'object' && given !== null && 'file' in given && 'agent' in given;
}

function rowOf(text: string, icon: string): AgentNode {
  const item = new vscode.TreeItem(text);
  item.iconPath = new vscode.ThemeIcon(icon);
  item.tooltip = text;
  return { item };
}

function sessionRow(session: FoundSession, captures: Pick<RequestCaptures, 'switchOf'>): AgentNode {
  const { inner, isRunning, file, folder } = session;
  const { None, Collapsed } = vscode.TreeItemCollapsibleState;
  const words = sessionWords(session, Date.now());
  const item = new vscode.TreeItem(sessionTitle(session), inner.length === 0 ? None : Collapsed);
  item.id = file;
  const requests = captures.switchOf(session.agent);
  if (requests !== undefined) item.contextValue = requests.isOn ? 'recorded' : 'recordable';
  item.description = words.join(' · ');
  item.tooltip = [sessionTitle(session), words.join(' · '), folder ?? '', file].join('\n');
  item.iconPath = new vscode.ThemeIcon(isRunning ? 'pulse' : 'comment');
  item.command = {
    command: 'plimsoll.inspectSession',
    title: "Inspect an Agent's Session",
    arguments: [session],
  };
  return { item, session, children: () => inner.map((one) => sessionRow(one, captures)) };
}

type Choice = vscode.QuickPickItem & { readonly session: FoundSession | 'elsewhere' };

/** Asks for a session; `hasMore` offers those of other folders, too. */
async function pick(
  { sessions, problems }: FoundSessions,
  hasMore: boolean,
): Promise<FoundSession | 'elsewhere' | undefined> {
  const choices = sessions.flatMap((session): readonly Choice[] => [
    choiceOf(session, ''),
    ...session.inner.map((inner) => choiceOf(inner, '$(indent) ')),
  ]);
  const more: Choice = { label: '$(folder) Sessions of other folders…', session: 'elsewhere' };
  const chosen = await vscode.window.showQuickPick([...choices, ...(hasMore ? [more] : [])], {
    title: problems[0] ?? "Inspect an Agent's Session",
    placeHolder: 'Choose a session',
    matchOnDescription: true,
  });
  return chosen?.session;
}

async function pickIn(found: FoundSessions): Promise<FoundSession | undefined> {
  const chosen = await pick(found, false);
  return chosen === 'elsewhere' ? undefined : chosen;
}

function choiceOf(session: FoundSession, indent: string): Choice {
  return {
    label: `${indent}${sessionTitle(session)}`,
    description: sessionWords(session, Date.now()).join(' · '),
    session,
  };
}
