import { ladder } from '../contextWindow/policies/ladder';
import type { Policy } from '../contextWindow/policies/policy';
import { measure } from '../contextWindow/measure';
import type { Pass, Summary, Trigger } from '../contextWindow/plan';
import { settle } from '../contextWindow/settle';
import { effectiveBudget } from '../contextWindow/stepDown';
import { isWorthwhile } from '../contextWindow/trigger';
import type { AgentDeps, AgentSettings } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import { writeSummary } from './summariser';

const POLICY: Policy = ladder;

/**
 * Runs one pass: plan, write the summaries the plan asks for, append. Returns undefined, and
 * changes nothing, when the plan would not free enough or the user stops meanwhile.
 */
export async function* runPass(
  deps: AgentDeps,
  settings: AgentSettings,
  trigger: Trigger,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Pass | undefined> {
  const { session, estimator } = deps;
  const { window } = session;
  const estimate = (text: string) => estimator.estimate(text);
  const measured = measure(window, estimate);
  const plan = POLICY({
    window,
    measured,
    budget: effectiveBudget(window, settings.budget),
    trigger,
    estimate,
    compaction: settings.compaction !== 'off',
  });
  if (!isWorthwhile(plan)) return undefined;
  yield { type: 'passStarted', trigger };
  const summaries: Summary[] = [];
  for (const job of plan.summaries) {
    summaries.push(await writeSummary(deps, settings, job, signal));
    if (signal.aborted) return undefined;
  }
  const pass = settle(plan, summaries, window, estimate, settings.cacheRead);
  session.append({ type: 'passApplied', pass });
  yield { type: 'passFinished', pass };
  return pass;
}
