import type { BlockId } from '../contextWindow/block';
import { type ContextWindow, findBlock } from '../contextWindow/window';
import { coldCache } from '../contextWindow/account/promptCache';
import {
  duePasses,
  passApplied,
  passToRun,
  type PassToRun,
} from '../contextWindow/passes/pipeline';
import type { Policy, PolicyInput } from '../contextWindow/passes/rungs/policyInput';
import {
  haveSameText,
  sourcesOf,
  summaryTokens,
  type WrittenSummary,
} from '../contextWindow/passes/rungs/summary';
import type { Pass, Plan, Summary, SummaryJob, Trigger } from '../contextWindow/plan';
import { mayLeave } from '../contextWindow/tier';
import {
  type AgentDeps,
  type AgentSettings,
  factsNow,
  type PassReview,
  type ProposedPass,
} from './agentDeps';
import type { AgentEvent } from './agentEvent';
import { filesChangedSince, weighExcerpts, withFilesNow } from './filesNow';
import { rateSalience } from './rateSalience';
import { writeSummary } from './summariser';
import { finishedSummaryAhead, takeSummaryAhead } from './summaryAhead';

/**
 * Runs a pass that the user asked for; `instructions` are for its summaries. `policy` replaces the
 * policy in the settings.
 */
export async function* runManualPass(
  deps: AgentDeps,
  settings: AgentSettings,
  signal: AbortSignal,
  instructions = '',
  policy?: Policy,
): AsyncGenerator<AgentEvent, Pass | undefined> {
  // A summary written ahead does not follow these instructions.
  const facts = instructions === '' ? passInput(deps, settings) : factsNow(deps, settings);
  const input = await withFilesNow(deps, facts, 'manual');
  const planned = passToRun({ ...input, trigger: 'manual' }, policy);
  if (planned === undefined) return undefined;
  return yield* runPass(deps, settings, planned, signal, instructions, policy);
}

/**
 * Runs a planned pass: writes its summaries, asks the user if the settings say so, and appends it.
 * Undefined when the user postpones it, when the signal aborts, or when a new plan would free too
 * little; the window then stays as it is.
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
    cold: input.cold,
  };
  const job: PassJob = { given, instructions, ...(policy === undefined ? {} : { policy }) };
  let ready = await writePass(deps, settings, planned, job, [], signal);
  if (ready !== undefined && asks) ready = yield* reviewed(deps, settings, job, ready, signal);
  if (ready === undefined || signal.aborted) return undefined;
  const event = passApplied(ready.input, ready.plan, ready.summaries);
  session.append(event);
  yield { type: 'passFinished', pass: event.pass };
  return event.pass;
}

/** Ask again once the used tokens have changed by this share of the input budget. */
const CHANGED_SHARE = 0.05;

/**
 * Whether to ask the user: not again while the window is about as full, but always when a pass is
 * required.
 */
function mayAsk({ window, measured, budget, trigger }: PolicyInput): boolean {
  const { postponed } = window;
  if (postponed === undefined || trigger === 'overflow') return true;
  const { inputBudget } = budget;
  const { tokens } = measured.used;
  // An estimate that turns out slightly too high does not count as a change.
  return tokens > inputBudget || Math.abs(tokens - postponed.tokens) > inputBudget * CHANGED_SHARE;
}

/**
 * Shows the user a pass until they apply it, as shown or unseen, or postpone it (I15). Whenever the pass has to
 * differ from what they saw, it is planned again, and they are asked again: after a block was
 * spared, a summary was written, or window or files changed.
 */
async function* reviewed(
  deps: AgentDeps,
  settings: AgentSettings,
  job: PassJob,
  first: ReadyPass,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, ReadyPass | undefined> {
  if (deps.reviewPass === undefined) return first;
  yield { type: 'passProposed', trigger: first.input.trigger };
  let ready = first;
  let known: readonly WrittenSummary[] = [];
  let spared: readonly BlockId[] = [];
  let isUnseen = false;
  for (;;) {
    const { plan, summaries, input } = ready;
    const { cold } = input;
    const asShown = { type: 'apply', spared, summaries: {} } as const;
    const answer: PassReview = isUnseen
      ? asShown
      : await deps.reviewPass({ plan, summaries, spared, cold }, signal);
    if (answer.type === 'applyUnseen') isUnseen = true;
    const review = answer.type === 'applyUnseen' ? asShown : answer;
    if (signal.aborted || review.type === 'postpone') {
      yield { type: 'passReviewed', applied: false };
      if (!signal.aborted) postpone(deps, settings);
      return undefined;
    }
    yield { type: 'reviewChanged' };
    const kept = yield* edited(plan, summaries, review.summaries, input);
    const changed = await filesChangedSince(deps, plan, deps.session.window);
    const { window } = deps.session;
    const isSame = isSameWindow(input.window, window) && changed === undefined;
    const isSparing = !haveSameIds(spared, review.spared);
    const isWritten = kept.length === plan.summaries.length;
    if (review.type === 'apply' && isSame && !isSparing && isWritten) {
      yield { type: 'passReviewed', applied: true };
      return { ...ready, summaries: kept };
    }
    // The user's text covers the current blocks; a model's text covers the blocks it read.
    const written = kept.map((summary) => ({
      summary,
      from: sourcesOf(summary.editedByUser === true ? window : input.window, summary),
    }));
    known = [...written, ...known];
    const words = wordsOfUser(window, kept, review.spared);
    // They may have been read again since the job began.
    const files = changed ?? input.files;
    const given = {
      ...job.given,
      ...(words === undefined ? {} : { prepared: words }),
      spared: new Set(review.spared),
      ...(files === undefined ? {} : { files }),
    };
    const around: PassJob = { ...job, given };
    const again =
      review.type === 'spare'
        ? await planSparing(deps, settings, ready, around, known, signal)
        : await writePass(deps, settings, ready, around, known, signal);
    if (signal.aborted) {
      yield { type: 'passReviewed', applied: false };
      return undefined;
    }
    if (again === undefined && review.type === 'spare' && isSame) {
      yield { type: 'notice', message: NOT_SPARED };
      continue;
    }
    if (again === undefined) {
      yield { type: 'passReviewed', applied: false };
      // Otherwise the next step would ask the user the same question.
      postpone(deps, settings);
      yield { type: 'notice', message: isSparing ? TOO_LITTLE_LEFT : TOO_LITTLE_NOW };
      return undefined;
    }
    if (!isSame && !isUnseen)
      yield { type: 'notice', message: changed === undefined ? CHANGED : FILES_CHANGED };
    ready = again;
    spared = review.spared;
    yield { type: 'reviewChanged' };
  }
}

/** Plans a pass around spared blocks; only summaries that need no model are written for it. */
async function planSparing(
  deps: AgentDeps,
  settings: AgentSettings,
  ready: ReadyPass,
  job: PassJob,
  written: readonly WrittenSummary[],
  signal: AbortSignal,
): Promise<ReadyPass | undefined> {
  let planned = planAnew(deps, settings, ready, job);
  if (planned !== undefined && (await weighExcerpts(deps, planned))) {
    planned = planAnew(deps, settings, ready, job);
  }
  if (planned === undefined) return undefined;
  const wished = { ...settings, instructions: job.instructions };
  const summaries =
    settings.summary.writer === 'model'
      ? writtenOf(planned, written)
      : await writeAll(deps, wished, planned, written, signal);
  return { ...planned, summaries };
}

function haveSameIds(some: readonly BlockId[], others: readonly BlockId[]): boolean {
  return some.length === others.length && some.every((id) => others.includes(id));
}

const NOT_SPARED =
  'The block was not spared: without it, the pass frees too little. Spare fewer blocks, or postpone the pass.';
const TOO_LITTLE_LEFT =
  'The pass was not applied: without the blocks you spared, it frees too little.';
const TOO_LITTLE_NOW =
  'The pass was not applied: something changed while you decided, and now it would free too little.';
const CHANGED =
  'The window changed while you decided: the pass was planned again. Check it, then apply it.';
const FILES_CHANGED =
  'Files changed while you decided: the pass was planned again with their current version. Check it, then apply it.';

/** Logs that the user postponed the pass, and how full the window is. */
function postpone(deps: AgentDeps, settings: AgentSettings): void {
  const { tokens } = factsNow(deps, settings).measured.used;
  deps.session.append({ type: 'passPostponed', tokens });
}

/**
 * The user's text for those blocks that may still be removed, so that a plan without the others
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

/** Replaces summaries by the user's texts, by id; a text that is too large is ignored. */
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
    // The check was of the model's text.
    const { check: _check, ...unchecked } = withAnswer(summary);
    const byUser: Summary = { ...unchecked, text, editedByUser: true };
    const tokens = summaryTokens(byUser, window, estimate);
    const most =
      plan.summaries.find(({ summaryId }) => summaryId === summary.id)?.tokensBefore ?? 0;
    // A summary as large as its blocks is no progress (I5).
    taken.push(tokens < most ? byUser : summary);
    if (tokens >= most) {
      const message = `Your text for a summary was not used: it takes about ${tokens} tokens, and the blocks it replaces take ${most}.`;
      yield { type: 'notice', message };
    }
  }
  return taken;
}

/** Keeps the model's answer before the user's text replaces it. */
function withAnswer(summary: Summary): Summary {
  const { text, writtenBy, exchange } = summary;
  if (exchange === undefined || exchange.answer !== undefined) return summary;
  return writtenBy.by === 'model'
    ? { ...summary, exchange: { ...exchange, answer: text } }
    : summary;
}

/** Most plans for one pass on a window that keeps changing. */
const MOST_PLANS = 3;

/** The inputs of a pass, apart from the window. */
interface PassJob {
  readonly given: Pick<PolicyInput, 'prepared' | 'ratings' | 'spared' | 'files' | 'cold'>;
  readonly instructions: string;
  /** Absent for the policy in the settings. */
  readonly policy?: Policy;
}

/** A pass with its summaries, before it applies. */
type ReadyPass = PassToRun & ProposedPass;

/**
 * Writes the summaries of a pass; existing ones are reused. Plans again when the window changed,
 * for example by hand, or when an excerpt is out of date. Undefined when the new plan would free
 * too little, or when the signal aborts.
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
  let now = job;
  const wished = { ...settings, instructions: job.instructions };
  for (let plans = 0; plans < MOST_PLANS; plans++) {
    if (signal.aborted) return undefined;
    if (!isPlannedOn(planned, session.window, now)) planned = planAnew(deps, settings, first, now);
    if (planned === undefined) return undefined;
    // The excerpts are counted only now and may leave less room.
    if (await weighExcerpts(deps, planned)) planned = planAnew(deps, settings, first, now);
    if (planned === undefined) return undefined;
    const { input } = planned;
    const summaries = await writeAll(deps, wished, planned, known, signal);
    if (signal.aborted) return undefined;
    // Writing takes time, so the files may have changed. Compare them once, since some change all
    // the time.
    const files =
      now === job ? await filesChangedSince(deps, planned.plan, session.window) : undefined;
    if (isSameWindow(input.window, session.window) && files === undefined)
      return { ...planned, summaries };
    if (files !== undefined) now = { ...job, given: { ...job.given, files } };
    known = summaries.map((summary) => ({ summary, from: sourcesOf(input.window, summary) }));
  }
  return undefined;
}

function isPlannedOn({ input }: PassToRun, window: ContextWindow, { given }: PassJob): boolean {
  return (
    isSameWindow(input.window, window) &&
    input.prepared?.summary === given.prepared?.summary &&
    input.ratings === given.ratings &&
    input.spared === given.spared &&
    input.files === given.files
  );
}

/** Whether nothing that a pass is planned from has changed. */
function isSameWindow(planned: ContextWindow, now: ContextWindow): boolean {
  return planned.blocks === now.blocks && planned.fileChoices === now.fileChoices;
}

function planAnew(
  deps: AgentDeps,
  settings: AgentSettings,
  { input: { trigger } }: PassToRun,
  { given, policy }: PassJob,
): PassToRun | undefined {
  return passToRun({ ...factsNow(deps, settings), ...given, trigger }, policy);
}

/** Writes the summaries of a plan; reuses a summary of the same blocks. */
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

/** The summaries of a plan that need not be written: of the same blocks, or written ahead. */
function writtenOf(
  { input, plan }: PassToRun,
  written: readonly WrittenSummary[],
): readonly Summary[] {
  return plan.summaries.flatMap((job) => {
    const summary = written.find((one) => isOfJob(input, one, job))?.summary ?? job.ready;
    return summary === undefined ? [] : [{ ...summary, id: job.summaryId }];
  });
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
 * Plans the passes that are due before the next request, each from the current window and files.
 */
export async function* passesDue(
  deps: AgentDeps,
  settings: AgentSettings,
  trigger?: Trigger,
): AsyncGenerator<PassToRun, void> {
  let input = await withFilesNow(deps, passInput(deps, settings), trigger);
  for (const planned of duePasses(() => input, trigger)) {
    yield planned;
    input = await withFilesNow(deps, passInput(deps, settings));
  }
}

/** The current input of a pass, including a summary written ahead. */
function passInput(deps: AgentDeps, settings: AgentSettings): Omit<PolicyInput, 'trigger'> {
  const prepared = finishedSummaryAhead(deps.session, settings);
  const facts = factsNow(deps, settings);
  const remaining = coldCache(facts, deps.now());
  const areSummariesFree = settings.summary.writer !== 'model';
  const cold = remaining && { ...remaining, areSummariesFree };
  return { ...facts, cold, ...(prepared === undefined ? {} : { prepared }) };
}
