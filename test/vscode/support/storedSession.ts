import { join } from 'node:path';
import type { SessionEvent } from '../../../src/contextWindow/event';
import { SessionLog } from '../../../src/sessions/sessionLog';

let stored = 0;

/**
 * Stores events as a separate session, listed under this title; returns its log. The first event
 * begins a session.
 */
export function storeSession(
  folder: string,
  title: string,
  [started, ...more]: readonly SessionEvent[],
): string {
  const now = new Date();
  const sessionId = `stored-${now.getTime().toString(36)}-${++stored}`;
  const file = join(folder, `${now.toISOString().slice(0, 10)}-${sessionId}.jsonl`);
  SessionLog.open(file, 0).appendAll([
    { ...started, sessionId } as SessionEvent,
    { type: 'stateSet', at: now.getTime(), key: 'title', value: title },
    ...more,
  ]);
  return file;
}
