import { apportion, weightOf, type Measurement } from '../../../contextWindow/account/measure';
import type { ContextWindow, Preamble } from '../../../contextWindow/window';
import { preambleOf } from '../../../contextWindow/request/request';
import type { Estimate } from '../../../contextWindow/truncate';
import { priceOfModel } from '../../../model/pricing';
import { callKindOf } from '../../../contextWindow/callEffect';
import type { ToolCostsView } from './state';

/** The definitions of a preamble as sent; cached, since a preamble is immutable and drawn often. */
const TEXTS = new WeakMap<Preamble, readonly string[]>();

/**
 * Lists the tokens of each tool definition in this window. They add up to the weight of the tools
 * in the bar; only requests are counted, so each share is an estimate.
 */
export function toolCosts(
  { preamble }: ContextWindow,
  measured: Measurement,
  estimate: Estimate,
  { model, offline }: { readonly model: string; readonly offline: boolean },
): ToolCostsView {
  const total = weightOf(measured, 'tools');
  const shares = apportion(total.tokens, textsOf(preamble).map(estimate));
  const price = offline ? undefined : priceOfModel(model);
  return {
    rows: preamble.tools.map(({ name, provider, description, holds }, index) => ({
      name,
      description,
      kind: callKindOf({ name, input: {} }),
      tokens: shares[index] ?? 0,
      provider,
      ...(holds === undefined ? {} : { holds }),
    })),
    total: preamble.tools.length === 0 ? { tokens: 0, exact: true } : total,
    ...(price === undefined
      ? {}
      : { price: { fromCache: price.cacheRead, anew: price.cacheWrite } }),
  };
}

function textsOf(preamble: Preamble): readonly string[] {
  const known = TEXTS.get(preamble);
  if (known !== undefined) return known;
  const texts = preambleOf(preamble).tools.map((tool) => JSON.stringify(tool));
  TEXTS.set(preamble, texts);
  return texts;
}
