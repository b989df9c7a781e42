import { isInWindow } from '../contextWindow/block';
import { findBlock } from '../contextWindow/contextWindow';
import type { Summary } from '../contextWindow/plan';
import { planPass } from '../contextWindow/policies/policyNamed';
import type { AgentDeps, AgentSettings } from './agentDeps';
import { policyInput } from './policyInput';
import type { Session } from './session';
import { writeSummary } from './summariser';

interface Ahead {
  readonly covers: Summary['covers'];
  readonly summary: Promise<Summary | undefined>;
  readonly stop: AbortController;
}

/** The summary being written ahead for each session, if any. */
const AHEAD = new WeakMap<Session, Ahead>();

/**
 * Begins to write the summary the next pass will need, once the window is past the prepare mark, so
 * that the user seldom waits for it. At most one at a time; it goes on while tools run.
 */
export function writeAhead(deps: AgentDeps, settings: AgentSettings): void {
  const { session } = deps;
  if (settings.prepareTokens === undefined || settings.compaction === 'off') return;
  const known = AHEAD.get(session);
  if (known !== undefined && isStanding(session, known)) return;
  const input = policyInput(deps, settings, 'highWatermark');
  if (input.measured.used.tokens <= settings.prepareTokens) return;
  const [job] = planPass(input).summaries;
  if (job === undefined) return;
  const stop = new AbortController();
  const summary = writeSummary(deps, settings, job, stop.signal).catch(() => undefined);
  AHEAD.set(session, { covers: job.covers, summary, stop });
}

/** The summary written ahead, waited for where it is still being written; it is handed out once. */
export async function takeAhead(
  session: Session,
  signal: AbortSignal,
): Promise<Summary | undefined> {
  const ahead = AHEAD.get(session);
  if (ahead === undefined) return undefined;
  AHEAD.delete(session);
  if (!isStanding(session, ahead)) {
    ahead.stop.abort();
    return undefined;
  }
  const stop = () => ahead.stop.abort();
  signal.addEventListener('abort', stop, { once: true });
  const summary = await ahead.summary;
  signal.removeEventListener('abort', stop);
  // A work note is as quick to make anew, and then stands for what is in the plan.
  return summary?.writtenBy.by === 'model' && isStanding(session, ahead) ? summary : undefined;
}

/** Ends what is being written ahead: the session is left. */
export function dropAhead(session: Session): void {
  AHEAD.get(session)?.stop.abort();
  AHEAD.delete(session);
}

/** Says whether everything the summary covers is still there to be replaced. */
function isStanding({ window }: Session, { covers }: Ahead): boolean {
  return covers.every((id) => {
    const block = findBlock(window, id);
    return block !== undefined && isInWindow(block);
  });
}
