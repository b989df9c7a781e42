import type { Summary } from '../contextWindow/plan';
import type { PolicyInput } from '../contextWindow/passes/rungs/policyInput';
import {
  haveSameText,
  sourcesOf,
  type WrittenSummary,
} from '../contextWindow/passes/rungs/summary';
import { planPass } from '../contextWindow/passes/policies/policies';
import type { AgentDeps, AgentSettings } from './agentDeps';
import { mayLeave } from './mayLeave';
import { policyInput } from './policyInput';
import type { Session } from './session';
import { writeSummary } from './summariser';

/** How far over the high watermark a step is expected to take the window; of the input budget. */
const OVERSHOOT_SHARE = 0.1;

interface Ahead {
  /** What it is written from; while one says something else, it is of no use. */
  readonly from: WrittenSummary['from'];
  readonly summary: Promise<Summary | undefined>;
  readonly stop: AbortController;
  isWritten: boolean;
}

/** The summary being written ahead for each session, if any; a finished one waits for its pass. */
const AHEAD = new WeakMap<Session, Ahead>();

/**
 * Begins to write the summary the next pass will need, once the window is past the prepare mark, so
 * that the user seldom waits for it. At most one at a time; it goes on while tools run.
 */
export function writeAhead(deps: AgentDeps, settings: AgentSettings): void {
  const { session } = deps;
  const { prepareTokens } = settings;
  if (prepareTokens === undefined || !mayWrite(settings)) return dropAhead(session);
  const known = AHEAD.get(session);
  if (known !== undefined && isStanding(session, known)) return;
  known?.stop.abort();
  AHEAD.delete(session);
  const input = policyInput(deps, settings, 'highWatermark');
  if (input.measured.used.tokens <= prepareTokens) return;
  const [job] = planPass(asIfFull(input)).summaries;
  if (job === undefined) return;
  const from = sourcesOf(session.window, job);
  const stop = new AbortController();
  const summary = writeSummary(deps, settings, job, stop.signal)
    .catch(() => undefined)
    .finally(() => (ahead.isWritten = true));
  const ahead: Ahead = { from, summary, stop, isWritten: false };
  AHEAD.set(session, ahead);
}

/**
 * What the pass will have to free is more than is too much now: by as much as the window has yet to
 * grow, and by the step that takes it over the high watermark. A summary of less would not do.
 */
function asIfFull(input: PolicyInput): PolicyInput {
  const { budget, measured } = input;
  const { highTokens, lowTokens, inputBudget } = budget;
  const toGrow = Math.max(0, highTokens - measured.used.tokens) + inputBudget * OVERSHOOT_SHARE;
  return { ...input, budget: { ...budget, lowTokens: Math.max(0, lowTokens - toGrow) } };
}

/**
 * The summary written ahead, waited for where it is still being written. It stays until a pass has
 * taken what it covers: one that is postponed needs it again.
 */
export async function takeAhead(
  { session }: Pick<AgentDeps, 'session'>,
  settings: AgentSettings,
  signal: AbortSignal,
): Promise<WrittenSummary | undefined> {
  const ahead = AHEAD.get(session);
  if (ahead === undefined) return undefined;
  if (!mayWrite(settings) || !isStanding(session, ahead)) {
    dropAhead(session);
    return undefined;
  }
  const stopped = new AbortController();
  const summary = await Promise.race([ahead.summary, aborted(signal, stopped.signal)]);
  stopped.abort();
  if (signal.aborted) dropAhead(session);
  // A work note is as quick to make anew, and then stands for what is in the plan.
  return summary?.writtenBy.by === 'model' && isStanding(session, ahead)
    ? { summary, from: ahead.from }
    : undefined;
}

/** Ends what is being written ahead: the user stopped, or the session is left. */
export function dropAhead(session: Session): void {
  const ahead = AHEAD.get(session);
  if (ahead === undefined || ahead.isWritten) return;
  ahead.stop.abort();
  AHEAD.delete(session);
}

function mayWrite({ compaction, summary }: AgentSettings): boolean {
  return compaction !== 'off' && summary.writer === 'model';
}

/** Says whether a pass may still replace everything the summary covers, and that says the same. */
function isStanding({ window }: Session, { from }: Ahead): boolean {
  return from.every(({ id }) => mayLeave(window, id)) && haveSameText(window, from);
}

/** Settles when the signal aborts; forgets about it when `over` does. */
function aborted(signal: AbortSignal, over: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true, signal: over });
  });
}
