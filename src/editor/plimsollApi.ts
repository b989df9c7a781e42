import { isDeepStrictEqual } from 'node:util';
import type { Disposable } from 'vscode';
import type { Session } from '../agent/session';
import type { LeaveReason } from '../sessions/heldSessions';
import { SessionLogError } from '../sessions/sessionLog';
import type { SessionRegistry } from '../sessions/sessionRegistry';
import { TITLE_KEY, titleOfWindow } from '../sessions/sessionTitle';
import type { Refusal } from '../contextWindow/result';
import type { JsonValue } from '../contextWindow/json';

/** A session that leaves memory; its log stays, unless the user deletes it. */
export interface ClosedSession {
  readonly sessionId: string;
  /**
   * `closed`: the user closed it; `expired`: it was unused for its time to live; `evicted`: it made
   * way for another one; `ended`: it was deleted, or the window closes.
   */
  readonly reason: LeaveReason;
  readonly title: string;
  /** A copy of its whole state. */
  readonly state: Readonly<Record<string, JsonValue>>;
}

/**
 * Whether state was set, and if not, why. The field is `reason`, where our own refusals have
 * `message`: other extensions rely on the name.
 */
type StateResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** The API for other extensions; `activate` returns it. */
export interface PlimsollApi {
  /**
   * Calls back each time a session leaves memory, until the returned value is disposed. A session
   * that is used again returns to memory, and may leave again. When the window closes, only
   * synchronous work of the listener finishes.
   */
  onSessionClosed(listener: (closed: ClosedSession) => void): Disposable;
  /** Reads a key of the current session's state; undefined if it is not set. */
  sessionState(key: string): JsonValue | undefined;
  /**
   * Sets a key of the current session's state, or removes it with null. The session's log stores
   * it, so it outlives the window. The model never sees it.
   */
  setSessionState(key: string, value: JsonValue): StateResult;
}

/** Keys with this prefix are Plimsoll's own, like the key of the title. */
const OWN_PREFIX = 'plimsoll.';

/**
 * Creates the API for other extensions; it checks their arguments, since they may be JavaScript.
 */
export function plimsollApi(
  registry: Pick<SessionRegistry, 'onExpire'>,
  shown: () => Session | undefined,
): PlimsollApi {
  return {
    onSessionClosed: (listener) => ({
      dispose: registry.onExpire((session, reason) => listener(closedSession(session, reason))),
    }),
    sessionState(key) {
      const state = shown()?.state ?? {};
      return Object.hasOwn(state, key) ? structuredClone(state[key]) : undefined;
    },
    setSessionState(key, value) {
      const reason = whyNotSet(shown(), key, value);
      return reason === undefined ? { ok: true } : { ok: false, reason };
    },
  };
}

function closedSession(session: Session, reason: LeaveReason): ClosedSession {
  const { window, state } = session;
  return {
    sessionId: window.sessionId,
    reason,
    title: titleOfWindow(window),
    state: structuredClone(state),
  };
}

function whyNotSet(session: Session | undefined, key: unknown, value: unknown): Refusal {
  if (typeof key !== 'string' || key === '')
    return 'The key is empty or not a string. Nothing was set.';
  if (key === TITLE_KEY || key.startsWith(OWN_PREFIX)) {
    return `The key "${key}" is one of Plimsoll's own. Nothing was set. Choose another, such as "you.${key}".`;
  }
  const copy = asJson(value);
  if (copy === undefined) {
    return `The value for "${key}" cannot be stored as JSON unchanged. Nothing was set.`;
  }
  if (session === undefined) {
    return 'No session is shown. Nothing was set. A session starts with the first prompt.';
  }
  try {
    session.setState(key, copy);
    return undefined;
  } catch (error) {
    if (!(error instanceof SessionLogError)) throw error;
    return `${error.message} Nothing was set.`;
  }
}

/** Copies a value, so that its owner cannot change it later; undefined if JSON would alter it. */
function asJson(value: unknown): JsonValue | undefined {
  try {
    const copy = JSON.parse(JSON.stringify(value)) as JsonValue;
    return isDeepStrictEqual(copy, value) ? copy : undefined;
  } catch {
    return undefined;
  }
}
