import type { BlockId } from '../contextWindow/block';
import type { Pass, Summary, Trigger } from '../contextWindow/plan';
import { planPass } from '../contextWindow/policies/policyNamed';
import { settle } from '../contextWindow/settle';
import { isWorthwhile } from '../contextWindow/trigger';
import { sourcesOf, type WrittenSummary } from '../contextWindow/writtenSummary';
import type { AgentDeps, AgentSettings } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import { draftPass, type Drafted, type DraftJob } from './draftPass';
import { edited } from './editSummaries';
import { mayLeave } from './mayLeave';
import { policyInput } from './policyInput';
import { mayAsk, postponed } from './postponed';
import { rateSalience } from './rateSalience';
import { takeAhead } from './summaryAhead';

/**
 * Runs one pass: plan, write the summaries the plan asks for, ask the user where the settings say
 * so, append. Returns undefined, and changes nothing, when the plan would not free enough, when the
 * user postpones it, or stops meanwhile. `instructions` are what the user wishes of its summaries.
 */
export async function* runPass(
  deps: AgentDeps,
  settings: AgentSettings,
  trigger: Trigger,
  signal: AbortSignal,
  instructions = '',
): AsyncGenerator<AgentEvent, Pass | undefined> {
  const { session } = deps;
  const asks =
    settings.compaction === 'ask' && trigger !== 'manual' && deps.reviewPass !== undefined;
  if (asks && !mayAsk(deps, settings, trigger)) return undefined;
  const input = policyInput(deps, settings, trigger);
  if (!isWorthwhile(planPass(input))) return undefined;
  yield { type: 'passStarted', trigger };
  // One written ahead knows nothing of what the user wishes now.
  const prepared = instructions === '' ? await takeAhead(deps, settings, signal) : undefined;
  const ratings = yield* rateSalience(deps, settings, input, signal);
  const job: DraftJob = {
    trigger,
    instructions,
    ...(prepared === undefined ? {} : { prepared }),
    ...(ratings === undefined ? {} : { ratings }),
  };
  let drafted = await draftPass(deps, settings, job, [], signal);
  if (drafted !== undefined && asks) {
    drafted = yield* reviewed(deps, settings, job, drafted, signal);
  }
  if (drafted === undefined || signal.aborted) return undefined;
  const { plan, summaries, input: planned } = drafted;
  const pass = settle(plan, summaries, planned.window, planned.estimate, settings.cacheRead);
  session.append({ type: 'passApplied', pass });
  yield { type: 'passFinished', pass };
  return pass;
}

/** Shows the user a pass; what comes back has their word in it. */
async function* reviewed(
  deps: AgentDeps,
  settings: AgentSettings,
  job: DraftJob,
  drafted: Drafted,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Drafted | undefined> {
  const { plan, summaries, input } = drafted;
  if (deps.reviewPass === undefined) return drafted;
  yield { type: 'passProposed', trigger: job.trigger };
  const review = await deps.reviewPass({ plan, summaries }, signal);
  yield { type: 'passReviewed', applied: review.type === 'apply' };
  if (signal.aborted) return undefined;
  if (review.type === 'postpone') {
    postponed(deps);
    return undefined;
  }
  const kept = yield* edited(plan, summaries, review.summaries, input.estimate);
  const isAsShown =
    review.spared.length === 0 && deps.session.window.blocks === input.window.blocks;
  if (isAsShown) return { ...drafted, summaries: kept };
  // Words of the user are their last on what is there now; those of a model, on what it read.
  const written = kept.map((summary) => {
    const { window } = summary.editedByUser === true ? deps.session : input;
    return { summary, from: sourcesOf(window, summary) };
  });
  const words = wordsOfUser(deps, kept, review.spared);
  const around = {
    ...job,
    ...(words === undefined ? {} : { prepared: words }),
    spared: new Set(review.spared),
  };
  const anew = await draftPass(deps, settings, around, written, signal);
  if (anew === undefined && !signal.aborted) {
    // Or the user would be asked the same at the next step.
    postponed(deps);
    const message =
      'The pass was not applied: without what you left out of it, it frees too little.';
    yield { type: 'notice', message };
  }
  return anew;
}

/** What the user wrote, for what of the run may still leave: a plan around other blocks keeps it. */
function wordsOfUser(
  { session }: AgentDeps,
  summaries: readonly Summary[],
  spared: readonly BlockId[],
): WrittenSummary | undefined {
  const summary = summaries.find(({ editedByUser }) => editedByUser === true);
  const covers = summary?.covers.filter(
    (id) => !spared.includes(id) && mayLeave(session.window, id),
  );
  if (summary === undefined || covers === undefined || covers.length === 0) return undefined;
  return { summary: { ...summary, covers }, from: sourcesOf(session.window, { covers }) };
}
