import { findBlock, type ContextWindow } from '../contextWindow/window';
import type { Summary } from '../contextWindow/plan';
import { dueTrigger, passAhead } from '../contextWindow/passes/pipeline';
import {
  haveSameText,
  sourcesOf,
  type WrittenSummary,
} from '../contextWindow/passes/rungs/summary';
import type { PolicyFacts } from '../contextWindow/passes/rungs/policyInput';
import { planPass } from '../contextWindow/passes/policies/policies';
import { mayLeave } from '../contextWindow/tier';
import { factsNow, type AgentDeps, type AgentSettings } from './agentDeps';
import type { Session, SummaryAhead } from './session';
import { writeSummary } from './summariser';

/**
 * Begins to write the summary of the next pass, so that the user seldom waits for it. It begins once
 * the window is past the prepare mark, or the next prompt starts one turn too many. At most one is
 * written at a time, while steps and tools go on.
 */
export function writeSummaryAhead(
  deps: AgentDeps,
  settings: AgentSettings,
  facts: PolicyFacts = factsNow(deps, settings),
): void {
  const { session } = deps;
  const { memo } = session;
  const { window } = facts;
  const { prepareTokens } = settings;
  if (prepareTokens === undefined || !mayWrite(settings)) return dropSummaryAhead(session);
  if (memo.ahead !== undefined && isStanding(window, memo.ahead)) return;
  memo.ahead?.stop.abort();
  memo.ahead = undefined;
  // A pass that is due writes its own summary.
  if (dueTrigger(facts) !== undefined) return;
  const next = passAhead(facts, prepareTokens);
  if (next === undefined) return;
  const [job] = planPass(next).summaries;
  if (job === undefined) return;
  const stop = new AbortController();
  const summary = writeSummary(deps, settings, job, stop.signal)
    .catch(() => undefined)
    .then((written) => {
      ahead.done = { summary: written };
      return written;
    });
  const ahead: SummaryAhead = { from: sourcesOf(window, job), summary, stop };
  memo.ahead = ahead;
}

/**
 * The summary written ahead, if it is finished. It stays until a pass uses it, because a postponed
 * pass needs it again.
 */
export function finishedSummaryAhead(
  { memo, window }: Session,
  settings: AgentSettings,
): WrittenSummary | undefined {
  const { ahead } = memo;
  return ahead?.done === undefined || !mayWrite(settings)
    ? undefined
    : usable(window, ahead, ahead.done.summary);
}

/** The summary written ahead; waits until it is finished. */
export async function takeSummaryAhead(
  session: Session,
  settings: AgentSettings,
  signal: AbortSignal,
): Promise<WrittenSummary | undefined> {
  const { ahead } = session.memo;
  if (ahead === undefined) return undefined;
  if (!mayWrite(settings) || !isStanding(session.window, ahead)) {
    dropSummaryAhead(session);
    return undefined;
  }
  const stopped = new AbortController();
  const summary = await Promise.race([ahead.summary, aborted(signal, stopped.signal)]);
  stopped.abort();
  if (signal.aborted) dropSummaryAhead(session);
  return usable(session.window, ahead, summary);
}

/** Ignores a work note: a new one is as quick, and covers exactly the plan's blocks. */
function usable(
  window: ContextWindow,
  ahead: SummaryAhead,
  summary: Summary | undefined,
): WrittenSummary | undefined {
  return summary?.writtenBy.by === 'model' && isStanding(window, ahead)
    ? { summary, from: ahead.from }
    : undefined;
}

/** Stops writing ahead when the user stops or leaves the session. */
export function dropSummaryAhead({ memo }: Session): void {
  if (memo.ahead === undefined || memo.ahead.done !== undefined) return;
  memo.ahead.stop.abort();
  memo.ahead = undefined;
}

function mayWrite({ compaction, summary }: AgentSettings): boolean {
  return compaction !== 'off' && summary.writer === 'model';
}

/** Whether a pass may still replace every covered block, with its text unchanged. */
function isStanding(window: ContextWindow, { from }: SummaryAhead): boolean {
  const mayAllLeave = from.every(({ id }) => {
    const block = findBlock(window, id);
    return block !== undefined && mayLeave(window, block);
  });
  return mayAllLeave && haveSameText(window, from);
}

/** Settles when the signal aborts; stops listening when `over` aborts. */
function aborted(signal: AbortSignal, over: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true, signal: over });
  });
}
