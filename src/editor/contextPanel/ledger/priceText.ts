import type { Money, PassPrice } from '../../../contextWindow/account/passPrice';
import { amountText, marked, tokenText } from '../../../contextWindow/amount';
import type { Amount } from '../../../contextWindow/plan';
import { costOfCharge } from '../../../model/pricing';

/** Who answered a request: a model with its price, or the scripted model without one. */
export type Payee =
  { readonly offline: true } | { readonly offline: false; readonly model: string };

interface PaidBy {
  /** Tokens that the pass removed from later requests; one that adds some is never repaid. */
  readonly freedTokens: number;
  readonly by: Payee;
}

/**
 * Says what a pass cost and whether later requests have paid for it: "Cost: $0.021 (summary $0.019,
 * cache $0.002). Repaid since step 37." Without known prices it gives the tokens.
 */
export function priceText(price: PassPrice, { freedTokens, by }: PaidBy): string {
  const { cost, isEstimate } = price;
  const isGuess = isEstimate || price.isSimulated === true;
  if (cost.inputTokens === 0) return `Cost: nothing. ${whyNothing(price)}`;
  const paid =
    by.offline || cost.usd === undefined
      ? `Cost: ${inTokens(price, isGuess)}. ${by.offline ? 'No charge (offline)' : 'Price unknown'}.`
      : `Cost: ${dollars(cost.usd, isGuess)}${inDollars(price, isGuess)}.`;
  const repaid = freedTokens <= 0 || isEstimate ? '' : repaidText(price, by);
  return repaid === '' ? paid : `${paid} ${repaid}`;
}

function whyNothing({ cache, isEstimate }: PassPrice): string {
  if (cache.hadExpired) return 'The prompt cache had expired.';
  return isEstimate
    ? 'The whole prompt cache stays valid.'
    : 'The whole prompt cache stayed valid.';
}

function inDollars({ summary, cache }: PassPrice, isGuess: boolean): string {
  if (summary.cost.usd === undefined || cache.cost.usd === undefined) return '';
  if (summary.requests === 0) return ` for ${cacheTokens(cache.tokens, isGuess)}`;
  if (cache.tokens === 0 && !cache.hadExpired) return ' for the summary';
  const lost = cache.hadExpired ? 'cache expired' : `cache ${dollars(cache.cost.usd, isGuess)}`;
  return ` (summary ${dollars(summary.cost.usd, false)}, ${lost})`;
}

function inTokens({ summary, cache }: PassPrice, isGuess: boolean): string {
  const asked =
    summary.requests === 0
      ? []
      : [
          `summary ${tokenText(summary.sentTokens)} tokens in, ${tokenText(summary.receivedTokens)} out`,
        ];
  const lost = cache.tokens === 0 ? [] : [cacheTokens(cache.tokens, isGuess)];
  return [...asked, ...lost].join('; ');
}

function cacheTokens(tokens: number, isEstimate: boolean): string {
  return `${amountText({ tokens, exact: !isEstimate })} cached tokens written again`;
}

function repaidText(
  { cost, saved, repaidSince, isSimulated }: PassPrice,
  { offline }: Payee,
): string {
  if (repaidSince !== undefined) return `Repaid since step ${tokenText(repaidSince)}.`;
  const usd = Math.max(0, saved.usd ?? 0);
  if (!offline && cost.usd !== undefined && cost.usd >= LEAST_DOLLARS && usd >= LEAST_DOLLARS) {
    return `Not repaid yet: ${dollars(usd, isSimulated === true)} of ${dollars(cost.usd, isSimulated === true)} saved.`;
  }
  return `Not repaid yet: ${shareOf(saved, cost)} % of it saved.`;
}

function shareOf(saved: Money, cost: Money): number {
  return Math.min(99, Math.max(0, Math.floor((saved.inputTokens / cost.inputTokens) * 100)));
}

/** A pass before a request whose prompt cache has expired; tokens. */
interface Resent {
  readonly before: Amount;
  readonly after: Amount;
  /** Tokens that the summaries still to be written cover, and that the model may write. */
  readonly summaries: { readonly sent: number; readonly received: number };
}

/**
 * Says what it costs to send the window again, and what if it is compacted first: "The prompt cache
 * has expired: sending 251,000 tokens again costs ≈ $0.94, compacted first ≈ $0.31." Without a known
 * price it gives the tokens.
 */
export function resentText({ before, after, summaries }: Resent, by: Payee): string {
  const expired = 'The prompt cache has expired: ';
  const costs = by.offline
    ? undefined
    : [written(by.model, before), written(by.model, after), answered(by.model, summaries)];
  const [whole, compacted, asked] = costs ?? [];
  if (whole === undefined || compacted === undefined || asked === undefined) {
    return `${expired}${amountText(before)} tokens are sent again, compacted first ${amountText(after)}.`;
  }
  return (
    `${expired}sending ${amountText(before)} tokens again costs ${dollars(whole, true)}, ` +
    `compacted first ${dollars(compacted + asked, true)}.`
  );
}

const NO_USAGE = { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 };

function written(model: string, { tokens }: Amount): number | undefined {
  return costOfCharge({ model, usage: { ...NO_USAGE, cacheCreationTokens: tokens } });
}

function answered(model: string, { sent, received }: Resent['summaries']): number | undefined {
  return costOfCharge({
    model,
    usage: { ...NO_USAGE, inputTokens: sent, outputTokens: received },
  });
}

/** Smaller amounts have no digit on screen. */
const LEAST_DOLLARS = 0.001;

function dollars(usd: number, isEstimate: boolean): string {
  if (usd > 0 && usd < LEAST_DOLLARS) return 'under $0.001';
  return marked(`$${usd.toFixed(usd < 1 ? 3 : 2)}`, !isEstimate);
}
