import type { PolicyName, Plan, Trigger } from '../../contextWindow/plan';
import { changesWindow, POLICY_NAMES } from '../../contextWindow/plan';
import type { ContextWindow } from '../../contextWindow/contextWindow';
import type { PolicyInput, PolicySettings } from '../../contextWindow/policies/policy';
import { planPass } from '../../contextWindow/policies/policyNamed';
import { effectiveBudget } from '../../contextWindow/stepDown';
import { dueTrigger, isWorthwhile } from '../../contextWindow/trigger';
import type { Estimate } from '../../contextWindow/truncate';
import type { PlanView } from '../../protocol/whatIf';
import type { Account } from '../account';
import { decisionView } from '../passViews';
import { turnSettings } from '../turnSettings';
import type { ValidSettings } from '../windowBudget';

/** What a pass would be planned from. */
export interface PlanFacts {
  readonly window: ContextWindow;
  readonly account: Account;
  readonly inForce: ValidSettings;
  readonly policy: PolicyName;
  readonly estimate: Estimate;
}

/** A plan that nobody has run, and what would have begun it. */
export interface PlannedPass {
  readonly plan: Plan;
  /** Why a pass would begin before the next step; undefined while none would. */
  readonly due: Trigger | undefined;
}

/**
 * Plans the pass that would run next by the policy in force: the one that is due, else the one the
 * user could ask for; or one begun by `trigger`. What is shown is what that pass would do. Undefined
 * for a policy that only a replay knows.
 */
export function plannedPass(facts: PlanFacts, trigger?: Trigger): PlannedPass | undefined {
  const { window, account, inForce, estimate } = facts;
  const settings = policySettings(facts);
  if (settings === undefined) return undefined;
  const budget = effectiveBudget(window, inForce.budget);
  const { measured } = account;
  const due = dueTrigger(window, measured, budget, settings);
  const input: PolicyInput = {
    window,
    measured,
    budget,
    trigger: trigger ?? due ?? 'manual',
    estimate,
    settings,
  };
  return { plan: planPass(input), due };
}

function policySettings({ inForce, policy }: PlanFacts): PolicySettings | undefined {
  const named = POLICY_NAMES.find((name) => name === policy);
  return named === undefined ? undefined : { ...turnSettings(inForce).policy, policy: named };
}

/** Draws a plan; nothing has changed by it. */
export function planView({ plan }: PlannedPass): PlanView {
  const { trigger, policy, before, target, rungs, decisions, estimatedAfter } = plan;
  const why = whyNothing(plan);
  return {
    trigger,
    policy,
    before,
    after: why === undefined ? { tokens: estimatedAfter, exact: false } : before,
    target,
    rungs: why === undefined ? rungs : [],
    decisions: why === undefined ? decisions.filter(isChange).map(decisionView) : [],
    kept: decisions.filter((decision) => !isChange(decision)).map(decisionView),
    ...(why === undefined ? {} : { whyNothing: why }),
  };
}

/** Says why a plan would not be run; undefined where it would. */
export function whyNothing(plan: Plan): string | undefined {
  if (isWorthwhile(plan)) return undefined;
  return changesWindow(plan)
    ? 'Nothing would leave: a pass would free too little to be worth the lost prompt cache.'
    : 'Nothing would leave: what is left in the window may not leave, or would free nothing.';
}

function isChange({ action }: Plan['decisions'][number]): boolean {
  return action !== 'keep';
}
