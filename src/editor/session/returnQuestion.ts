import * as vscode from 'vscode';
import { returnNote, type ChangesResult, type ChangesSince } from '../../agent/returning';
import type { Session } from '../../agent/session';
import { knownFiles, lastUse, returnSince } from '../../contextWindow/idle';
import { errorText, type Refusal, refused } from '../../contextWindow/result';
import type { SessionSettings } from '../../settings/settings';
import type { CurrentSession } from './currentSession';
import type { Services } from '../services';

/** How the user continues a session that was idle for long. */
export type ReturnChoice = Exclude<SessionSettings['onReturn'], 'ask'>;

/** What the question needs from the host. */
export interface ReturnParts {
  readonly settings: () => SessionSettings;
  readonly changesSince: ChangesSince;
  /** Stores an answer as the setting, or says why it could not be stored. */
  readonly remember: (choice: ReturnChoice) => Promise<Refusal>;
  /** Stores, across a reload, which session was left for a new one. */
  readonly left: { get(): string | undefined; set(name: string): void };
  /** Tokenizes a text before it is in the window. */
  readonly warm: (text: string) => Promise<void>;
  /** Shows the user the result of an answer. */
  readonly tell: (message: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

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
    private readonly current: Pick<
      CurrentSession,
      'run' | 'session' | 'startNew' | 'changed' | 'broke'
    >,
    private readonly parts: ReturnParts,
  ) {}

  /** The open question, if any. */
  get question(): ReturnFacts | undefined {
    const pending = this.#pending;
    if (pending === undefined || !this.#isAsked(pending)) return undefined;
    const { usedAt, changes, isAnswered } = pending;
    return { usedAt, changes, isAnswered, now: this.parts.now() };
  }

  /** Whether a session that the window would open at its start is left for a new one. */
  readonly isLeft = (session: Session): boolean => {
    const usedAt = this.#returnSince(session);
    if (usedAt === undefined) return false;
    const { settings, left } = this.parts;
    return settings().onReturn === 'new' || left.get() === nameOf(session, usedAt);
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
    const { onReturn } = this.parts.settings();
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
    this.parts.tell(`${refusal} Choose in the Agent view how to go on.`);
  }

  async #carryOut(pending: Pending, choice: ReturnChoice, remember: boolean): Promise<Refusal> {
    try {
      const refusal = remember ? await this.parts.remember(choice) : undefined;
      if (refusal !== undefined) return refusal;
      return choice === 'new' ? this.#beginAnew(pending) : await this.#goOn(pending, choice);
    } catch (error) {
      this.current.broke(error, this.current.run);
      return 'That did not work; the notification says why.';
    } finally {
      pending.isAnswered = false;
      this.current.changed();
      if (this.#pending === undefined) this.current.run.turns.resume();
    }
  }

  #beginAnew({ session, usedAt }: Pending): undefined {
    this.current.startNew('withTyped');
    this.parts.left.set(nameOf(session, usedAt));
  }

  async #goOn(pending: Pending, choice: 'continue' | 'summary'): Promise<Refusal> {
    const { session, usedAt } = pending;
    if (choice === 'summary') {
      const made = await this.current.run.compactNow('', 'earlierTurns');
      if (!made.ok) return made.message;
      this.parts.tell(made.message);
    }
    const changes = await this.#changesOf(pending);
    const note = returnNote({ usedAt, now: this.parts.now() }, changes);
    await this.parts.warm(note.text);
    if (this.#pending !== pending) return 'Another session was opened meanwhile: nothing was done.';
    session.append(note);
    this.#pending = undefined;
    return undefined;
  }

  #isAsked({ isChosen, isRefused }: Pending): boolean {
    const { onReturn } = this.parts.settings();
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
    return returnSince(session?.events ?? [], this.parts.now(), this.parts.settings().ttl);
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
      return await this.parts.changesSince({ since: usedAt, known }, signal);
    } catch (error) {
      this.current.broke(error, this.current.run);
      return { ok: false, message: 'the search failed' };
    }
  }
}

/**
 * Identifies a session as the user left it, so that it counts as another once it was used again.
 */
function nameOf({ window }: Session, usedAt: number): string {
  return `${window.sessionId}@${usedAt}`;
}

/** The key of the session that was left for a new one, across a reload. */
const LEFT = 'plimsoll.sessionLeft';

const SETTING = 'plimsoll.sessions.onReturn';

/** Creates the question about idle sessions for this window, with its files and settings. */
export function returningIn(services: Services, current: CurrentSession): Returning {
  const { access, context, notices, now, report } = services;
  const returning = new Returning(current, {
    settings: () => access.settings.valid.settings.sessions,
    changesSince: changesIn(services),
    remember,
    left: {
      get: () => context.workspaceState.get<string>(LEFT),
      set: (name) => report.run(() => context.workspaceState.update(LEFT, name)),
    },
    warm: (text) => access.estimator.warm([text]),
    tell: notices.tell,
    now,
  });
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
  context.subscriptions.push(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) returning.look();
    }),
  );
  return returning;
}

function changesIn({ root, loadTools }: Pick<Services, 'root' | 'loadTools'>): ChangesSince {
  return async (query, signal) => {
    if (root === undefined) return refused('no folder is open');
    const { changesSince } = await loadTools(root);
    return changesSince(query, signal);
  };
}

/** Stores the answer where the setting is already set, else for the user. */
async function remember(choice: ReturnChoice): Promise<Refusal> {
  const configuration = vscode.workspace.getConfiguration();
  const isOfWorkspace = configuration.inspect(SETTING)?.workspaceValue !== undefined;
  const { Workspace, Global } = vscode.ConfigurationTarget;
  try {
    await configuration.update(SETTING, choice, isOfWorkspace ? Workspace : Global);
    return undefined;
  } catch (error) {
    const why = errorText(error);
    return `Your answer could not be stored in ${SETTING}: ${why}. Nothing was done. Answer without remembering it, or set it in the settings editor.`;
  }
}

/** What the question about an idle session is derived from; times in ms since the epoch. */
export interface ReturnFacts {
  readonly usedAt: number;
  readonly now: number;
  /** Undefined while they are being looked up. */
  readonly changes: ChangesResult | undefined;
  readonly isAnswered: boolean;
}
