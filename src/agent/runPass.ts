import type { BlockId } from '../contextWindow/block';
import type { Pass, Summary, Trigger, Plan, SummaryJob } from '../contextWindow/plan';
import { planPass } from '../contextWindow/passes/policies/policies';
import { pricePass } from '../contextWindow/passes/price';
import { isWorthwhile } from '../contextWindow/passes/trigger';
import {
  sourcesOf,
  type WrittenSummary,
  haveSameText,
  summaryTokens,
} from '../contextWindow/passes/rungs/summary';
import type { AgentDeps, AgentSettings } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import { mayLeave } from './mayLeave';
import { policyInput } from './policyInput';
import { mayAsk, postponed } from './postponed';
import { rateSalience } from './rateSalience';
import { takeAhead } from './summaryAhead';
import type { PolicyInput } from '../contextWindow/passes/rungs/policyInput';
import { writeSummary } from './summariser';
import type { Estimate } from '../contextWindow/truncate';

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
  const pass = pricePass(plan, summaries, planned.window, planned.estimate, settings.cacheRead);
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

/** A pass is planned no more often than this on a window that keeps changing. */
const MOST_PLANS = 3;

/** What a pass is planned with besides the window. */
type DraftJob = Pick<PolicyInput, 'prepared' | 'ratings' | 'spared'> & {
  readonly trigger: Trigger;
  readonly instructions: string;
};

/** A plan with its summaries, and the window it was made on. */
interface Drafted {
  readonly input: PolicyInput;
  readonly plan: Plan;
  readonly summaries: readonly Summary[];
}

/**
 * Plans a pass and writes its summaries, using those that are written. Planned anew where the user
 * changed the window meanwhile. Undefined when it would not free enough, or the signal aborts.
 */
async function draftPass(
  deps: AgentDeps,
  settings: AgentSettings,
  { trigger, instructions, ...given }: DraftJob,
  written: readonly WrittenSummary[],
  signal: AbortSignal,
): Promise<Drafted | undefined> {
  let known = written;
  for (let plans = 0; plans < MOST_PLANS; plans++) {
    const input: PolicyInput = { ...policyInput(deps, settings, trigger), ...given };
    const plan = planPass(input);
    if (signal.aborted || !isWorthwhile(plan)) return undefined;
    const wished = { ...settings, instructions };
    const summaries = await writeAll(deps, wished, { input, plan }, known, signal);
    if (signal.aborted) return undefined;
    if (deps.session.window.blocks === input.window.blocks) return { input, plan, summaries };
    known = summaries.map((summary) => ({ summary, from: sourcesOf(input.window, summary) }));
  }
  return undefined;
}

/** Writes the summaries of a plan; what is written and stands for the same is used again. */
async function writeAll(
  deps: AgentDeps,
  settings: AgentSettings & { readonly instructions: string },
  { input, plan }: Pick<Drafted, 'input' | 'plan'>,
  written: readonly WrittenSummary[],
  signal: AbortSignal,
): Promise<readonly Summary[]> {
  const unused = new Set(written);
  const summaries: Summary[] = [];
  for (const job of plan.summaries) {
    const same = [...unused].find((one) => isOfJob(input, one, job));
    if (same !== undefined) unused.delete(same);
    const summary = same?.summary ?? job.ready ?? (await writeSummary(deps, settings, job, signal));
    summaries.push({ ...summary, id: job.summaryId });
    if (signal.aborted) break;
  }
  return summaries;
}

function isOfJob(
  { window }: PolicyInput,
  { summary: { covers }, from }: WrittenSummary,
  job: SummaryJob,
): boolean {
  const isSame =
    covers.length === job.covers.length && covers.every((id, index) => id === job.covers[index]);
  return isSame && haveSameText(window, from);
}

/** Puts the user's texts, by summary id, in the place of the summaries; one too large is not taken. */
function* edited(
  plan: Plan,
  summaries: readonly Summary[],
  texts: Readonly<Record<string, string>>,
  estimate: Estimate,
): Generator<AgentEvent, readonly Summary[]> {
  const taken: Summary[] = [];
  for (const summary of summaries) {
    const text = texts[summary.id]?.trim() ?? '';
    if (text === '' || text === summary.text) {
      taken.push(summary);
      continue;
    }
    const byUser: Summary = { ...summary, text, editedByUser: true };
    const tokens = summaryTokens(byUser, estimate);
    const most =
      plan.summaries.find(({ summaryId }) => summaryId === summary.id)?.tokensBefore ?? 0;
    // A summary as big as what it replaces is no progress (I5).
    taken.push(tokens < most ? byUser : summary);
    if (tokens >= most) {
      const message = `Your text for a summary was not used: it takes about ${tokens} tokens, what it stands for ${most}.`;
      yield { type: 'notice', message };
    }
  }
  return taken;
}
