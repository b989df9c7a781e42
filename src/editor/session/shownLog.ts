import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Session } from '../../agent/session';
import type { Loading } from '../../sessions/loadLog';
import type { NotOpened } from '../../sessions/openSession';
import type { OpenedSession, ResumeResult, SessionRegistry } from '../../sessions/sessionRegistry';

/** The session to continue, if any; `warning` is for the user. */
export interface SessionToContinue {
  readonly session: Session | undefined;
  readonly warning?: string;
  /** The session is open in another window, so here it is read-only. */
  readonly whyReadOnly?: string;
}

/** A session to show, or why it cannot be shown. */
type Shown = ({ readonly ok: true } & SessionToContinue) | NotOpened;

/**
 * Stores, across a reload, which session was shown: the name of its log, '' for a new session
 * without one, undefined if nothing was stored.
 */
export interface ShownBefore {
  get(): string | undefined;
  set(name: string): void;
}

/** Knows which session of the registry this window shows. */
export class ShownLog {
  #shown: OpenedSession | undefined;
  #isLookedAt = false;

  constructor(
    private readonly registry: SessionRegistry,
    private readonly before: ShownBefore,
  ) {}

  /** The log of the session shown. */
  get file(): string | undefined {
    return this.#current?.file;
  }

  /** The session shown, if it is not read-only. */
  get session(): Session | undefined {
    return this.#isLookedAt ? undefined : this.#current?.session;
  }

  /**
   * Continues the session shown before, else the last one used that no other window has, unless the
   * user left it for a new one.
   */
  openLatest(
    isLeft: (session: Session) => boolean,
    loading: Loading,
  ): SessionToContinue | Promise<SessionToContinue> {
    const before = this.before.get();
    const latest = before === '' ? undefined : this.registry.loadLatest(before, loading);
    return then(latest, (opened) => this.#continued(opened, isLeft, loading));
  }

  #continued(
    latest: ResumeResult | undefined,
    isLeft: (session: Session) => boolean,
    { signal }: Loading,
  ): SessionToContinue {
    if (latest === undefined || signal.aborted) return { session: undefined };
    const { session, warning } = this.#take(latest);
    if (session !== undefined && isLeft(session)) {
      this.leave();
      return { session: undefined, ...given(warning) };
    }
    if (session !== undefined || warning === undefined) return { session, ...given(warning) };
    return { session, warning: `${warning} A new session starts with your next prompt.` };
  }

  /** Reopens the session shown, with what another window wrote to it. */
  reopen(loading: Loading): SessionToContinue | Promise<SessionToContinue> {
    const { file } = this;
    if (file === undefined) return { session: undefined };
    return then(this.#lookedAt(this.registry.loadAgain(file, loading), file, loading), (opened) =>
      opened.ok ? opened : { session: undefined, warning: opened.message },
    );
  }

  /** Shows another session, maybe read-only; if it cannot be opened, the current one stays. */
  open(file: string, loading: Loading): Shown | Promise<Shown> {
    return this.#lookedAt(this.registry.load(file, loading), file, loading);
  }

  /** Starts a session and shows it. */
  start(pinTaskAnchor: boolean, standingRules?: boolean): Session {
    this.#current = this.registry.start(pinTaskAnchor, standingRules);
    this.#isLookedAt = false;
    return this.#current.session;
  }

  /** The exact log of the session shown; undefined before its first prompt. */
  logBytes(): Uint8Array | undefined {
    return this.file === undefined ? undefined : readFileSync(this.file);
  }

  /** Shows no session; the previous one stays in memory until it expires. */
  leave(): void {
    this.#current = undefined;
    this.#isLookedAt = false;
  }

  get #current(): OpenedSession | undefined {
    return this.#shown;
  }

  set #current(shown: OpenedSession | undefined) {
    this.#shown = shown;
    this.before.set(shown === undefined ? '' : basename(shown.file));
  }

  /** Shows a session read-only that another window has open. */
  #lookedAt(
    opening: ResumeResult | Promise<ResumeResult>,
    file: string,
    loading: Loading,
  ): Shown | Promise<Shown> {
    return then(opening, (result) => {
      const isLocked = !result.ok && result.cause === 'locked';
      const looking = isLocked ? this.registry.loadLook(file, loading) : result;
      return then(looking, (shown): Shown => {
        if (!shown.ok || loading.signal.aborted) return shown;
        this.#current = shown;
        this.#isLookedAt = isLocked;
        if (!isLocked) return shown;
        return { ...shown, whyReadOnly: `${result.message} Here it is read-only.` };
      });
    });
  }

  #take(result: ResumeResult): SessionToContinue {
    this.#current = result.ok ? result : undefined;
    this.#isLookedAt = false;
    if (!result.ok) return { session: undefined, warning: result.message };
    return { session: result.session, ...given(result.warning) };
  }
}

/** Continues immediately, or when the promise settles: only long logs take time. */
function then<T, R>(value: T | Promise<T>, show: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(show) : show(value);
}

function given(warning: string | undefined): { readonly warning?: string } {
  return warning === undefined ? {} : { warning };
}
