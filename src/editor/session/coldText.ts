import type { ProposedPass } from '../../agent/agentDeps';
import {
  costsAtColdCache,
  coldCache,
  type RequestTokens,
} from '../../contextWindow/account/promptCache';
import { amountText, dollarAmountText } from '../../contextWindow/amount';
import { dueTrigger, passToRun } from '../../contextWindow/passes/pipeline';
import { summariseEarlier } from '../../contextWindow/passes/policies/policies';
import { summaryTokens } from '../../contextWindow/passes/rungs/summary';
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

/** Who answers the next request. */
export function payeeOf({ settings }: Pick<ValidSettings, 'settings'>): Payee {
  const { provider, model, context } = settings;
  return provider === 'offline'
    ? { offline: true }
    : { offline: false, model, summaryModel: context.summaryModel };
}

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

/** What a waiting pass would leave, and how many summaries are still to be written for it. */
interface ReviewCost {
  readonly after: Amount;
  readonly toWrite: number;
  /** What the next request costs with and without the pass; absent while the prompt cache is warm. */
  readonly cold?: string;
}

/** What a pass in review costs, with the summaries that are written already. */
export function reviewCost(
  { plan, summaries, cold }: ProposedPass,
  window: ContextWindow,
  estimate: Estimate,
  by: Payee,
): ReviewCost {
  // The plan assumes summaries of maximum size; some or all of them are written.
  const isWritten = new Set(summaries.map((summary) => summary.id));
  const reserved = plan.summaries
    .filter(({ summaryId }) => isWritten.has(summaryId))
    .reduce((sum, { maxTokens }) => sum + maxTokens, 0);
  const written = summaries.reduce(
    (sum, summary) => sum + summaryTokens(summary, window, estimate),
    0,
  );
  const after = { tokens: plan.estimatedAfter - reserved + written, exact: false };
  const toWrite = plan.summaries.filter(({ summaryId }) => !isWritten.has(summaryId));
  const result = { after, toWrite: toWrite.length };
  if (cold === undefined || plan.trigger !== 'coldCache') return result;
  const costs = costsAtColdCache(
    { ...plan, estimatedAfter: after.tokens, summaries: toWrite },
    cold,
  );
  return { ...result, cold: coldText(plan.before, costs, by) };
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
  const { policy, compaction, budget, summary } = turnSettings(valid);
  if (compaction !== 'ask') return undefined;
  const facts = policyFacts({ window, budget, estimate, settings: policy });
  const cold = coldCache(facts, now);
  if (cold === undefined) return undefined;
  const due = dueTrigger({ ...facts, cold });
  // A limit on turns or messages is not about the price, and Continue must not postpone its pass.
  if (due === undefined || due === 'cap') return undefined;
  const plan = passToRun({ ...facts, trigger: 'manual' }, summariseEarlier)?.plan;
  if (plan === undefined) return undefined;
  const { used } = facts.measured;
  const costs = costsAtColdCache(plan, { ...cold, areSummariesFree: summary.writer !== 'model' });
  return { text: coldText(used, costs, payeeOf(valid), 'from a summary'), usedTokens: used.tokens };
}
