import type { BlockId } from '../contextWindow/block';
import { findBlock, type ContextWindow } from '../contextWindow/contextWindow';
import type { Pass, Summary, Plan, SummaryJob } from '../contextWindow/plan';
import { passApplied, passToRun, type PassToRun } from '../contextWindow/passes/duePasses';
import {
  sourcesOf,
  type WrittenSummary,
  haveSameText,
  summaryTokens,
} from '../contextWindow/passes/rungs/summary';
import { factsNow, type AgentDeps, type AgentSettings, type ProposedPass } from './agentDeps';
import type { AgentEvent } from './agentEvent';
import { weighView, withFilesNow } from './filesNow';
import { rateSalience } from './rateSalience';
import { passInput } from './passesDue';
import { takeSummaryAhead } from './summaryAhead';
import type { Policy, PolicyInput } from '../contextWindow/passes/rungs/policyInput';
import { mayLeave } from '../contextWindow/tier';
import { writeSummary } from './summariser';

/**
 * Runs a pass because the user asks for it; `instructions` are what they want of its summaries.
 * Another policy than that of the settings may plan it.
 */
export async function* runManualPass(
  deps: AgentDeps,
  settings: AgentSettings,
  signal: AbortSignal,
  instructions = '',
  policy?: Policy,
): AsyncGenerator<AgentEvent, Pass | undefined> {
  // A summary written ahead does not follow the instructions the user gives now.
  const facts = instructions === '' ? passInput(deps, settings) : factsNow(deps, settings);
  const input = await withFilesNow(deps, facts, 'manual');
  const planned = passToRun({ ...input, trigger: 'manual' }, policy);
  if (planned === undefined) return undefined;
  return yield* runPass(deps, settings, planned, signal, instructions, policy);
}

/**
 * Runs a planned pass: writes the summaries the plan asks for, asks the user where the settings say
 * so, and appends it. Returns undefined when the user postpones it, when the signal aborts, or when
 * the plan had to be made again and would no longer free enough; the window then stays as it is.
 */
export async function* runPass(
  deps: AgentDeps,
  settings: AgentSettings,
  planned: PassToRun,
  signal: AbortSignal,
  instructions = '',
  policy?: Policy,
): AsyncGenerator<AgentEvent, Pass | undefined> {
  const { session } = deps;
  const { input } = planned;
  const asks =
    settings.compaction === 'ask' && input.trigger !== 'manual' && deps.reviewPass !== undefined;
  if (asks && !mayAsk(input)) return undefined;
  yield { type: 'passStarted', trigger: input.trigger };
  const prepared =
    instructions === '' ? await takeSummaryAhead(session, settings, signal) : undefined;
  const ratings = yield* rateSalience(deps, settings, input, signal);
  const given = {
    ...(prepared === undefined ? {} : { prepared }),
    ...(ratings === undefined ? {} : { ratings }),
    ...(input.files === undefined ? {} : { files: input.files }),
  };
  const job: PassJob = { given, instructions, ...(policy === undefined ? {} : { policy }) };
  let ready = await writePass(deps, settings, planned, job, [], signal);
  if (ready !== undefined && asks) ready = yield* reviewed(deps, settings, job, ready, signal);
  if (ready === undefined || signal.aborted) return undefined;
  const event = passApplied(ready.input, ready.plan, ready.summaries, settings.cacheRead);
  session.append(event);
  yield { type: 'passFinished', pass: event.pass };
  return event.pass;
}

/** The user is asked again once the used tokens have changed by this share of the input budget. */
const CHANGED_SHARE = 0.05;

/**
 * Says whether the user may be asked: not again while the window is about as full, but always when
 * it must be.
 */
function mayAsk({ window, measured, budget, trigger }: PolicyInput): boolean {
  const { postponed } = window;
  if (postponed === undefined || trigger === 'overflow') return true;
  const { inputBudget } = budget;
  const { tokens } = measured.used;
  // An estimate that turns out slightly too high does not count as a change.
  return tokens > inputBudget || Math.abs(tokens - postponed.tokens) > inputBudget * CHANGED_SHARE;
}

/** Shows the user a pass; what comes back has their changes in it. */
async function* reviewed(
  deps: AgentDeps,
  settings: AgentSettings,
  job: PassJob,
  ready: ReadyPass,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, ReadyPass | undefined> {
  const { plan, summaries, input } = ready;
  if (deps.reviewPass === undefined) return ready;
  yield { type: 'passProposed', trigger: input.trigger };
  const review = await deps.reviewPass({ plan, summaries }, signal);
  yield { type: 'passReviewed', applied: review.type === 'apply' };
  if (signal.aborted) return undefined;
  if (review.type === 'postpone') {
    postpone(deps, settings);
    return undefined;
  }
  const kept = yield* edited(plan, summaries, review.summaries, input);
  const { window } = deps.session;
  if (review.spared.length === 0 && window.blocks === input.window.blocks) {
    return { ...ready, summaries: kept };
  }
  // A text by the user is their last word on what is there now; a text by a model, on what it read.
  const written = kept.map((summary) => ({
    summary,
    from: sourcesOf(summary.editedByUser === true ? window : input.window, summary),
  }));
  const words = wordsOfUser(window, kept, review.spared);
  const given = {
    ...job.given,
    ...(words === undefined ? {} : { prepared: words }),
    spared: new Set(review.spared),
  };
  const around: PassJob = { ...job, given };
  const anew = await writePass(deps, settings, ready, around, written, signal);
  if (anew === undefined && !signal.aborted) {
    // Else the user would be asked the same at the next step.
    postpone(deps, settings);
    const message =
      'The pass was not applied: without what you left out of it, it frees too little.';
    yield { type: 'notice', message };
  }
  return anew;
}

/** Logs that the user wants no pass now, and how full the window is. */
function postpone(deps: AgentDeps, settings: AgentSettings): void {
  const { tokens } = factsNow(deps, settings).measured.used;
  deps.session.append({ type: 'passPostponed', tokens });
}

/**
 * What the user wrote, for those blocks of the run that may still leave: a plan around other blocks
 * keeps it.
 */
function wordsOfUser(
  window: ContextWindow,
  summaries: readonly Summary[],
  spared: readonly BlockId[],
): WrittenSummary | undefined {
  const summary = summaries.find(({ editedByUser }) => editedByUser === true);
  const covers = summary?.covers.filter((id) => {
    const block = findBlock(window, id);
    return !spared.includes(id) && block !== undefined && mayLeave(window, block);
  });
  if (summary === undefined || covers === undefined || covers.length === 0) return undefined;
  return { summary: { ...summary, covers }, from: sourcesOf(window, { covers }) };
}

/** A pass is planned no more often than this on a window that keeps changing. */
const MOST_PLANS = 3;

/** What a pass is planned and written with, apart from the window. */
interface PassJob {
  readonly given: Pick<PolicyInput, 'prepared' | 'ratings' | 'spared' | 'files'>;
  readonly instructions: string;
  /** Absent: that of the settings. */
  readonly policy?: Policy;
}

/** A pass with its summaries, before it applies. */
type ReadyPass = PassToRun & ProposedPass;

/**
 * Writes the summaries of a pass, and uses those that are already written. The pass is planned
 * again if what it was planned from has changed, for example by the user. Undefined when it would
 * then not free enough, or when the signal aborts.
 */
async function writePass(
  deps: AgentDeps,
  settings: AgentSettings,
  first: PassToRun,
  job: PassJob,
  written: readonly WrittenSummary[],
  signal: AbortSignal,
): Promise<ReadyPass | undefined> {
  const { session } = deps;
  let planned: PassToRun | undefined = first;
  let known = written;
  const wished = { ...settings, instructions: job.instructions };
  for (let plans = 0; plans < MOST_PLANS; plans++) {
    if (signal.aborted) return undefined;
    if (!isPlannedOn(planned, session.window, job)) planned = planAnew(deps, settings, first, job);
    if (planned === undefined) return undefined;
    // What it shows is counted only now, and may leave room for less.
    if (await weighView(deps, planned)) planned = planAnew(deps, settings, first, job);
    if (planned === undefined) return undefined;
    const { input } = planned;
    const summaries = await writeAll(deps, wished, planned, known, signal);
    if (signal.aborted) return undefined;
    if (session.window.blocks === input.window.blocks) return { ...planned, summaries };
    known = summaries.map((summary) => ({ summary, from: sourcesOf(input.window, summary) }));
  }
  return undefined;
}

function isPlannedOn({ input }: PassToRun, { blocks }: ContextWindow, { given }: PassJob): boolean {
  return (
    input.window.blocks === blocks &&
    input.prepared?.summary === given.prepared?.summary &&
    input.ratings === given.ratings &&
    input.spared === given.spared
  );
}

function planAnew(
  deps: AgentDeps,
  settings: AgentSettings,
  { input: { trigger } }: PassToRun,
  { given, policy }: PassJob,
): PassToRun | undefined {
  return passToRun({ ...factsNow(deps, settings), ...given, trigger }, policy);
}

/** Writes the summaries of a plan; a written one for the same blocks is used again. */
async function writeAll(
  deps: AgentDeps,
  settings: AgentSettings & { readonly instructions: string },
  { input, plan }: PassToRun,
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

/**
 * Puts the user's texts, by summary id, in place of the summaries; one that is too large is not
 * taken.
 */
function* edited(
  plan: Plan,
  summaries: readonly Summary[],
  texts: Readonly<Record<string, string>>,
  { window, estimate }: Pick<PolicyInput, 'window' | 'estimate'>,
): Generator<AgentEvent, readonly Summary[]> {
  const taken: Summary[] = [];
  for (const summary of summaries) {
    const text = texts[summary.id]?.trim() ?? '';
    if (text === '' || text === summary.text) {
      taken.push(summary);
      continue;
    }
    const byUser: Summary = { ...withAnswer(summary), text, editedByUser: true };
    const tokens = summaryTokens(byUser, window, estimate);
    const most =
      plan.summaries.find(({ summaryId }) => summaryId === summary.id)?.tokensBefore ?? 0;
    // A summary as large as what it replaces is no progress (I5).
    taken.push(tokens < most ? byUser : summary);
    if (tokens >= most) {
      const message = `Your text for a summary was not used: it takes about ${tokens} tokens, what it stands for ${most}.`;
      yield { type: 'notice', message };
    }
  }
  return taken;
}

/** A summary that keeps what the model answered, now that its text becomes another. */
function withAnswer(summary: Summary): Summary {
  const { text, writtenBy, exchange } = summary;
  if (exchange === undefined || exchange.answer !== undefined) return summary;
  return writtenBy.by === 'model'
    ? { ...summary, exchange: { ...exchange, answer: text } }
    : summary;
}
