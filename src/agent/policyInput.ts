import { measure } from '../contextWindow/account/measure';
import type { Trigger } from '../contextWindow/plan';
import type { PolicyInput } from '../contextWindow/passes/rungs/policyInput';
import { effectiveBudget } from '../contextWindow/account/stepDown';
import type { AgentDeps, AgentSettings } from './agentDeps';

/** What a policy looks at now; a preview of the next pass is `planPass` of it. */
export function policyInput(
  deps: AgentDeps,
  settings: AgentSettings,
  trigger: Trigger,
): PolicyInput {
  const { window } = deps.session;
  const estimate = (text: string) => deps.estimator.estimate(text);
  return {
    window,
    measured: measure(window, estimate),
    budget: effectiveBudget(window, settings.budget),
    trigger,
    estimate,
    settings: settings.policy,
  };
}
