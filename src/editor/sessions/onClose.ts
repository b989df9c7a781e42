import type { SessionSummaryDeps } from '../../agent/closeSession';
import type { Session } from '../../agent/session';
import type { AgentSettings } from '../../agent/agentDeps';
import { foundAtEnd } from '../../contextWindow/turnEnd';
import { refused } from '../../contextWindow/result';
import type { ExpireHook } from '../../sessions/heldSessions';
import type { SessionRegistry } from '../../sessions/sessionRegistry';
import { titleOfWindow } from '../../sessions/sessionTitle';
import { loadPart } from '../loading';
import type { ModelAccess } from '../model/modelAccess';
import type { Services } from '../services';

/** The storage key of the commands that the user allowed, in all windows. */
const ALLOWED = 'plimsoll.allowedCloseCommands';

/** The storage key of the time up to which all sessions of the workspace have ended; ms. */
const ENDED_UNTIL = 'plimsoll.sessionsEndedUntil';

type CloseServices = Pick<
  Services,
  'access' | 'context' | 'loadTools' | 'notices' | 'now' | 'folders'
>;

/** The model and settings for the summary of a session. */
export interface Summariser {
  readonly deps: SessionSummaryDeps;
  readonly settings: AgentSettings;
}

/** Runs the user's actions for a closed session: `plimsoll.sessions.onClose`. */
export class OnClose {
  readonly #windowCloses = new AbortController();
  readonly #underWay = new Set<Promise<void>>();

  constructor(private readonly services: CloseServices) {}

  /**
   * Call this when a session leaves memory; one that made way for another, or left with the window,
   * is not over.
   */
  readonly hook: ExpireHook = (session, reason, { file, usedAgain, waitFor }) => {
    const isOver = reason === 'closed' || reason === 'expired';
    const { onClose, onCloseCommand } = this.services.access.settings.valid.settings.sessions;
    if (!isOver || onClose === 'nothing' || session.window.turn === 0) return;
    const work = (
      onClose === 'summary'
        ? this.#summarise(session, usedAgain)
        : this.#run(session, { command: onCloseCommand, reason, logFile: file }, usedAgain)
    ).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
    waitFor(work);
  };

  /**
   * Does for sessions whose time to live ran out while no window was open what their end asks for.
   * Those from before the first call are left alone.
   */
  async catchUp(registry: Pick<SessionRegistry, 'endOverdue'>): Promise<void> {
    const { access, context, now } = this.services;
    const { onClose } = access.settings.valid.settings.sessions;
    const memento = context.workspaceState;
    const until = memento.get<number>(ENDED_UNTIL);
    const isKept = until !== undefined && onClose !== 'nothing';
    await memento.update(ENDED_UNTIL, isKept ? await registry.endOverdue(until) : now());
  }

  /** Ends running work: a summary becomes a work note, a command is stopped. */
  async stop(): Promise<void> {
    this.#windowCloses.abort();
    await Promise.allSettled(this.#underWay);
  }

  async #summarise(session: Session, usedAgain: AbortSignal): Promise<void> {
    if (foundAtEnd(session.events, 'sessionSummarised') !== undefined) return;
    const agent = await loadPart('The agent', import('../../agent/closeSession'));
    const { deps, settings } = summariserIn(this.services.access, session);
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
      return this.services.notices.warn(`${notRun} plimsoll.sessions.onCloseCommand is empty.`);
    }
    if (foundAtEnd(session.events, 'closeCommandRan') !== undefined) return;
    const stopped = this.#stopped(usedAgain);
    if (!(await this.#isAllowed(command, stopped)) || stopped.aborted) return;
    const agent = await loadPart('The agent', import('../../agent/closeSession'));
    const { folders, loadTools, notices } = this.services;
    if (folders.now === undefined) return notices.warn(`${notRun} No folder is open.`);
    const { disk } = await loadTools(folders.now);
    const outcome = await agent.runCloseCommand(disk, session, { ...how, title }, stopped);
    const problem = outcome && agent.closeCommandProblem(command, outcome);
    if (problem !== undefined) notices.warn(problem);
  }

  /** Plimsoll asks once about each command text; the answer applies in all windows. */
  async #isAllowed(command: string, stopped: AbortSignal): Promise<boolean> {
    const { context, notices } = this.services;
    const memento = context.globalState;
    const allowed = memento.get<readonly string[]>(ALLOWED, []);
    if (allowed.includes(command)) return true;
    if (stopped.aborted) return false;
    const unanswered = new Promise<false>((resolve) => {
      stopped.addEventListener('abort', () => resolve(false), { once: true });
    });
    const isAllowed = await Promise.race([notices.mayRun(command), unanswered]);
    if (isAllowed) await memento.update(ALLOWED, [...allowed, command]);
    return isAllowed;
  }

  #stopped(usedAgain: AbortSignal): AbortSignal {
    return AbortSignal.any([usedAgain, this.#windowCloses.signal]);
  }
}

/** Summarises a session with the current model, or says why the model cannot be called. */
export function summariserIn(
  access: Pick<ModelAccess, 'problem' | 'connection' | 'estimator' | 'agentSettings'>,
  session: Session,
): Summariser {
  const { problem, connection, estimator, agentSettings } = access;
  const model: SessionSummaryDeps['model'] =
    problem === undefined
      ? { ok: true, model: connection }
      : refused(`the model cannot be called: ${problem.message}`);
  return { deps: { session, estimator, model }, settings: agentSettings };
}
