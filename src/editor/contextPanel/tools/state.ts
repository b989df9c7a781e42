import type { CallKind } from '../../../contextWindow/callEffect';
import type { Amount } from '../../../contextWindow/plan';

/** The tokens of the tool definitions in every request. */
export interface ToolCostsView {
  /** In the order of the request. */
  readonly rows: readonly ToolCostView[];
  /** The sum of the rows: the weight of the tools in the bar. */
  readonly total: Amount;
  /** US dollars per million tokens; absent if unknown, and offline. */
  readonly price?: {
    /** For tokens read from the prompt cache. */
    readonly fromCache: number;
    /** For tokens written to it. */
    readonly anew: number;
  };
}

/** One tool as described to the model. */
export interface ToolCostView {
  readonly name: string;
  readonly description: string;
  /** Its kind of work, as its icon shows. */
  readonly kind: CallKind;
  /** Estimated: a share of all definitions. */
  readonly tokens: number;
  /** Its provider; absent for one of the agent's own. */
  readonly provider?: string;
  /** The tools that the model calls through it. */
  readonly holds?: readonly string[];
}
