import { duePasses, type PassToRun } from '../contextWindow/passes/duePasses';
import type { PolicyInput } from '../contextWindow/passes/rungs/policyInput';
import type { Trigger } from '../contextWindow/plan';
import { factsNow, type AgentDeps, type AgentSettings } from './agentDeps';
import { withFilesNow } from './filesNow';
import { finishedSummaryAhead } from './summaryAhead';

/**
 * Plans the passes that are due before the next request, one after another, each from the window and
 * the files as they are then.
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

/** What a pass is planned from now, including a summary that was written ahead. */
export function passInput(deps: AgentDeps, settings: AgentSettings): Omit<PolicyInput, 'trigger'> {
  const prepared = finishedSummaryAhead(deps.session, settings);
  return { ...factsNow(deps, settings), ...(prepared === undefined ? {} : { prepared }) };
}
