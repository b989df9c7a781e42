import type { Plan, Summary, SummaryJob, Trigger } from '../contextWindow/plan';
import type { PolicyInput } from '../contextWindow/policies/policy';
import { planPass } from '../contextWindow/policies/policyNamed';
import { isWorthwhile } from '../contextWindow/trigger';
import { saySame, sourcesOf, type WrittenSummary } from '../contextWindow/writtenSummary';
import type { AgentDeps, AgentSettings } from './agentDeps';
import { policyInput } from './policyInput';
import { writeSummary } from './summariser';

/** A pass is planned no more often than this on a window that keeps changing. */
const MOST_PLANS = 3;

/** What a pass is planned with besides the window. */
export type DraftJob = Pick<PolicyInput, 'prepared' | 'ratings' | 'spared'> & {
  readonly trigger: Trigger;
  readonly instructions: string;
};

/** A plan with its summaries, and the window it was made on. */
export interface Drafted {
  readonly input: PolicyInput;
  readonly plan: Plan;
  readonly summaries: readonly Summary[];
}

/**
 * Plans a pass and writes its summaries, using those that are written. Planned anew where the user
 * changed the window meanwhile. Undefined when it would not free enough, or the signal aborts.
 */
export async function draftPass(
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
  return isSame && saySame(window, from);
}
