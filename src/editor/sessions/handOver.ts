import { closeInterruptedCalls } from '../../sessions/interruptedCalls';
import * as vscode from 'vscode';
import type { SessionSummary } from '../../agent/sessionEnd';
import type { Session } from '../../agent/session';
import { foundAtEnd, isHousekeeping } from '../../contextWindow/log/sessionEnd';
import { refused, type Refusal, type Result } from '../../contextWindow/result';
import type { SessionRegistry } from '../../sessions/sessionRegistry';
import { titleOfWindow } from '../../sessions/sessionTitle';
import { loadPart } from '../loading/loadPart';
import type { SummariserParts } from './onClose';

/** What handing a session over needs from the host. */
export interface HandOverParts {
  readonly registry: SessionRegistry;
  /** Why a session cannot be handed over now. */
  whyNot(file: string): Refusal;
  /** What summarises a session. */
  summariser(session: Session): SummariserParts;
  /** Shows a session. */
  readonly open: (file: string, asked?: 'inList' | 'byLink') => unknown;
}

/** Begins a session that goes on with the work of another, and shows it; says why not. */
export async function handOver(file: string, parts: HandOverParts): Promise<Refusal> {
  const { registry, whyNot, open } = parts;
  const why = whyNot(file);
  if (why !== undefined) return why;
  const opened = registry.resume(file);
  if (!opened.ok) return opened.message;
  const { session } = opened;
  closeInterruptedCalls(session, 'over');
  const written = await summaryOf(parts, session);
  if (!written.ok) return written.message;
  const whyNotNow = whyNot(file);
  if (whyNotNow !== undefined) return whyNotNow;
  const begun = registry.handOver(session, written.summary);
  if (!begun.ok) return begun.message;
  await open(begun.file);
  return undefined;
}

/** The summary the session ends with, written now where it has none yet. */
async function summaryOf(
  { summariser }: HandOverParts,
  session: Session,
): Promise<Result<{ readonly summary: SessionSummary | undefined }>> {
  const known = foundAtEnd(session.events, 'sessionSummarised');
  if (known !== undefined || session.window.turn === 0) return { ok: true, summary: known };
  const title = `Plimsoll: summarising “${titleOfWindow(session.window)}”`;
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress(
    { location, title, cancellable: true },
    async (_, { onCancellationRequested }) => {
      const stop = new AbortController();
      let hasGoneOn = false;
      const forget = session.onEvent(({ type }) => {
        if (isHousekeeping(type)) return;
        hasGoneOn = true;
        stop.abort();
      });
      const cancelled = onCancellationRequested(() => stop.abort());
      try {
        const agent = await loadPart('The agent', import('../../agent/sessionEnd'));
        const { deps, settings } = summariser(session);
        const summary = await agent.summariseSession(deps, settings, stop.signal);
        if (hasGoneOn) {
          return refused('The session went on meanwhile. No new session was started.');
        }
        if (stop.signal.aborted) return refused('Cancelled. No new session was started.');
        if (summary !== undefined) session.append({ type: 'sessionSummarised', ...summary });
        return { ok: true, summary };
      } finally {
        forget();
        cancelled.dispose();
      }
    },
  );
}
