import type { ContextWindow } from '../contextWindow/contextWindow';
import { passToRun, type PassToRun } from '../contextWindow/passes/duePasses';
import type { Policy, PolicyInput } from '../contextWindow/passes/rungs/policyInput';
import {
  haveSameText,
  sourcesOf,
  type WrittenSummary,
} from '../contextWindow/passes/rungs/summary';
import type { Summary, SummaryJob } from '../contextWindow/plan';
import { factsNow, type AgentDeps, type AgentSettings, type ProposedPass } from './agentDeps';
import { filesChangedSince, weighView } from './filesNow';
import { writeSummary } from './summariser';

/** A pass is planned no more often than this on a window that keeps changing. */
const MOST_PLANS = 3;

/** What a pass is planned and written with, apart from the window. */
export interface PassJob {
  readonly given: Pick<PolicyInput, 'prepared' | 'ratings' | 'spared' | 'files'>;
  readonly instructions: string;
  /** Absent: that of the settings. */
  readonly policy?: Policy;
}

/** A pass with its summaries, before it applies. */
export type ReadyPass = PassToRun & ProposedPass;

/**
 * Writes the summaries of a pass, and uses those that are already written. The pass is planned
 * again if what it was planned from has changed, for example by the user, or if a file that it shows
 * has. Undefined when it would then not free enough, or when the signal aborts.
 */
export async function writePass(
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
    // What it shows is counted only now, and may leave room for less.
    if (await weighView(deps, planned)) planned = planAnew(deps, settings, first, now);
    if (planned === undefined) return undefined;
    const { input } = planned;
    const summaries = await writeAll(deps, wished, planned, known, signal);
    if (signal.aborted) return undefined;
    // A model takes its time to write. What changes all the time is compared once.
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

/** Says whether nothing that a pass is planned from has changed in a window. */
export function isSameWindow(planned: ContextWindow, now: ContextWindow): boolean {
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
