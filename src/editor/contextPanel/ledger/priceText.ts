import type { Money, PassPrice } from '../../../contextWindow/account/passPrice';
import { amountText, dollarAmountText, dollarText, tokenText } from '../../../contextWindow/amount';
import type { Payee } from '../../session/coldText';

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
      : `Cost: ${dollarAmountText(cost.usd, !isGuess)}${inDollars(price, isGuess)}.`;
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
  const lost = cache.hadExpired
    ? 'cache expired'
    : `cache ${dollarAmountText(cache.cost.usd, !isGuess)}`;
  return ` (summary ${dollarText(summary.cost.usd)}, ${lost})`;
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
    return `Repaid so far: ${dollarAmountText(usd, isSimulated !== true)}.`;
  }
  const share = shareOf(saved, cost);
  return share === 0 ? 'Not repaid yet.' : `Repaid so far: ${share} %.`;
}

function shareOf(saved: Money, cost: Money): number {
  return Math.min(99, Math.max(0, Math.floor((saved.inputTokens / cost.inputTokens) * 100)));
}

/** Smaller amounts have no digit on screen. */
const LEAST_DOLLARS = 0.001;
