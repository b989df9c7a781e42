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
   * `closed`: the user closed it; `expired`: nobody used it for its time to live; `evicted`: it made room for another one;
   * `ended`: it was deleted, or the window closes.
   */
  readonly reason: LeaveReason;
  readonly title: string;
  /** A copy of everything that was set in its state. */
  readonly state: Readonly<Record<string, JsonValue>>;
}

/**
 * Says whether state was set, and if not, why. The field is `reason`, where our own refusals have
 * `message`: other extensions rely on the name.
 */
export type StateResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** What other extensions may use of Plimsoll; `activate` returns it. */
export interface PlimsollApi {
  /**
   * Calls back each time a session leaves memory, until the returned value is disposed. A session
   * that is used again comes back, and may leave again. When the window closes there is only time
   * for work that is done when the listener returns.
   */
  onSessionClosed(listener: (closed: ClosedSession) => void): Disposable;
  /** Reads a key of the state of the session that is shown; undefined where nothing is set. */
  sessionState(key: string): JsonValue | undefined;
  /**
   * Sets a key of the state of the session that is shown, null to remove it; it is written to the
   * session's log and outlives the window. The model never sees it.
   */
  setSessionState(key: string, value: JsonValue): StateResult;
}

/** Keys with this prefix are Plimsoll's own, as is the key of the title. */
const OWN_PREFIX = 'plimsoll.';

/**
 * Makes what other extensions may use; what they pass in is checked, since they may be JavaScript.
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
    return 'The key is not text, or it is empty. Nothing was set.';
  if (key === TITLE_KEY || key.startsWith(OWN_PREFIX)) {
    return `The key "${key}" is one of Plimsoll's own. Nothing was set. Choose another, such as "you.${key}".`;
  }
  const copy = asJson(value);
  if (copy === undefined) {
    return `The value for "${key}" cannot be stored as JSON without a change. Nothing was set.`;
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
