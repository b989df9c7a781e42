import * as vscode from 'vscode';
import { returnNote, type ChangesResult, type ChangesSince } from '../../agent/returning';
import type { Session } from '../../agent/session';
import { knownFiles, lastUse, returnSince } from '../../contextWindow/idle';
import { type Refusal, refused } from '../../contextWindow/result';
import type { SessionSettings } from '../../settings/settings';
import { type CostAtReturn, costAtReturn } from './coldText';
import type { CurrentSession } from './currentSession';
import type { Services } from '../services';

/** How the user continues a session that was idle for long. */
type ReturnChoice = Exclude<SessionSettings['onReturn'], 'ask'>;

type ReturnServices = Pick<
  Services,
  'access' | 'configuration' | 'context' | 'loadTools' | 'notices' | 'now' | 'folders'
>;

/** The key of the session that was left for a new one, across a reload. */
const LEFT = 'plimsoll.sessionLeft';

const SETTING = 'plimsoll.sessions.onReturn';

/** A session that is shown but not continued yet. */
interface Pending {
  readonly session: Session;
  /** Milliseconds since the epoch. */
  readonly usedAt: number;
  /** The user opened it by name, so Plimsoll asks before it starts a new one. */
  readonly isChosen: boolean;
  /** The remembered answer failed. */
  isRefused: boolean;
  changes: ChangesResult | undefined;
  isAnswered: boolean;
}

/**
 * Stops a session from continuing silently after it was idle for its time to live: asks how to go
 * on, or applies the remembered answer with the next prompt.
 */
export class Returning {
  #pending: Pending | undefined;
  #looking = new AbortController();

  constructor(
    private readonly services: ReturnServices,
    private readonly current: Pick<
      CurrentSession,
      'run' | 'session' | 'startNew' | 'changed' | 'broke'
    >,
  ) {}

  /** The open question, if any. */
  get question(): ReturnFacts | undefined {
    const pending = this.#pending;
    if (pending === undefined || !this.#isAsked(pending)) return undefined;
    const { usedAt, changes, isAnswered } = pending;
    const cost = this.#costOf(pending);
    return {
      usedAt,
      changes,
      isAnswered,
      now: this.services.now(),
      ...(cost === undefined ? {} : { cost: cost.text }),
    };
  }

  #costOf({ session }: Pending): CostAtReturn | undefined {
    const { estimator, settings } = this.services.access;
    return costAtReturn(session.window, settings.valid, estimator.estimate, this.services.now());
  }

  /** Whether a session that the window would open at its start is left for a new one. */
  readonly isLeft = (session: Session): boolean => {
    const usedAt = this.#returnSince(session);
    if (usedAt === undefined) return false;
    const left = this.services.context.workspaceState.get<string>(LEFT);
    return this.#settings.onReturn === 'new' || left === nameOf(session, usedAt);
  };

  /** Notes the newly shown session; `isChosen` if the user named it. */
  opened(session: Session | undefined, isChosen: boolean): void {
    this.#pending = undefined;
    this.#looking.abort();
    const usedAt = this.#returnSince(session);
    if (session !== undefined && usedAt !== undefined) this.#begin(session, usedAt, isChosen);
  }

  /** Notes that a session expired and left memory. */
  expired(session: Session): void {
    const usedAt = lastUse(session.events);
    if (session !== this.current.session || usedAt === undefined) return;
    if (this.#pending?.session !== session) this.#begin(session, usedAt, false);
  }

  /** Whether a prompt may be sent now. A remembered answer is applied first. */
  mayBegin(): boolean {
    this.#notice();
    const pending = this.#pending;
    if (pending === undefined) return true;
    const { onReturn } = this.#settings;
    if (this.#isAsked(pending) || pending.isAnswered || onReturn === 'ask') return false;
    pending.isAnswered = true;
    // Not before the prompt waits: it is sent once this is done.
    void Promise.resolve().then(() => this.#asRemembered(pending, onReturn));
    return false;
  }

  /** Checks for changes again, because the user is looking. */
  look(): void {
    this.#notice();
    if (this.#pending !== undefined && !this.#pending.isAnswered) this.#lookUp(this.#pending);
  }

  /** Continues as the user chose, or says why not; then the question stays. */
  async answer(choice: ReturnChoice, remember: boolean): Promise<Refusal> {
    const pending = this.#pending;
    if (pending === undefined)
      return 'This session was continued already: there is nothing to answer.';
    if (pending.isAnswered) return 'This was answered already.';
    if (this.current.run.isBusy) {
      return 'The agent is working. Answer when its turn has ended.';
    }
    pending.isAnswered = true;
    this.current.changed();
    return this.#carryOut(pending, choice, remember);
  }

  async #asRemembered(pending: Pending, choice: ReturnChoice): Promise<void> {
    const refusal = await this.#carryOut(pending, choice, false);
    if (refusal === undefined || this.#pending !== pending) return;
    pending.isRefused = true;
    this.#lookUp(pending);
    this.services.notices.tell(`${refusal} Choose in the Agent view how to continue.`);
  }

  async #carryOut(pending: Pending, choice: ReturnChoice, remember: boolean): Promise<Refusal> {
    try {
      const refusal = remember ? await this.#remember(choice) : undefined;
      if (refusal !== undefined) return refusal;
      return choice === 'new'
        ? this.#startNew(pending)
        : await this.#continueSession(pending, choice);
    } catch (error) {
      this.current.broke(error, this.current.run);
      return 'That did not work; the notification says why.';
    } finally {
      pending.isAnswered = false;
      this.current.changed();
      if (this.#pending === undefined) this.current.run.turns.resume();
    }
  }

  #startNew({ session, usedAt }: Pending): undefined {
    this.current.startNew('withTyped');
    void this.services.context.workspaceState.update(LEFT, nameOf(session, usedAt));
  }

  async #continueSession(pending: Pending, choice: 'continue' | 'summary'): Promise<Refusal> {
    const { session, usedAt } = pending;
    if (choice === 'summary') {
      const made = await this.current.run.compactNow('', 'earlierTurns');
      if (!made.ok) return made.message;
      this.services.notices.tell(made.message);
    }
    // The card says what each answer costs, so the review of a pass does not ask the same again.
    const cost =
      choice === 'continue' && this.#isAsked(pending) ? this.#costOf(pending) : undefined;
    const changes = await this.#changesOf(pending);
    const note = returnNote({ usedAt, now: this.services.now() }, changes);
    await this.services.access.estimator.warm([note.text]);
    if (this.#pending !== pending) return 'Another session was opened meanwhile: nothing was done.';
    session.append(note);
    if (cost !== undefined) session.append({ type: 'passPostponed', tokens: cost.usedTokens });
    this.#pending = undefined;
    return undefined;
  }

  #isAsked({ isChosen, isRefused }: Pending): boolean {
    const { onReturn } = this.#settings;
    return isRefused || onReturn === 'ask' || (onReturn === 'new' && isChosen);
  }

  /** A computer that slept checked no time to live: the session may have expired by now. */
  #notice(): void {
    if (this.#pending !== undefined || this.current.run.isBusy) return;
    const session = this.current.session;
    const usedAt = this.#returnSince(session);
    if (session !== undefined && usedAt !== undefined) this.#begin(session, usedAt, false);
  }

  #returnSince(session: Session | undefined): number | undefined {
    return returnSince(session?.events ?? [], this.services.now(), this.#settings.ttl);
  }

  #begin(session: Session, usedAt: number, isChosen: boolean): void {
    const state = { isRefused: false, changes: undefined, isAnswered: false };
    const pending: Pending = { session, usedAt, isChosen, ...state };
    this.#pending = pending;
    this.#lookUp(pending);
    this.current.changed();
  }

  #lookUp(pending: Pending): void {
    this.#looking.abort();
    const looking = new AbortController();
    this.#looking = looking;
    void this.#changesOf(pending, looking.signal).then((changes) => {
      if (this.#pending !== pending || looking.signal.aborted) return;
      pending.changes = changes;
      this.current.changed();
    });
  }

  async #changesOf(
    { session, usedAt }: Pending,
    signal = new AbortController().signal,
  ): Promise<ChangesResult> {
    try {
      const known = knownFiles(session.window);
      return await this.#changesSince({ since: usedAt, known }, signal);
    } catch (error) {
      this.current.broke(error, this.current.run);
      return { ok: false, message: 'the search failed' };
    }
  }

  get #settings(): SessionSettings {
    return this.services.access.settings.valid.settings.sessions;
  }

  async #changesSince(...query: Parameters<ChangesSince>): Promise<ChangesResult> {
    const { folders, loadTools } = this.services;
    if (folders.now === undefined) return refused('no folder is open');
    const { changesSince } = await loadTools(folders.now);
    return changesSince(...query);
  }

  /** Stores the answer as the setting, or says why it could not be stored. */
  async #remember(choice: ReturnChoice): Promise<Refusal> {
    const why = await this.services.configuration.storeSetting(SETTING, choice);
    if (why === undefined) return undefined;
    return `Your answer could not be stored in ${SETTING}: ${why}. Nothing was done. Answer without remembering it, or set it in the settings editor.`;
  }
}

/**
 * Identifies a session as the user left it, so that it counts as another once it was used again.
 */
function nameOf({ window }: Session, usedAt: number): string {
  return `${window.sessionId}@${usedAt}`;
}

/** Creates the question about idle sessions for this window, with its files and settings. */
export function returningIn(services: Services, current: CurrentSession): Returning {
  const returning = new Returning(services, current);
  current.registry.onExpire((session, reason) => {
    if (reason === 'expired') returning.expired(session);
  });
  current.follow({
    wasLeft: returning.isLeft,
    shown: (isChosen) => {
      const { isBusy, session, whyReadOnly } = current.run;
      const mayBeIdle = whyReadOnly === undefined && !isBusy;
      returning.opened(mayBeIdle ? session : undefined, isChosen);
    },
  });
  services.context.subscriptions.push(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) returning.look();
    }),
  );
  return returning;
}

/** What the question about an idle session is derived from; times in ms since the epoch. */
export interface ReturnFacts {
  readonly usedAt: number;
  readonly now: number;
  /** Undefined while they are being looked up. */
  readonly changes: ChangesResult | undefined;
  readonly isAnswered: boolean;
  /** What the next request costs, as it is and from a summary; absent if no pass would be asked about. */
  readonly cost?: string;
}
