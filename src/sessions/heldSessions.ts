import { forgetSecretsOf } from '../agent/secrets/knownSecrets';
import type { Session } from '../agent/session';
import type { EventOf } from '../contextWindow/event';
import { isHousekeeping } from '../contextWindow/turnEnd';
import type { StoredSession } from './openSession';

export type LeaveReason = EventOf<'sessionClosed'>['reason'];

/** Called once when a session is unloaded; it may still set the session's state. */
export type ExpireHook = (session: Session, reason: LeaveReason, leaving: Leaving) => void;

/** A session that is about to be unloaded. */
interface Leaving {
  readonly file: string;
  /** Aborts when the session is used again; it then stays loaded. */
  readonly usedAgain: AbortSignal;
  /** Keeps the session loaded until the work has settled. */
  waitFor(work: Promise<void>): void;
}

/** How many sessions stay loaded, and for how long; 0 for no limit. */
export interface SessionLimits {
  readonly maxSessions: number;
  /** A session idle for this long is unloaded; ms. */
  readonly ttlMs: number;
}

export interface HoldingEffects {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back at this interval (ms) until the returned function is called. */
  every(ms: number, work: () => void): () => void;
  /** A busy session is never unloaded. */
  isAtWork(file: string): boolean;
  /** Receives errors thrown by a hook or while closing a log. */
  report(error: unknown): void;
}

interface Held {
  readonly stored: StoredSession;
  readonly forget: () => void;
  usedAt: number;
}

/** The longest period that a timer supports; ms. */
const LONGEST_PERIOD_MS = 2 ** 31 - 1;

/** Sessions are checked this often within their time to live. */
const SWEEPS = 4;

/** Keeps sessions loaded, the most recently used last, and closes them in order. */
export class HeldSessions {
  /** In order of last use. */
  readonly #held = new Map<string, Held>();
  readonly #leaving = new Map<
    string,
    { readonly reason: LeaveReason; readonly used: AbortController }
  >();
  readonly #hooks = new Set<ExpireHook>();
  #limits: SessionLimits = { maxSessions: 0, ttlMs: 0 };
  #stopSweeping: (() => void) | undefined;

  constructor(private readonly effects: HoldingEffects) {}

  /** The files of the loaded sessions, the most recently used last. */
  get files(): readonly string[] {
    return [...this.#held.keys()];
  }

  get(file: string): StoredSession | undefined {
    return this.#held.get(file)?.stored;
  }

  get limits(): SessionLimits {
    return this.#limits;
  }

  setLimits(limits: SessionLimits): void {
    const isNewTtl = limits.ttlMs !== this.#limits.ttlMs;
    this.#limits = limits;
    if (isNewTtl) {
      this.#stopSweeping?.();
      const period = Math.min(Math.max(1, limits.ttlMs / SWEEPS), LONGEST_PERIOD_MS);
      this.#stopSweeping =
        limits.ttlMs > 0 ? this.effects.every(period, () => this.sweep()) : undefined;
    }
    this.#compactNow();
  }

  /** Calls back when a session is unloaded, until the returned function is called. */
  onExpire(hook: ExpireHook): () => void {
    this.#hooks.add(hook);
    return () => this.#hooks.delete(hook);
  }

  /** Adds a session; above the limit, unloads the one that was idle longest. */
  hold(stored: StoredSession): void {
    const { file, session } = stored;
    const forget = session.onEvent(({ type }) => {
      // State that another extension sets, however often, does not count as use.
      if (type === 'stateSet') return;
      // The note that the session ended does not count once it continues.
      if (!this.#leaving.has(file) || !isHousekeeping(type)) this.touch(file);
    });
    this.#held.set(file, { stored, forget, usedAt: this.effects.now() });
    this.#compactNow(file);
  }

  /** Records that a session was used; looking at it does not count. */
  touch(file: string): void {
    const held = this.#held.get(file);
    if (held === undefined) return;
    this.#leaving.get(file)?.used.abort();
    held.usedAt = this.effects.now();
    this.#held.delete(file);
    this.#held.set(file, held);
  }

  /** Closes every session that was idle longer than its time to live. */
  sweep(): void {
    const { ttlMs } = this.#limits;
    if (ttlMs === 0) return;
    const latest = this.effects.now() - ttlMs;
    for (const file of this.files) {
      const usedAt = this.#held.get(file)?.usedAt ?? Infinity;
      if (usedAt <= latest && !this.effects.isAtWork(file)) void this.letGo(file, 'expired');
    }
  }

  /** Says whether hooks still work on a session that is about to be unloaded. */
  isLeaving(file: string): boolean {
    return this.#leaving.has(file);
  }

  /**
   * Closes a session: hooks first, then its log. Synchronous if no hook takes time; otherwise the
   * promise settles once the session is unloaded, or was used again and stays.
   */
  letGo(file: string, reason: LeaveReason): Promise<void> | undefined {
    const held = this.#held.get(file);
    if (held === undefined || this.#leaving.has(file)) return undefined;
    const used = new AbortController();
    this.#leaving.set(file, { reason, used });
    const { session } = held.stored;
    const works: Promise<void>[] = [];
    const leaving: Leaving = {
      file,
      usedAgain: used.signal,
      waitFor: (work) => void works.push(work.catch((error) => this.effects.report(error))),
    };
    for (const hook of this.#hooks) this.#attempt(() => hook(session, reason, leaving));
    if (works.length > 0) {
      return Promise.all(works).then(() => {
        if (used.signal.aborted) this.#leaving.delete(file);
        else this.#end(file, reason);
      });
    }
    this.#end(file, reason);
    return undefined;
  }

  /** Closes the log and drops the session, once. */
  #end(file: string, reason: LeaveReason): void {
    const held = this.#held.get(file);
    if (held === undefined) return;
    const { session } = held.stored;
    // A session unused since it was last closed needs no second end.
    if (session.events.at(-1)?.type !== 'sessionClosed') {
      this.#attempt(() => session.append({ type: 'sessionClosed', reason }));
    }
    forgetSecretsOf(session);
    held.forget();
    this.#attempt(() => held.stored.close());
    this.#held.delete(file);
    this.#leaving.delete(file);
  }

  /** Drops a session whose log cannot be written, without calling hooks. */
  drop(file: string): void {
    const held = this.#held.get(file);
    held?.forget();
    held?.stored.close();
    this.#held.delete(file);
  }

  /** Closes every session, the most recently used last. */
  close(): void {
    this.#stopSweeping?.();
    this.#stopSweeping = undefined;
    for (const file of this.files) {
      const leaving = this.#leaving.get(file);
      if (leaving === undefined) void this.letGo(file, 'ended');
      else this.#end(file, leaving.reason);
    }
  }

  #compactNow(newcomer?: string): void {
    const { maxSessions } = this.#limits;
    if (maxSessions === 0) return;
    for (const file of this.files) {
      if (this.#held.size <= maxSessions) return;
      if (file !== newcomer && !this.#leaving.has(file) && !this.effects.isAtWork(file)) {
        void this.letGo(file, 'evicted');
      }
    }
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.effects.report(error);
    }
  }
}
