import type { BlockId } from '../contextWindow/block';
import type { Pass, Plan, Summary, Trigger } from '../contextWindow/plan';
import { planPass } from '../contextWindow/policies/policyNamed';
import { settle } from '../contextWindow/settle';
import { isWorthwhile } from '../contextWindow/trigger';
import type { AgentDeps, AgentSettings } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import type { PassReview } from './passReview';
import { policyInput } from './policyInput';
import { mayAsk, postponed } from './postponed';
import { rateSalience } from './rateSalience';
import { takeAhead } from './summaryAhead';
import { writeSummary } from './summariser';

/**
 * Runs one pass: plan, write the summaries the plan asks for, ask the user where the settings say
 * so, append. Returns undefined, and changes nothing, when the plan would not free enough, when the
 * user postpones it, or stops meanwhile.
 */
export async function* runPass(
  deps: AgentDeps,
  settings: AgentSettings,
  trigger: Trigger,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Pass | undefined> {
  const { session } = deps;
  const asks = settings.compaction === 'ask' && trigger !== 'manual';
  if (asks && !mayAsk(deps, settings)) return undefined;
  let input = policyInput(deps, settings, trigger);
  if (!isWorthwhile(planPass(input))) return undefined;
  yield { type: 'passStarted', trigger };
  const prepared = await takeAhead(session, signal);
  const ratings = await rateSalience(deps, settings, input, signal);
  input = {
    ...policyInput(deps, settings, trigger),
    ...(prepared === undefined ? {} : { prepared }),
    ...(ratings === undefined ? {} : { ratings }),
  };
  let plan = planPass(input);
  let summaries = await writeAll(deps, settings, plan, [], signal);
  if (signal.aborted || !isWorthwhile(plan)) return undefined;
  if (asks && deps.reviewPass !== undefined) {
    yield { type: 'passProposed', trigger };
    const review = await deps.reviewPass({ plan, summaries }, signal);
    yield { type: 'passReviewed', applied: review.type === 'apply' };
    if (signal.aborted) return undefined;
    if (review.type === 'postpone') {
      postponed(deps);
      return undefined;
    }
    if (review.spared.length > 0) {
      plan = planPass({ ...input, spared: new Set(review.spared) });
      if (!isWorthwhile(plan)) return undefined;
      summaries = await writeAll(deps, settings, plan, summaries, signal);
      if (signal.aborted) return undefined;
    }
    summaries = edited(summaries, review);
  }
  const pass = settle(plan, summaries, input.window, input.estimate, settings.cacheRead);
  session.append({ type: 'passApplied', pass });
  yield { type: 'passFinished', pass };
  return pass;
}

/** Writes the summaries of a plan; one that stands for the same blocks already is used again. */
async function writeAll(
  deps: AgentDeps,
  settings: AgentSettings,
  plan: Plan,
  written: readonly Summary[],
  signal: AbortSignal,
): Promise<readonly Summary[]> {
  const summaries: Summary[] = [];
  for (const job of plan.summaries) {
    const same = written.find(({ covers }) => isSame(covers, job.covers));
    const summary = job.ready ?? same ?? (await writeSummary(deps, settings, job, signal));
    summaries.push({ ...summary, id: job.summaryId });
    if (signal.aborted) break;
  }
  return summaries;
}

function isSame(one: readonly BlockId[], other: readonly BlockId[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}

function edited(
  summaries: readonly Summary[],
  review: Extract<PassReview, { readonly type: 'apply' }>,
): readonly Summary[] {
  return summaries.map((summary) => {
    const text = review.summaries[summary.id]?.trim() ?? '';
    return text === '' || text === summary.text
      ? summary
      : { ...summary, text, editedByUser: true };
  });
}
