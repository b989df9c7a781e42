import type { BlockId } from '../contextWindow/block';
import type { Plan, Summary } from '../contextWindow/plan';

/** A pass as it would apply: what is decided, and the summaries written for it. */
export interface PassDraft {
  readonly plan: Plan;
  readonly summaries: readonly Summary[];
}

/** The user's word on a pass. */
export type PassReview =
  | {
      readonly type: 'apply';
      /** Blocks to leave alone: the pass is planned anew around them. */
      readonly spared: readonly BlockId[];
      /** Summaries as the user edited them, by id; those not named stand. */
      readonly summaries: Readonly<Record<string, string>>;
    }
  | { readonly type: 'postpone' };

/** Asks the user about a pass; settles with `postpone` when the signal aborts. */
export type ReviewPass = (draft: PassDraft, signal: AbortSignal) => Promise<PassReview>;
