import * as vscode from 'vscode';
import type { SessionSummaryDeps } from '../../agent/closeSession';
import type { Session } from '../../agent/session';
import type { AgentSettings } from '../../agent/agentDeps';
import type { Workspace } from '../../agent/workspace';
import { foundAtEnd } from '../../contextWindow/turnEnd';
import { refused, type Result } from '../../contextWindow/result';
import type { ExpireHook } from '../../sessions/heldSessions';
import { titleOfWindow } from '../../sessions/sessionTitle';
import type { SessionSettings } from '../../settings/settings';
import { loadPart } from '../loading';
import type { ModelAccess } from '../model/modelAccess';
import type { Services } from '../services';

/** The storage key of the commands that the user allowed. */
const ALLOWED = 'plimsoll.allowedCloseCommands';

/** What closing a session needs. */
export interface OnCloseParts {
  settings(): Pick<SessionSettings, 'onClose' | 'onCloseCommand'>;
  /** What summaries of sessions need. */
  summariser(session: Session): SummariserParts;
  /** Where commands run, or why they cannot. */
  workspace(): Promise<Result<{ readonly workspace: Pick<Workspace, 'runCommand'> }>>;
  /** Stored for all windows of the editor. */
  readonly memento: Pick<vscode.Memento, 'get' | 'update'>;
  /** Asks whether a new command may run; false for no or no answer. */
  mayRun(command: string): PromiseLike<boolean>;
  warn(message: string): void;
}

/** The model and settings for the summary of a session. */
export interface SummariserParts {
  readonly deps: SessionSummaryDeps;
  readonly settings: AgentSettings;
}

/** Runs the user's actions for a closed session: `plimsoll.sessions.onClose`. */
export class OnClose {
  readonly #windowCloses = new AbortController();
  readonly #underWay = new Set<Promise<void>>();

  constructor(private readonly parts: OnCloseParts) {}

  /**
   * Call this when a session leaves memory; one that made way for another, or left with the window,
   * is not over.
   */
  readonly hook: ExpireHook = (session, reason, { file, usedAgain, waitFor }) => {
    const isOver = reason === 'closed' || reason === 'expired';
    const { onClose, onCloseCommand } = this.parts.settings();
    if (!isOver || onClose === 'nothing' || session.window.turn === 0) return;
    const work = (
      onClose === 'summary'
        ? this.#summarise(session, usedAgain)
        : this.#run(session, { command: onCloseCommand, reason, logFile: file }, usedAgain)
    ).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
    waitFor(work);
  };

  /** Ends running work: a summary becomes a work note, a command is stopped. */
  async stop(): Promise<void> {
    this.#windowCloses.abort();
    await Promise.allSettled(this.#underWay);
  }

  async #summarise(session: Session, usedAgain: AbortSignal): Promise<void> {
    if (foundAtEnd(session.events, 'sessionSummarised') !== undefined) return;
    const agent = await loadPart('The agent', import('../../agent/closeSession'));
    const { deps, settings } = this.parts.summariser(session);
    const summary = await agent.summariseSession(deps, settings, this.#stopped(usedAgain));
    if (summary === undefined || usedAgain.aborted) return;
    session.append({ type: 'sessionSummarised', ...summary });
  }

  async #run(
    session: Session,
    how: { readonly command: string; readonly reason: string; readonly logFile: string },
    usedAgain: AbortSignal,
  ): Promise<void> {
    const { command } = how;
    const title = titleOfWindow(session.window);
    const notRun = `The session “${title}” is over. No command was run:`;
    if (command === '') {
      return this.parts.warn(`${notRun} plimsoll.sessions.onCloseCommand is empty.`);
    }
    if (foundAtEnd(session.events, 'closeCommandRan') !== undefined) return;
    const stopped = this.#stopped(usedAgain);
    if (!(await this.#isAllowed(command, stopped)) || stopped.aborted) return;
    const agent = await loadPart('The agent', import('../../agent/closeSession'));
    const place = await this.parts.workspace();
    if (!place.ok) return this.parts.warn(`${notRun} ${place.message}`);
    const outcome = await agent.runCloseCommand(
      place.workspace,
      session,
      { ...how, title },
      stopped,
    );
    const problem = outcome && agent.closeCommandProblem(command, outcome);
    if (problem !== undefined) this.parts.warn(problem);
  }

  /** Plimsoll asks once about each command text; the answer applies in all windows. */
  async #isAllowed(command: string, stopped: AbortSignal): Promise<boolean> {
    const { memento } = this.parts;
    const allowed = memento.get<readonly string[]>(ALLOWED, []);
    if (allowed.includes(command)) return true;
    const unanswered = new Promise<false>((resolve) => {
      stopped.addEventListener('abort', () => resolve(false), { once: true });
    });
    const isAllowed = await Promise.race([this.parts.mayRun(command), unanswered]);
    if (isAllowed) await memento.update(ALLOWED, [...allowed, command]);
    return isAllowed;
  }

  #stopped(usedAgain: AbortSignal): AbortSignal {
    return AbortSignal.any([usedAgain, this.#windowCloses.signal]);
  }
}

/** Handles the end of sessions in the editor. */
export function onCloseIn({ access, context, loadTools, notices, root }: Services): OnClose {
  return new OnClose({
    settings: () => access.settings.valid.settings.sessions,
    summariser: (session) => summariserIn(access, session),
    workspace: async () => {
      if (root === undefined) return refused('No folder is open.');
      return { ok: true, workspace: (await loadTools(root)).disk };
    },
    memento: context.globalState,
    mayRun: async (command) => {
      const run = 'Run It';
      const question = `Plimsoll: a session is over. Run this command now, and whenever one is over? ${command}`;
      return (await vscode.window.showWarningMessage(question, run, 'Don’t Run It')) === run;
    },
    warn: notices.warn,
  });
}

/** Summarises a session with the current model, or says why the model cannot be called. */
export function summariserIn(access: ModelAccess, session: Session): SummariserParts {
  const { problem, connection, estimator, agentSettings } = access;
  const model: SessionSummaryDeps['model'] =
    problem === undefined
      ? { ok: true, model: connection }
      : refused(`the model cannot be called: ${problem.message}`);
  return { deps: { session, estimator, model }, settings: agentSettings };
}
