import type { Session } from '../agent/session';
import type { EventOf } from '../contextWindow/event';
import { isHousekeeping } from '../contextWindow/turnEnd';
import type { StoredSession } from './openSession';

/** Why a session left memory. */
export type LeaveReason = EventOf<'sessionClosed'>['reason'];

/** Told once when a session leaves memory; it may still set the session's state. */
export type ExpireHook = (session: Session, reason: LeaveReason, leaving: Leaving) => void;

/** A session that is about to leave memory. */
export interface Leaving {
  /** Its log. */
  readonly file: string;
  /** Aborts when the session is used again: then it stays. */
  readonly usedAgain: AbortSignal;
  /** Keeps the session in memory until the work has settled. */
  waitFor(work: Promise<void>): void;
}

/** How many sessions are held in memory, and for how long; 0 for no limit. */
export interface SessionLimits {
  readonly maxSessions: number;
  /** A session that nobody used for this long leaves memory; ms. */
  readonly ttlMs: number;
}

/** What holding sessions needs from outside. */
export interface HoldingEffects {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back every so many ms until the returned function is called. */
  every(ms: number, work: () => void): () => void;
  /** A session at work never leaves memory. */
  isAtWork(file: string): boolean;
  /** Takes what a hook or the closing of a log threw. */
  report(error: unknown): void;
}

interface Held {
  readonly stored: StoredSession;
  readonly forget: () => void;
  usedAt: number;
}

/** The longest period a timer takes; ms. */
const LONGEST_PERIOD_MS = 2 ** 31 - 1;

/** Sessions are checked this many times within their time to live. */
const SWEEPS = 4;

/** Keeps sessions in memory, the one used last at the end, and closes them in order. */
export class HeldSessions {
  /** In the order of their last use. */
  readonly #held = new Map<string, Held>();
  readonly #leaving = new Map<
    string,
    { readonly reason: LeaveReason; readonly used: AbortController }
  >();
  readonly #hooks = new Set<ExpireHook>();
  #limits: SessionLimits = { maxSessions: 0, ttlMs: 0 };
  #stopSweeping: (() => void) | undefined;

  constructor(private readonly effects: HoldingEffects) {}

  /** The files of the sessions in memory, the one used last at the end. */
  get files(): readonly string[] {
    return [...this.#held.keys()];
  }

  get(file: string): StoredSession | undefined {
    return this.#held.get(file)?.stored;
  }

  /** Sets how many are held, and for how long, from now on. */
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

  /** Calls back when a session leaves memory, until the returned function is called. */
  onExpire(hook: ExpireHook): () => void {
    this.#hooks.add(hook);
    return () => this.#hooks.delete(hook);
  }

  /** Takes a session into memory; if that is one too many, the one used longest ago leaves. */
  hold(stored: StoredSession): void {
    const { file, session } = stored;
    const forget = session.onEvent(({ type }) => {
      // What is noted at the end of a session does not go on with it.
      if (!this.#leaving.has(file) || !isHousekeeping(type)) this.touch(file);
    });
    this.#held.set(file, { stored, forget, usedAt: this.effects.now() });
    this.#compactNow(file);
  }

  /** Notes that a session was used; looking at it does not count. */
  touch(file: string): void {
    const held = this.#held.get(file);
    if (held === undefined) return;
    this.#leaving.get(file)?.used.abort();
    held.usedAt = this.effects.now();
    this.#held.delete(file);
    this.#held.set(file, held);
  }

  /** Closes every idle session that nobody used for its time to live. */
  sweep(): void {
    const { ttlMs } = this.#limits;
    if (ttlMs === 0) return;
    const latest = this.effects.now() - ttlMs;
    for (const file of this.files) {
      const usedAt = this.#held.get(file)?.usedAt ?? Infinity;
      if (usedAt <= latest && !this.effects.isAtWork(file)) void this.letGo(file, 'expired');
    }
  }

  /** Says whether a session is about to leave: hooks are still at work on it. */
  isLeaving(file: string): boolean {
    return this.#leaving.has(file);
  }

  /**
   * Closes a session: hooks first, then the end of its log. At once where no hook takes time; else the
   * promise settles when it has left, or was used again and stays.
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

  /** Ends the log and gives the session up; nothing where that has happened. */
  #end(file: string, reason: LeaveReason): void {
    const held = this.#held.get(file);
    if (held === undefined) return;
    const { session } = held.stored;
    // A session that nobody used since it was last closed needs no second end.
    if (session.events.at(-1)?.type !== 'sessionClosed') {
      this.#attempt(() => session.append({ type: 'sessionClosed', reason }));
    }
    held.forget();
    this.#attempt(() => held.stored.close());
    this.#held.delete(file);
    this.#leaving.delete(file);
  }

  /** Drops a session whose log takes nothing more: nothing is written, no hook is called. */
  drop(file: string): void {
    const held = this.#held.get(file);
    held?.forget();
    held?.stored.close();
    this.#held.delete(file);
  }

  /** Closes every session, the one used last at the end. */
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
