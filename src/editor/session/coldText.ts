import {
  costsAtColdCache,
  coldCache,
  type RequestTokens,
} from '../../contextWindow/account/promptCache';
import { amountText, dollarAmountText } from '../../contextWindow/amount';
import { dueTrigger, passToRun } from '../../contextWindow/passes/pipeline';
import { summariseEarlier } from '../../contextWindow/passes/policies/policies';
import { policyFacts } from '../../contextWindow/passes/rungs/policyInput';
import type { Amount } from '../../contextWindow/plan';
import type { Estimate } from '../../contextWindow/truncate';
import type { ContextWindow } from '../../contextWindow/window';
import { costOfCharge } from '../../model/pricing';
import { turnSettings } from '../../settings/turnSettings';
import type { ValidSettings } from '../../settings/windowBudget';

/** Who answered a request: a model with its price, or the scripted model without one. */
export type Payee =
  | { readonly offline: true }
  | {
      readonly offline: false;
      readonly model: string;
      /** The model for summaries; absent or empty for the same one. */
      readonly summaryModel?: string;
    };

/**
 * Says what the next request costs at a cold cache, as it is and after a pass: "The prompt cache is
 * cold: sending 251,000 tokens costs ≈ $0.94, compacted first ≈ $0.31." Without a known price it gives
 * the tokens to write. `how` names the pass as its button does.
 */
export function coldText(
  before: Amount,
  { whole, compacted }: ReturnType<typeof costsAtColdCache>,
  by: Payee,
  how = 'compacted first',
): string {
  const cold = 'The prompt cache is cold: ';
  const [now, first] = [whole, compacted].map((one) => (by.offline ? undefined : usd(by, one)));
  if (now === undefined || first === undefined) {
    const written = (one: RequestTokens) => amountText({ tokens: one.written, exact: false });
    return `${cold}${written(whole)} tokens are written to it, ${how} ${written(compacted)}.`;
  }
  return (
    `${cold}sending ${amountText(before)} tokens costs ${dollarAmountText(now)}, ` +
    `${how} ${dollarAmountText(first)}.`
  );
}

/** A request and the summaries before it are charged one by one. */
function usd(
  { model, summaryModel }: Exclude<Payee, { readonly offline: true }>,
  { read, written, asked, answered }: RequestTokens,
): number | undefined {
  const sent = { cacheReadTokens: read, cacheCreationTokens: written };
  const summaries = {
    inputTokens: asked,
    outputTokens: answered,
    cacheReadTokens: 0,
    cacheCreationTokens: 0,
  };
  const charges = [
    costOfCharge({ model, usage: { inputTokens: 0, outputTokens: 0, ...sent } }),
    asked === 0 ? 0 : costOfCharge({ model: summaryModel || model, usage: summaries }),
  ];
  return charges.reduce(
    (sum, one) => (sum === undefined || one === undefined ? undefined : sum + one),
    0,
  );
}

/** What continuing an idle session costs. */
export interface CostAtReturn {
  /** The sentence for the user. */
  readonly text: string;
  /** Tokens of the window as it is. */
  readonly usedTokens: number;
}

/**
 * Says what the next request of an idle session costs, as it is and from a summary of the earlier
 * turns; undefined unless the user would be asked about a pass then. With `auto` that pass just runs.
 */
export function costAtReturn(
  window: ContextWindow,
  valid: ValidSettings,
  estimate: Estimate,
  now: number,
): CostAtReturn | undefined {
  const { policy, compaction, budget, model, summary } = turnSettings(valid);
  if (compaction !== 'ask') return undefined;
  const facts = policyFacts({ window, budget, estimate, settings: policy });
  const cold = coldCache(facts, now);
  if (cold === undefined) return undefined;
  const due = dueTrigger({ ...facts, cold });
  // A limit on turns or messages is not about the price, and Continue must not postpone its pass.
  if (due === undefined || due === 'cap') return undefined;
  const plan = passToRun({ ...facts, trigger: 'manual' }, summariseEarlier)?.plan;
  if (plan === undefined) return undefined;
  const offline = valid.settings.provider === 'offline';
  const by: Payee = offline ? { offline } : { offline, model, summaryModel: summary.model };
  const { used } = facts.measured;
  // A work note costs nothing.
  const asked = summary.writer === 'model' ? plan : { ...plan, summaries: [] };
  const costs = costsAtColdCache(asked, cold);
  return { text: coldText(used, costs, by, 'from a summary'), usedTokens: used.tokens };
}
