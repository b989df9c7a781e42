import * as vscode from 'vscode';
import type { ModelRequest } from '../../agent/model';
import type { ContextWindow } from '../../contextWindow/window';
import type { RequestForm } from './wishes';
import type { WhatIfSettings } from './whatIf/state';
import type { Refusal } from '../../contextWindow/result';
import type { AgentController } from '../session/agentController';
import type { PanelSight } from './panel';
import type { ModelAccess } from '../model/modelAccess';
import { modelName } from '../../settings/modelSettings';
import { titleOfWindow } from '../../sessions/sessionTitle';
import { nameOf, type Inspected } from './inspected';
import { Inspection } from './inspection';
import { inspectionHandlers, type InspectionHandlers } from './inspectionWishes';
import { PanelExports } from './panelExports';
import { notReopened, OpenRecording } from '../recordings/keptRecording';
import { chooseRecording, withProgress } from '../recordings/recordingDialogs';
import { Recordings } from '../recordings/recordings';
import { openProfile } from '../tools/profileInEditor';
import type { ProfilePlace } from '../../tools/files/nodeProfile';
import { whyNotLeft, type SessionActions } from '../sessions/sessionActions';
import type { RequestAt } from './request/requestAt';
import { requestText } from './request/derive';
import { RequestDocuments, type RequestName } from './request/requestDocuments';
import { changesOf, orderedChanges } from './whatIf/settingChanges';
import { storeSettings } from './whatIf/storeSettings';
import { sessionLinks } from '../sessions/derive';
import { whatIfSettings, whyNotInForce } from './whatIf/derive';
import type { FileModel } from '../../contextWindow/files/knownFile';

/** The key under which is stored that the user has read what the map means. */
const INTRO_SEEN = 'plimsoll.introSeen';

/** The key under which is stored that the user has read of the caps on watermarks. */
const CAP_NOTICE_SEEN = 'plimsoll.capNoticeSeen';

/** What the inspection is put together from. */
export interface InspectionDeskParts {
  readonly controller: () => AgentController;
  readonly access: ModelAccess;
  readonly demoAuthor: string;
  /** The body of a request as it is sent. */
  readonly sentBody: (request: ModelRequest) => unknown;
  /** The user's home folder. */
  readonly home: string;
  /** Reads the files in work of a window; undefined where no folder is open. */
  readonly filesNow: (window: ContextWindow) => Promise<FileModel | undefined>;
  /** Kept for all windows of the editor. */
  readonly memento: vscode.Memento;
  /** Kept for this workspace. */
  readonly workspaceMemento: vscode.Memento;
  /** Bytes of the current session's log; undefined before its first prompt. */
  readonly logBytes: () => Uint8Array | undefined;
  /** What can be done with the session shown, and with those it is linked to. */
  readonly sessions: SessionActions;
  /** Says whether a session still has its log. */
  readonly isThere: (sessionId: string) => boolean;
  /** Where texts open: never over the Context panel. */
  readonly column: () => vscode.ViewColumn;
  /** Told when something else is shown. */
  changed(): void;
  /** Takes what went wrong where the user need not act. */
  log(problem: string): void;
  /** Runs work whose failure is our bug. */
  background(work: () => Promise<unknown>): void;
}

/** Everything in VS Code that lets the user look at a session without changing it. */
export class InspectionDesk implements vscode.Disposable {
  readonly inspection: Inspection;
  readonly documents: RequestDocuments;
  readonly #recordings: Recordings;
  readonly #openRecording: OpenRecording;
  readonly #exports: PanelExports;
  /** The result of the replay shown last. */
  #replayed: ContextWindow | undefined;

  constructor(private readonly parts: InspectionDeskParts) {
    const { access, demoAuthor, memento } = parts;
    this.#openRecording = new OpenRecording(parts.workspaceMemento);
    const { estimator } = access;
    this.#recordings = new Recordings({
      inForce: () => access.settings.valid,
      estimator,
      changed: () => this.#recordingChanged(),
      problem: (message) => parts.log(message),
    });
    this.inspection = new Inspection({
      inspected: () => this.#recording() ?? this.#current(),
      estimate: estimator.estimate,
      warm: (texts) => estimator.warm(texts),
      filesNow: (window) => parts.filesNow(window),
      demoAuthor,
      showIntro: () => memento.get(INTRO_SEEN) !== true,
      showCapNotice: () => memento.get(CAP_NOTICE_SEEN) !== true,
    });
    const { logBytes, column } = parts;
    this.#exports = new PanelExports({ inspection: this.inspection, logBytes, column });
    this.documents = new RequestDocuments(
      (session, name, form) => (session === this.#sessionId ? this.#textOf(name, form) : undefined),
      column,
    );
  }

  get #profilePlace(): Pick<ProfilePlace, 'place' | 'home'> {
    const { access, home } = this.parts;
    return { place: access.settings.valid.settings.memory.profile, home };
  }

  /** Handlers for the wishes to look at something. */
  handlers(): InspectionHandlers {
    const { parts, inspection } = this;
    return inspectionHandlers({
      inspection,
      changed: () => {
        this.#keep();
        parts.changed();
      },
      openRequest: (name, form) => this.documents.open(this.#sessionId, name, form),
      diffRequests: (from, to, form) => this.documents.diff(this.#sessionId, from, to, form),
      copy: async (text) => vscode.env.clipboard.writeText(text),
      rawRequest: (at) => this.#raw(at),
      exportView: (form, shown) => this.#exports.saveView(form, shown),
      exportPass: (number) => this.#exports.openPassReport(number),
      openProfile: () => openProfile(this.#profilePlace, parts.column()),
      forkAt: (step) => this.#leaving('forked', () => parts.sessions.forkAt(step)),
      handOver: () => this.#leaving('handed over', () => parts.sessions.handOver()),
      closeSession: () => this.#leaving('closed', () => parts.sessions.closeShown()),
      openLinked: (session) => parts.sessions.openLinked(session),
      applySettings: (settings) => this.#applySettings(settings),
      openRecording: () => this.openRecording(),
      closeRecording: () => this.showCurrent(),
      followRecording: (following) => this.#recordings.follow(following),
      dismissIntro: () => this.#setSeen(INTRO_SEEN),
      dismissCapNotice: () => this.#setSeen(CAP_NOTICE_SEEN),
    });
  }

  /** Opens a recording; without a file the user chooses one. */
  async openRecording(file?: string): Promise<void> {
    const chosen = file ?? (await chooseRecording());
    if (chosen === undefined) return;
    const refusal = await withProgress(`Plimsoll: replaying ${chosen}`, (signal) =>
      this.#recordings.open(chosen, signal),
    );
    if (refusal === undefined) this.#showNow();
    else void vscode.window.showWarningMessage(`Plimsoll: ${refusal}`);
  }

  /** Opens what was open before the window was reloaded, at the step the user looked at. */
  async reopenRecording(): Promise<void> {
    const { parts } = this;
    const kept = this.#openRecording.read();
    if (kept === undefined || this.#recordings.inspected !== undefined) return;
    const notShown = await withProgress(`Plimsoll: replaying ${kept.file}`, (signal) =>
      this.#recordings.reopen(kept, signal),
    );
    if (notShown !== undefined) {
      if (notShown.cause === 'lost') await this.#openRecording.forget();
      void vscode.window.showWarningMessage(`Plimsoll: ${notReopened(kept.file, notShown)}`);
      return;
    }
    await this.inspection.travelTo(kept.at);
    this.#keep();
    parts.changed();
  }

  /** Follows no file while nobody can see it; closing the panel ends following. */
  panelSeen(how: PanelSight): void {
    if (how === 'closed') this.#recordings.follow(false);
    this.#recordings.setSeen(how === 'shown');
  }

  /** Goes back to the current session, at the present. */
  showCurrent(): void {
    this.#recordings.close();
    this.#showNow();
  }

  dispose(): void {
    this.#recordings.dispose();
    this.documents.dispose();
  }

  #setSeen(key: string): void {
    const { background, memento, changed } = this.parts;
    background(async () => memento.update(key, true));
    changed();
  }

  #showNow(): void {
    this.inspection.leave();
    this.#keep();
    this.parts.changed();
  }

  /** Open requests belong to the replay before; those of a session never change. */
  #recordingChanged(): void {
    const { inspected } = this.#recordings;
    const { window } = inspected ?? {};
    if (inspected !== undefined && window !== this.#replayed) {
      this.documents.refresh(nameOf(inspected));
    }
    this.#replayed = window;
    this.#keep();
    this.parts.changed();
  }

  #keep(): void {
    const { kept } = this.#recordings;
    const { at } = this.inspection;
    const open = kept === undefined ? undefined : { ...kept, at };
    this.parts.background(() => this.#openRecording.keep(open));
  }

  get #sessionId(): string {
    return nameOf(this.inspection.inspected);
  }

  #recording(): Inspected | undefined {
    const { inspected } = this.#recordings;
    if (inspected === undefined) return undefined;
    const { controller, demoAuthor } = this.parts;
    const { questions } = controller();
    const author = inspected.events.findLast(({ type }) => type === 'replyReceived');
    return {
      ...inspected,
      offline: author?.type === 'replyReceived' && author.model === demoAuthor,
      reviewWaits: questions.pendingPass !== undefined,
    };
  }

  #current(): Inspected {
    const { controller, access } = this.parts;
    const { events, window, isBusy, questions } = controller();
    const inForce = access.settings.valid;
    const links = sessionLinks(window, this.parts.isThere);
    return {
      source: { type: 'session' },
      title: titleOfWindow(window),
      ...(links === undefined ? {} : { links }),
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

  #textOf(name: RequestName, form: RequestForm): string | undefined {
    if (typeof name === 'object') {
      const exchange = this.inspection.exchangeAt(name.summaryId);
      if (exchange === undefined || name.side === 'answered') return exchange?.answered;
      return form === 'raw' ? this.#raw(exchange.asked) : requestText(exchange.asked);
    }
    const at = this.inspection.requestAt(name);
    if (at === undefined) return undefined;
    return form === 'raw' ? this.#raw(at) : requestText(at);
  }

  #raw({ request }: RequestAt): string {
    return `${JSON.stringify(this.parts.sentBody(request), null, 2)}\n`;
  }

  async #applySettings(wished: WhatIfSettings): Promise<Refusal> {
    const { source, inForce, policy } = this.inspection.inspected;
    if (source.type === 'recording') {
      const refusal = await withProgress(`Plimsoll: replaying ${source.file}`, (signal) =>
        this.#recordings.apply(wished, signal),
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

  /** Leaves the session for another, or for none; `done` says what is done to it. */
  async #leaving(done: string, leave: () => Promise<Refusal>): Promise<Refusal> {
    const { source } = this.inspection.inspected;
    const why = whyNotLeft(source, this.parts.controller().isBusy, done);
    if (why !== undefined) return why;
    const refusal = await leave();
    if (refusal === undefined) this.#showNow();
    return refusal;
  }
}
