import type { ContextWindow } from '../window';
import type { CachePrice, Decision, Pass, Plan, Summary, UndonePrompt } from '../plan';
import { shownScratchpadText, textShownAfter } from '../request/placeholder';
import { nextOrdinal } from './passName';
import { summaryTokens } from './rungs/summary';
import type { Estimate } from '../truncate';

/** Price of writing a token to the cache, relative to an uncached one; the same for every model. */
const CACHE_WRITE = 1.25;

/**
 * Completes a plan with the summaries written for it, to a pass that is ready for the log.
 * `cacheRead` is the price of a cached token as a share of an uncached one.
 */
export function pricePass(
  plan: Plan,
  summaries: readonly Summary[],
  window: ContextWindow,
  estimate: Estimate,
  cacheRead: number,
): Pass {
  const capped = plan.summaries.reduce((sum, job) => sum + job.maxTokens, 0);
  const written = summaries.reduce(
    (sum, summary) => sum + summaryTokens(summary, window, estimate),
    0,
  );
  const afterTokens = plan.estimatedAfter - capped + written;
  return {
    // Not the length of the ledger: a pass whose line in the log was lost keeps its number.
    number: Math.max(0, ...window.ledger.map(({ pass }) => pass.number)) + 1,
    ordinal: nextOrdinal(
      window.ledger.map(({ pass }) => pass),
      plan,
    ),
    beforeStep: window.step + 1,
    trigger: plan.trigger,
    policy: plan.policy,
    budget: plan.budget,
    before: plan.before,
    after: { tokens: afterTokens, exact: false },
    target: plan.target,
    decisions: plan.decisions.map((decision) => nameSummary(decision, summaries)),
    besides: {
      summaries: written,
      scratchpad: plan.scratchpadGrowth,
      gapLines: plan.gapGrowth,
      ...(plan.view === undefined ? {} : { view: plan.view.tokens }),
    },
    summaries,
    ...(plan.view === undefined ? {} : { view: plan.view }),
    cache: cachePrice(plan, window, {
      freedTokens: plan.before.tokens - afterTokens,
      newTokens:
        written +
        (plan.view?.tokens ?? 0) +
        shownAnew(window, estimate, plan.undonePrompt) +
        Math.max(0, plan.gapGrowth),
      cacheRead,
    }),
    ...(plan.undonePrompt === undefined ? {} : { undonePrompt: plan.undonePrompt }),
  };
}

function nameSummary(decision: Decision, summaries: readonly Summary[]): Decision {
  const summary = summaries.find(({ id }) => id === decision.summaryId);
  if (summary === undefined) return decision;
  const by =
    summary.writtenBy.by === 'model'
      ? `a summary written by ${summary.writtenBy.model}`
      : `a work note (${summary.writtenBy.because})`;
  const edited = summary.editedByUser === true ? ', edited by you' : '';
  const what =
    decision.rule === 'recorded' ? 'The recorded agent replaced it by a summary' : decision.reason;
  return { ...decision, reason: what.replace(' by a summary', ` by ${by}${edited}`) };
}

/** Tokens of the scratchpad where the pass shows another than the last one did; else it stays cached. */
function shownAnew(
  window: ContextWindow,
  estimate: Estimate,
  undonePrompt: UndonePrompt | undefined,
): number {
  const text = textShownAfter(window, undonePrompt);
  return text === '' || text === window.shownScratchpad ? 0 : estimate(shownScratchpadText(text));
}

/**
 * Prices the lost prefix. Evicting d tokens in front of a kept suffix of s tokens breaks even after
 * s (1.25 - r) / (d r) later requests, r being the cache-read price ratio. What the pass itself
 * brings in, summaries, the scratchpad and gap lines, is written to the cache like the suffix.
 */
function cachePrice(
  plan: Plan,
  window: ContextWindow,
  {
    freedTokens,
    newTokens,
    cacheRead,
  }: { readonly freedTokens: number; readonly newTokens: number; readonly cacheRead: number },
): CachePrice {
  const { decisions } = plan;
  const changed = decisions.findIndex(({ action }) => action !== 'keep');
  // A scratchpad that is shown again stands right behind the anchor.
  const behindAnchor = decisions[0]?.rule === 'keep:anchor' ? 1 : 0;
  const first =
    window.shownScratchpad === textShownAfter(window, plan.undonePrompt) ? changed : behindAnchor;
  const rewrittenTokens = decisions
    .slice(first)
    .reduce((sum, { after }) => sum + after.tokens, newTokens);
  const breakEven =
    freedTokens <= 0
      ? null
      : Math.ceil((rewrittenTokens * (CACHE_WRITE - cacheRead)) / (freedTokens * cacheRead));
  return { rewrittenTokens, freedTokens, breakEvenRequests: breakEven };
}
