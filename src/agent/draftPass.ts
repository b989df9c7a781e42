import type { BlockId } from '../contextWindow/block';
import type { Plan, Summary, Trigger } from '../contextWindow/plan';
import type { PolicyInput } from '../contextWindow/policies/policy';
import { planPass } from '../contextWindow/policies/policyNamed';
import { isWorthwhile } from '../contextWindow/trigger';
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
  written: readonly Summary[],
  signal: AbortSignal,
): Promise<Drafted | undefined> {
  let summaries = written;
  for (let plans = 0; plans < MOST_PLANS; plans++) {
    const input: PolicyInput = { ...policyInput(deps, settings, trigger), ...given };
    const plan = planPass(input);
    if (signal.aborted || !isWorthwhile(plan)) return undefined;
    const wished = { ...settings, instructions };
    summaries = await writeAll(deps, wished, plan, summaries, signal);
    if (signal.aborted) return undefined;
    if (deps.session.window.blocks === input.window.blocks) return { input, plan, summaries };
  }
  return undefined;
}

/** Writes the summaries of a plan; what is written and stands for the same is used again. */
async function writeAll(
  deps: AgentDeps,
  settings: AgentSettings & { readonly instructions: string },
  plan: Plan,
  written: readonly Summary[],
  signal: AbortSignal,
): Promise<readonly Summary[]> {
  const unused = new Set(written);
  const summaries: Summary[] = [];
  for (const job of plan.summaries) {
    const same = [...unused].find(({ covers }) => isSame(covers, job.covers));
    if (same !== undefined) unused.delete(same);
    const summary = same ?? job.ready ?? (await writeSummary(deps, settings, job, signal));
    summaries.push({ ...summary, id: job.summaryId });
    if (signal.aborted) break;
  }
  return summaries;
}

function isSame(one: readonly BlockId[], other: readonly BlockId[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}
