import type { CallKind } from '../../../contextWindow/callEffect';
import type { Amount } from '../../../contextWindow/plan';

/** What the definitions of the tools take of every request. */
export interface ToolCostsView {
  /** In the order of the request. */
  readonly rows: readonly ToolCostView[];
  /** What the rows add up to: the weight of the tools in the map. */
  readonly total: Amount;
  /** US dollars per million tokens; absent where nobody says, and offline. */
  readonly price?: {
    /** Where the prompt cache has the tokens. */
    readonly fromCache: number;
    /** Where they are written into it. */
    readonly anew: number;
  };
}

/** One tool as it is described to the model. */
export interface ToolCostView {
  readonly name: string;
  readonly description: string;
  /** What it is for, as its icon says it. */
  readonly kind: CallKind;
  /** Estimated: a share of what all of them take. */
  readonly tokens: number;
  /** Who provides it; absent for one of the agent's own. */
  readonly provider?: string;
}
