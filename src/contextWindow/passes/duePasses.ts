import type { NewEvent } from '../event';
import type { Plan, Summary, Trigger } from '../plan';
import { planPass } from './policies/policies';
import { pricePass } from './price';
import type { Policy, PolicyFacts, PolicyInput } from './rungs/policyInput';
import { dueTrigger, isWorthwhile } from './trigger';

/** More passes than this before one request would be a spiral. */
const MOST_PASSES = 2;

/** A plan that frees enough to be run, and what it was made on. */
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
 * Plans the passes that are due before the next request, one after another. Whoever takes one writes
 * its summaries and logs it as `passApplied` has it, before the next is asked for: `now` then tells
 * how the window stands. A first pass is begun by `trigger` where that is given.
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

/** The event by which a pass applies, once its summaries are written; `cacheRead` as for `pricePass`. */
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
