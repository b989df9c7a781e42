import * as vscode from 'vscode';
import type { Refusal } from '../../contextWindow/result';
import type { ToolUseId } from '../../contextWindow/block';
import type { ContextWindow } from '../../contextWindow/window';
import { recordingThread } from '../recordings/recordingThread';
import { compareInWorker } from '../../replay/compareInWorker';
import { titleOfWindow } from '../../sessions/sessionTitle';
import { modelName } from '../../settings/modelSettings';
import type { ProfilePlace } from '../../tools/files/nodeProfile';
import type { WorkspaceFiles } from '../checkpoints/workspaceFiles';
import { AGENT_VIEW } from '../page';
import { loadPart } from '../loading';
import { openNamedFile, showText } from '../openEditor';
import type { WebviewPage } from '../page';
import { notReopened, OpenRecording } from '../recordings/keptRecording';
import { chooseRecording, withProgress } from '../recordings/recordingDialogs';
import { Recordings } from '../recordings/recordings';
import type { RequestCaptures } from '../recordings/requestCaptures';
import { saveText } from '../saveText';
import type { Services } from '../services';
import type { CurrentSession } from '../session/currentSession';
import { sessionLinks } from '../session/derive';
import { answerNeeded, offerToRemember } from '../session/neededInSessions';
import { SubAgentWindow, windowViews } from '../session/subAgentWindow';
import { type Inspected, logText, nameOf } from '../session/inspected';
import type { SourceView } from '../session/state';
import { openSettings } from '../settings/editorSettings';
import type { SessionCommands } from '../sessions/sessionCommands';
import { switchMemory } from '../tools/memorySwitches';
import { openProfile } from '../tools/profileInEditor';
import type { Telemetry } from '../telemetry/telemetry';
import type { ToolPicker } from '../tools/toolPicker';
import { BlockDocuments } from './blocks/blockDocuments';
import { RunningComparison } from './comparison/runningComparison';
import { SavedReports, SHOWN } from './exports/saveReport';
import type { ExportForm, ShownBlocks } from './exports/wishes';
import { Inspection, ReadAhead } from './inspection';
import { OpeningRecording } from './opening/openingRecording';
import { PanelPage, type PanelSight } from './panelPage';
import { PanelPosts } from './panelPosts';
import { RequestDocuments } from './request/requestDocuments';
import { RequestTexts } from './request/requestTexts';
import type { ContextFact } from './state';
import { whatIfSettings, whyNotInForce } from './whatIf/derive';
import { changesOf, orderedChanges } from './whatIf/settingChanges';
import type { WhatIfSettings } from './whatIf/state';
import { storeSettings } from './whatIf/storeSettings';
import { contextWishReceiver } from './wishes';

/** The features that the panel shows in addition to the session. */
interface PanelFeatures {
  readonly files: Pick<WorkspaceFiles, 'filesNow'>;
  readonly sessions: Pick<SessionCommands, 'closeShown' | 'forkAt' | 'handOver' | 'openLinked'>;
  readonly tools: Pick<ToolPicker, 'turnOff'>;
  readonly captures: Pick<RequestCaptures, 'folders' | 'switchOf'>;
  readonly telemetry: Pick<Telemetry, 'inspected'>;
  /** Has the composer. */
  readonly agentView: { offer(text: string): void };
}

/**
 * The Context panel: shows the current session or a recording, now or at a past step, and fulfils
 * the wishes of its page.
 */
export class ContextPanel implements vscode.Disposable {
  readonly inspection: Inspection;
  readonly blocks: BlockDocuments;
  readonly requests: RequestDocuments;
  readonly comparison: RunningComparison;
  readonly #page: PanelPage;
  readonly recordings: Recordings;
  readonly reports: SavedReports;
  readonly #openRecording: OpenRecording;
  readonly #opening: OpeningRecording;
  readonly #readAhead: ReadAhead;
  readonly #posts: PanelPosts;
  readonly #receive: (message: unknown) => Promise<void> | void;
  /** The sub-agent whose window is shown; undefined for the session's own. */
  #subAgent: SubAgentWindow | undefined;
  /** The result of the replay shown last. */
  #replayed: ContextWindow | undefined;

  constructor(
    private readonly services: Services,
    /** The session that this window shows. */
    readonly current: CurrentSession,
    readonly features: PanelFeatures,
  ) {
    const { context, report } = services;
    const { extensionUri } = context;
    this.#openRecording = new OpenRecording(context.workspaceState);
    this.#opening = new OpeningRecording(this, services.demoAuthor);
    const recorder = vscode.Uri.joinPath(extensionUri, 'dist', 'recordingWorker.js').fsPath;
    this.recordings = new Recordings(
      { ...services, captures: features.captures },
      () => this.#recordingChanged(),
      recordingThread(recorder, services.access.estimator),
    );
    this.inspection = new Inspection(services, this, features.files);
    this.reports = new SavedReports(this);
    this.blocks = new BlockDocuments(
      () => this.inspection.window,
      () => this.columnBeside,
    );
    this.requests = new RequestDocuments(
      new RequestTexts(this.inspection, services),
      () => this.columnBeside,
    );
    const worker = vscode.Uri.joinPath(extensionUri, 'dist', 'compareWorker.js').fsPath;
    this.comparison = new RunningComparison(
      this,
      (...run) => compareInWorker(worker, ...run),
      () => current.registry.pausesBefore(current.session),
    );
    this.#readAhead = new ReadAhead(this.inspection, current, report);
    this.#posts = new PanelPosts(this, this.inspection, current, this.#readAhead);
    this.#receive = contextWishReceiver(this);
    this.#page = new PanelPage(extensionUri, this);
  }

  /** Handles what the page posts. */
  receive(message: unknown): void {
    this.services.report.run(() => this.#receive(message));
  }

  /** Follows no file while the user cannot see it; closing the panel ends following. */
  seen(how: PanelSight): void {
    if (how === 'closed') this.recordings.follow(false);
    this.recordings.setSeen(how === 'shown');
    // VS Code discards a page that is hidden, and no one is left to take the answer.
    if (how !== 'shown') this.comparison.stop();
  }

  /** Reopens the recording that was open before the window was reloaded. */
  restored(): void {
    this.services.report.run(() => this.#reopenRecording());
  }

  /** The session or recording that is shown. */
  get inspected(): Inspected {
    const recording = this.#recording();
    if (recording !== undefined) return recording;
    const current = this.#current();
    const windows = windowViews(current, this.#subAgent?.toolUseId);
    return { ...(this.#subAgent?.of(current) ?? current), windows };
  }

  /** The id of the session or recording that is shown. */
  get session(): string {
    return nameOf(this.inspection.inspected);
  }

  /** Why nothing shown can be changed. */
  get whyReadOnly(): Refusal {
    return this.inspection.whyReadOnly ?? this.current.run.whyReadOnly;
  }

  /** The names of the lists that the user added to the scratchpad. */
  get scratchpadLists(): readonly string[] {
    return this.services.access.settings.valid.settings.scratchpad.fields.map(({ name }) => name);
  }

  /** Whether the user can see the page. */
  get isLive(): boolean {
    return this.#page.isLive;
  }

  /** Where texts open: never over the panel, since a hidden page forgets what is being typed in it. */
  get columnBeside(): vscode.ViewColumn {
    const { column } = this.#page;
    if (column === undefined) return vscode.ViewColumn.Active;
    return column === vscode.ViewColumn.One ? vscode.ViewColumn.Two : vscode.ViewColumn.One;
  }

  /** Shows the panel next to the open editors, if there are any. */
  open(): void {
    this.#page.open();
  }

  /** Shows the window's own session as it was at a step; 0 for now. */
  async openAt(step: number): Promise<void> {
    this.showCurrent();
    this.open();
    await this.inspection.travelTo(step === 0 ? 'now' : step);
    this.redraw();
  }

  /** Takes over the panel that VS Code brings back after a reload. */
  adopt(panel: vscode.WebviewPanel, page: WebviewPage): void {
    this.#page.adopt(panel, page);
  }

  post(fact: ContextFact): void {
    this.#page.post(fact);
  }

  log(problem: string): void {
    this.services.report.log(problem);
  }

  readonly commands = {
    openContextPanel: () => this.open(),
    openRecording: (file: unknown) => {
      this.open();
      return this.openRecording(typeof file === 'string' ? file : undefined);
    },
    saveReport: async (which: unknown) => {
      const refusal = await (which === SHOWN ? this.reports.saveShown() : this.reports.save());
      if (refusal !== undefined) void vscode.window.showWarningMessage(`Plimsoll: ${refusal}`);
    },
  };

  /** Answers the page's first wish with the whole state. */
  hydrate(): void {
    this.#page.ready();
    this.#opening.hydrate();
    this.#posts.publish(true);
  }

  /** Posts the changes, unless no one can see the page. */
  publish(): void {
    if (this.isLive) this.#posts.publish();
  }

  /** Publishes another moment or session, which is shown now. */
  redraw(): void {
    this.#keep();
    this.#changed();
  }

  /** Shows whether the agent of a recording records its requests now. */
  captureTurned(): void {
    if (this.recordings.inspected !== undefined) this.redraw();
  }

  /** Starts or stops the recording of an agent's requests. */
  recordExactly(agent: string, isOn: boolean): void {
    const command = isOn ? 'plimsoll.recordExactly' : 'plimsoll.stopRecordingExactly';
    this.services.report.run(() => vscode.commands.executeCommand(command, agent));
  }

  /** Stops opening a recording; the page shows what it showed before. */
  stopOpening(): void {
    this.#opening.stop();
  }

  /** Shows the current session at the present. */
  showCurrent(): void {
    this.recordings.close();
    this.showWindow(undefined);
  }

  /** Shows the window of the sub-agent that a call started; undefined for the session's own. */
  showWindow(toolUseId: string | undefined): void {
    this.#subAgent =
      toolUseId === undefined ? undefined : new SubAgentWindow(toolUseId as ToolUseId);
    this.#showNow();
  }

  /** Opens the panel on the window of a sub-agent of the current session. */
  openSubAgent(toolUseId: string): void {
    this.recordings.close();
    this.showWindow(toolUseId);
    this.open();
  }

  /** Shows another session, which is the current one now. */
  sessionChanged(): void {
    this.showCurrent();
    this.blocks.refresh();
  }

  dispose(): void {
    this.#readAhead.cancel();
    this.comparison.stop();
    this.#opening.stop();
    this.reports.dispose();
    this.recordings.dispose();
    this.blocks.dispose();
    this.requests.dispose();
  }

  /** Opens a recording, and follows it if wanted; without a file the user chooses one. */
  async openRecording(file?: string, follows = false): Promise<void> {
    const chosen = file ?? (await chooseRecording());
    if (chosen === undefined) return;
    const refusal = await this.#opening.run(chosen, (...opening) =>
      this.recordings.open(chosen, ...opening),
    );
    if (refusal !== undefined) {
      void vscode.window.showWarningMessage(`Plimsoll: ${refusal}`);
      return;
    }
    this.#showNow();
    if (follows) this.recordings.follow(true);
  }

  /** Saves the view or the log where the user says; `shown` are the blocks shown, if not all. */
  async exportView(form: ExportForm, shown: ShownBlocks | undefined): Promise<Refusal> {
    const { inspection } = this;
    const view = inspection.view();
    switch (form) {
      case 'html': {
        const page = import('./exports/contextHtml');
        const { contextHtml } = await loadPart('The export as a page', page);
        const bytes = contextHtml({ view, timeline: inspection.timeline(), shown });
        const title = 'Export the Context Window';
        return saveText({ title, name: `context ${view.title}`, ending: 'html', bytes });
      }
      case 'jsonl': {
        const bytes = this.#log();
        if (bytes === undefined)
          return 'There is no session yet. It starts with your first prompt.';
        return saveText({ title: 'Export the Session', name: view.title, ending: 'jsonl', bytes });
      }
    }
  }

  async openPassReport(number: number): Promise<Refusal> {
    const view = this.inspection.view();
    const pass = view.passes.find((one) => one.number === number);
    const decisions = this.inspection.decisions(number);
    if (pass === undefined || decisions === undefined) return `There is no pass ${number}.`;
    const { passReport } = await loadPart('The report', import('./exports/passReport'));
    const document = await vscode.workspace.openTextDocument({
      language: 'markdown',
      content: passReport(view, pass, decisions),
    });
    await showText(document, { viewColumn: this.columnBeside });
    return undefined;
  }

  /** Stores settings that the user has confirmed, or replays the recording with them. */
  async applySettings(wished: WhatIfSettings): Promise<Refusal> {
    const { source, inForce, policy } = this.inspection.inspected;
    if (source.type === 'recording' && source.format === 'subAgent') {
      return 'The window of a sub-agent is shown as it was. Apply other settings in the window of the session.';
    }
    if (source.type === 'recording') {
      const refusal = await withProgress(`Plimsoll: replaying ${source.file}`, (...watch) =>
        this.recordings.apply(wished, ...watch),
      );
      if (refusal === undefined) this.#showNow();
      return refusal;
    }
    const why = whyNotInForce(inForce, wished);
    if (why !== undefined) return why;
    const now = whatIfSettings(inForce.settings.context, policy);
    const changes = orderedChanges(inForce, now, changesOf(inForce, now, wished));
    return storeSettings(changes);
  }

  forkAt(step: number): Promise<Refusal> {
    return this.#leaving('forked', () => this.features.sessions.forkAt(step));
  }

  handOver(): Promise<Refusal> {
    return this.#leaving('handed over', () => this.features.sessions.handOver());
  }

  closeSession(): Promise<Refusal> {
    return this.#leaving('closed', () => this.features.sessions.closeShown());
  }

  /** Opens the user's profile in an editor, or says why not. */
  openProfile(): Promise<Refusal> {
    const { access, home } = this.services;
    const place: Pick<ProfilePlace, 'place' | 'home'> = {
      place: access.settings.valid.settings.memory.profile,
      home,
    };
    return openProfile(place, this.columnBeside);
  }

  /** Opens a file of the workspace, or says why not; `line` is counted from 1. */
  openFile(path: string, line?: number): Promise<Refusal> {
    return openNamedFile(this.services.folders, path, line);
  }

  openAgentView(): void {
    this.services.report.run(() => vscode.commands.executeCommand(`${AGENT_VIEW}.focus`));
  }

  /** Switches an instruction file or skill on or off in this workspace. */
  async switchMemory(path: string, isOn: boolean): Promise<Refusal> {
    const refusal = await switchMemory(this.services.context.workspaceState, path, isOn);
    this.redraw();
    return refusal;
  }

  /** Puts a prompt about a file into the composer, where the user sends it or not. */
  async rememberNeeded(path: string): Promise<Refusal> {
    const { agentView } = this.features;
    const refusal = await offerToRemember(this.services.context.workspaceState, path, agentView);
    if (refusal === undefined) this.openAgentView();
    this.redraw();
    return refusal;
  }

  /** Remembers that the user does not want a file in project memory. */
  async dismissNeeded(path: string): Promise<Refusal> {
    await answerNeeded(this.services.context.workspaceState, path);
    this.redraw();
    return undefined;
  }

  chooseTools(): void {
    this.services.report.run(() => vscode.commands.executeCommand('plimsoll.chooseTools'));
  }

  /** Shows Plimsoll's settings, or those that match a word. */
  openSettings(word?: string): void {
    const query = word === undefined ? undefined : `@ext:plimsoll.plimsoll ${word}`;
    this.services.report.run(() => openSettings(query));
  }

  #changed(): void {
    this.comparison.follow();
    this.current.changed();
  }

  /** Reopens the recording that was open before the reload, at the step the user looked at. */
  async #reopenRecording(): Promise<void> {
    const kept = this.#openRecording.read();
    if (kept === undefined || this.recordings.inspected !== undefined) return;
    const notShown = await this.#opening.run(kept.file, (...opening) =>
      this.recordings.reopen(kept, ...opening),
    );
    if (notShown !== undefined) {
      if (notShown.cause === 'lost') await this.#openRecording.forget();
      void vscode.window.showWarningMessage(`Plimsoll: ${notReopened(kept.file, notShown)}`);
      return;
    }
    await this.inspection.travelTo(kept.at);
    this.redraw();
  }

  /** Remembers that the user has read a notice. */
  setSeen(key: string): void {
    const { context, report } = this.services;
    report.run(async () => context.globalState.update(key, true));
    this.#changed();
  }

  #showNow(): void {
    this.inspection.leave();
    this.redraw();
  }

  /** Refreshes the open requests of a new replay; those of a session never change. */
  #recordingChanged(): void {
    const { inspected } = this.recordings;
    const { window } = inspected ?? {};
    if (inspected !== undefined && window !== this.#replayed) {
      this.requests.refresh(nameOf(inspected));
      const { source, transcript } = inspected;
      if (source.type === 'recording' && transcript !== undefined && source.format !== 'plimsoll') {
        // Many agents give every session's file the same name.
        const { file = source.file } = this.recordings.kept ?? {};
        this.features.telemetry.inspected(transcript, file);
      }
    }
    this.#replayed = window;
    this.redraw();
  }

  #keep(): void {
    const { kept } = this.recordings;
    const { at } = this.inspection;
    const open = kept === undefined ? undefined : { ...kept, at };
    this.services.report.run(() => this.#openRecording.keep(open));
  }

  #recording(): Inspected | undefined {
    const { inspected } = this.recordings;
    if (inspected === undefined) return undefined;
    const author = inspected.events.findLast(({ type }) => type === 'replyReceived');
    return {
      ...inspected,
      offline: author?.type === 'replyReceived' && author.model === this.services.demoAuthor,
      reviewWaits: this.current.run.questions.pendingPass !== undefined,
    };
  }

  #current(): Inspected {
    const { access } = this.services;
    const { events, window, isBusy, questions } = this.current.run;
    const inForce = access.settings.valid;
    return {
      source: { type: 'session' },
      title: titleOfWindow(window),
      links: sessionLinks(window, (id) => this.current.registry.fileOf(id) !== undefined),
      model: modelName(inForce.settings),
      offline: inForce.settings.provider === 'offline',
      events,
      window,
      inForce,
      policy: inForce.settings.context.policy,
      busy: isBusy,
      pendingPass: questions.pendingPass,
      problem: undefined,
    };
  }

  /** The log as it is on disk; for a recording, the events shown. */
  #log(): string | Uint8Array | undefined {
    const { inspected } = this.inspection;
    return inspected.source.type === 'session' ? this.current.logBytes : logText(inspected);
  }

  /** Leaves the session for another, or for none; `done` says what is done to it. */
  async #leaving(done: string, leave: () => Promise<Refusal>): Promise<Refusal> {
    const { source } = this.inspection.inspected;
    const why = whyNotLeft(source, this.current.run.isBusy, done);
    if (why !== undefined) return why;
    const refusal = await leave();
    if (refusal === undefined) this.#showNow();
    return refusal;
  }
}

/** Why the current session cannot be left; `done` names the action. */
function whyNotLeft(source: SourceView, isBusy: boolean, done: string): Refusal {
  if (source.type === 'recording') {
    if (source.format === 'subAgent')
      return `The window of a sub-agent cannot be ${done}. Go back to the session for that.`;
    return source.format === 'plimsoll'
      ? `A session opened from a file cannot be ${done}. Open it from the list of sessions for that.`
      : `A recording of another agent cannot be continued. Only sessions can be ${done}.`;
  }
  return isBusy
    ? `The agent is working. The session can be ${done} when its turn has ended. Nothing was done.`
    : undefined;
}
