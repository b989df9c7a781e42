import type { NewEvent } from '../event';
import type { Plan, Summary, Trigger } from '../plan';
import { planPass } from './policies/policies';
import { pricePass } from './price';
import type { Policy, PolicyFacts, PolicyInput } from './rungs/policyInput';
import { dueTrigger, isWorthwhile } from './trigger';

/** More passes than this before one request would be a spiral. */
const MOST_PASSES = 2;

/** A plan that frees enough to be run, and the facts it was made from. */
export interface PassToRun {
  readonly input: PolicyInput;
  readonly plan: Plan;
}

/** Plans a pass; undefined when it would not free enough. */
export function passToRun(input: PolicyInput, policy: Policy = planPass): PassToRun | undefined {
  const plan = policy(input);
  return isWorthwhile(plan) ? { input, plan } : undefined;
}

/**
 * Plans the passes that are due before the next request, one after another. Whoever takes one
 * writes its summaries and logs it as `passApplied` makes it before asking for the next: `now` then
 * gives the window as it stands. `trigger`, where given, begins the first pass.
 */
export function* duePasses(
  now: () => Omit<PolicyInput, 'trigger'>,
  trigger?: Trigger,
  policy: Policy = planPass,
): Generator<PassToRun, void> {
  let given = trigger;
  for (let passes = 0; passes < MOST_PASSES; passes++) {
    const input = now();
    const due = given ?? dueTrigger(input);
    if (due === undefined) return;
    const planned = passToRun({ ...input, trigger: due }, policy);
    if (planned === undefined) return;
    yield planned;
    given = undefined;
  }
}

/**
 * The event that applies a pass, once its summaries are written; `cacheRead` as for `pricePass`.
 */
export function passApplied(
  { window, estimate }: Pick<PolicyFacts, 'window' | 'estimate'>,
  plan: Plan,
  summaries: readonly Summary[],
  cacheRead: number,
): Extract<NewEvent, { readonly type: 'passApplied' }> {
  return {
    type: 'passApplied',
    pass: pricePass(plan, summaries, window, estimate, cacheRead),
  };
}
