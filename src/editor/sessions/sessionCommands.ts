import type { SessionSummary } from '../../agent/closeSession';
import * as vscode from 'vscode';
import type { Session } from '../../agent/session';

import { foundAtEnd, isHousekeeping } from '../../contextWindow/turnEnd';
import { type Refusal, refused, type Result } from '../../contextWindow/result';
import { EXPORT_ENDING, type ExportFormat, exportSession } from '../../sessions/exportSession';
import { closeInterruptedCalls } from '../../sessions/interruptedCalls';
import { sessionIdIn } from '../../sessions/readSessionLog';
import type { SessionListing } from '../../sessions/sessionList';
import { AT_WORK } from '../../sessions/sessionRegistry';
import type { RunningCommands } from '../commands/runningCommands';
import type { Services } from '../services';
import { focusAgent } from '../openEditor';
import { openIssueReport, sessionNumbers } from '../issueReport';
import { forgetNeeds } from '../session/neededInSessions';
import { undoNewest } from '../session/changesByHand';
import type { CurrentSession } from '../session/currentSession';
import { FiguresOfSessions } from './sessionFigures';
import { titleOfWindow } from '../../sessions/sessionTitle';
import { loadPart } from '../loading';
import * as notices from '../notifications';
import { saveText } from '../saveText';
import { summariserIn, type Summariser } from './onClose';
import { pickSession, type SessionAction } from './sessionPick';

const FORMATS: readonly (vscode.QuickPickItem & { readonly format: ExportFormat })[] = [
  { format: 'markdown', label: 'Markdown', description: 'for reading' },
  {
    format: 'json',
    label: 'JSON',
    description: 'every block in full, with the author of each part',
  },
  { format: 'jsonl', label: 'Log', description: 'the exact JSONL log' },
];

/** The commands on sessions: each works on the current session, or lets the user pick one. */
export class SessionCommands {
  readonly #figures: FiguresOfSessions;

  constructor(
    private readonly services: Services,
    private readonly current: CurrentSession,
    private readonly backgroundCommands: Pick<RunningCommands, 'mayEnd'>,
  ) {
    this.#figures = new FiguresOfSessions(services, current);
  }

  get commands() {
    const { current } = this;
    const { access, notices, report } = this.services;
    return {
      newSession: () => {
        current.startNew();
        return focusAgent();
      },
      stopTurn: () => current.run.stop(),
      compactNow: async () => notices.tell((await current.run.compactNow()).message),
      undoPass: () => notices.tell(undoNewest(current.run)),
      openSessionLog: () => notices.showLog(current.file),
      reportIssue: () => {
        const { events, window } = current.run;
        const { inputBudget } = access.settings.valid.budget;
        return openIssueReport(report, sessionNumbers(events, window, inputBudget));
      },
      sessions: () => this.list(),
      renameSession: () => this.withCurrent('rename'),
      forkSession: () => this.withCurrent('fork'),
      handOverSession: () => this.withCurrent('handOver'),
      exportSession: () => this.withCurrent('export'),
      closeSession: () => this.withCurrent('close'),
      deleteSession: () => this.withCurrent('delete'),
    };
  }

  async list(): Promise<void> {
    const picked = await this.#pick();
    if (picked !== undefined) await this.#perform(picked.action, picked.listing);
  }

  /** Runs an action on the current session, or on one that the user picks if there is none. */
  async withCurrent(action: Exclude<SessionAction, 'open' | 'openFrom' | 'openTo'>): Promise<void> {
    const { file, registry } = this.current;
    if (file === undefined) {
      const picked = await this.#pick();
      if (picked !== undefined) await this.#perform(action, picked.listing);
      return;
    }
    const listing = (await registry.list()).find((other) => other.file === file);
    if (listing !== undefined) await this.#perform(action, listing);
  }

  /** Forks the session at the end of a step, and shows the fork; says why not. */
  async forkAt(step: number): Promise<Refusal> {
    const { file, registry } = this.current;
    if (file === undefined) return NO_SESSION;
    const forked = registry.fork(file, step);
    if (!forked.ok) return forked.message;
    await this.current.open(forked.file);
    return undefined;
  }

  /** Starts a session that continues the current one, and shows it; says why not. */
  async handOver(): Promise<Refusal> {
    const { file } = this.current;
    return file === undefined ? NO_SESSION : this.#handOver(file);
  }

  /** Closes the current session; says why not. */
  async closeShown(): Promise<Refusal> {
    const { file } = this.current;
    return file === undefined ? NO_SESSION : this.#close(file);
  }

  /** Shows a session by the id in a link; says why not. */
  async openLinked(sessionId: string): Promise<Refusal> {
    const file = this.current.registry.fileOf(sessionId);
    if (file === undefined) return GONE;
    await this.current.open(file, 'link');
    return undefined;
  }

  #pick(): ReturnType<typeof pickSession> {
    return pickSession(this.current, this.#figures, this.services.now());
  }

  async #perform(action: SessionAction, listing: SessionListing): Promise<void> {
    switch (action) {
      case 'open':
        await this.current.open(listing.file);
        return;
      case 'rename':
        return this.#rename(listing);
      case 'fork':
        return this.#fork(listing);
      case 'handOver':
        return warn(await this.#handOver(listing.file));
      case 'openFrom':
        return warn(await this.openLinked(listing.handedOverFrom?.sessionId ?? ''));
      case 'openTo':
        return warn(await this.openLinked(listing.handedOverTo?.sessionId ?? ''));
      case 'close':
        return warn(await this.#close(listing.file));
      case 'export':
        return this.#export(listing);
      case 'delete':
        return this.#delete(listing);
    }
  }

  async #rename({ file, title }: SessionListing): Promise<void> {
    const name = await vscode.window.showInputBox({
      title: 'Plimsoll: Rename Session',
      prompt: 'Leave it empty to name the session after its task.',
      value: title,
    });
    if (name !== undefined) warn(this.current.registry.rename(file, name));
  }

  async #fork({ file, steps, title }: SessionListing): Promise<void> {
    if (steps === 0) return warn('The session has no step to fork at yet.');
    const problem = `A step from 1 to ${steps}`;
    const isStep = (text: string) =>
      /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= steps;
    const step = await vscode.window.showInputBox({
      title: 'Plimsoll: Fork Session',
      prompt: `The new session contains everything up to the end of this step of "${title}".`,
      value: String(steps),
      validateInput: (text) => (isStep(text) ? undefined : problem),
    });
    if (step === undefined) return;
    const forked = this.current.registry.fork(file, Number(step));
    if (!forked.ok) return warn(forked.message);
    await this.current.open(forked.file);
  }

  async #export({ file, title }: SessionListing): Promise<void> {
    const chosen = await vscode.window.showQuickPick(FORMATS, {
      title: 'Plimsoll: Export Session',
      placeHolder: `The format of the export of "${title}"`,
    });
    if (chosen === undefined) return;
    const exported = exportSession(file, chosen.format);
    if (!exported.ok) return warn(exported.message);
    warn(exported.warning);
    const ending = EXPORT_ENDING[chosen.format];
    warn(await saveText({ title: 'Export Session', name: title, ending, bytes: exported.bytes }));
  }

  async #delete({ file, title }: SessionListing): Promise<void> {
    const choice = await vscode.window.showQuickPick(
      [
        { label: 'Keep it', isYes: false },
        { label: 'Delete it', description: 'permanently, with its log', detail: file, isYes: true },
      ],
      { title: 'Plimsoll: Delete Session', placeHolder: `Delete the session "${title}"?` },
    );
    if (choice?.isYes !== true) return;
    const { registry } = this.current;
    const busy = this.#whyNot(file);
    if (busy !== undefined) return warn(busy);
    if (!(await this.backgroundCommands.mayEnd(registry.inMemory(file)))) return;
    const refusal = this.#leave(file) ?? registry.delete(file);
    warn(refusal);
    if (refusal === undefined)
      await forgetNeeds(this.services.context.workspaceState, sessionIdIn(file));
    this.current.changed();
  }

  #handOver(file: string): Promise<Refusal> {
    return handOver(file, this.current, (session) => summariserIn(this.services.access, session));
  }

  /** Shows a new session in place of one about to be deleted or closed, or says why not. */
  #leave(file: string): Refusal {
    const why = this.#whyNot(file);
    if (why === undefined && file === this.current.file) this.current.startNew();
    return why;
  }

  #whyNot(file: string): Refusal {
    return this.current.isAtWork(file) ? AT_WORK : undefined;
  }

  /** Closes a session as over; the actions in `plimsoll.sessions.onClose` may take a while. */
  async #close(file: string): Promise<Refusal> {
    const { registry } = this.current;
    const busy = this.#whyNot(file);
    if (busy !== undefined) return busy;
    if (!(await this.backgroundCommands.mayEnd(registry.inMemory(file)))) return undefined;
    const refusal = this.#leave(file);
    if (refusal !== undefined) return refusal;
    const location = vscode.ProgressLocation.Window;
    return vscode.window.withProgress({ location, title: 'Plimsoll: closing the session' }, () =>
      registry.closeSession(file),
    );
  }
}

const NO_SESSION = 'There is no session yet. It starts with your first prompt.';
const GONE = 'That session was deleted, or its log is in another folder. Nothing was opened.';

function warn(message: string | undefined): void {
  if (message !== undefined) notices.warn(message);
}

/** Starts a session that continues the work of another, and shows it; says why not. */
export async function handOver(
  file: string,
  current: Pick<CurrentSession, 'isAtWork' | 'open' | 'registry'>,
  summariserFor: (session: Session) => Summariser,
): Promise<Refusal> {
  const { registry } = current;
  if (current.isAtWork(file)) return AT_WORK;
  const opened = registry.resume(file);
  if (!opened.ok) return opened.message;
  const { session } = opened;
  closeInterruptedCalls(session, 'over');
  const written = await summaryOf(session, summariserFor);
  if (!written.ok) return written.message;
  if (current.isAtWork(file)) return AT_WORK;
  const begun = registry.handOver(session, written.summary);
  if (!begun.ok) return begun.message;
  await current.open(begun.file);
  return undefined;
}

/** The summary that the session ends with, written now if it has none yet. */
async function summaryOf(
  session: Session,
  summariserFor: (session: Session) => Summariser,
): Promise<Result<{ readonly summary: SessionSummary | undefined }>> {
  const known = foundAtEnd(session.events, 'sessionSummarised');
  if (known !== undefined || session.window.turn === 0) return { ok: true, summary: known };
  const title = `Plimsoll: summarising “${titleOfWindow(session.window)}”`;
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress(
    { location, title, cancellable: true },
    async (_, { onCancellationRequested }) => {
      const stop = new AbortController();
      let hasGoneOn = false;
      const forget = session.onEvent(({ type }) => {
        if (isHousekeeping(type)) return;
        hasGoneOn = true;
        stop.abort();
      });
      const cancelled = onCancellationRequested(() => stop.abort());
      try {
        const agent = await loadPart('The agent', import('../../agent/closeSession'));
        const { deps, settings } = summariserFor(session);
        const summary = await agent.summariseSession(deps, settings, stop.signal);
        if (hasGoneOn) {
          return refused('The session was continued meanwhile. No new session was started.');
        }
        if (stop.signal.aborted) return refused('Cancelled. No new session was started.');
        if (summary !== undefined) session.append({ type: 'sessionSummarised', ...summary });
        return { ok: true, summary };
      } finally {
        forget();
        cancelled.dispose();
      }
    },
  );
}
