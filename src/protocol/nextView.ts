import type { RungGain } from '../contextWindow/plan';

/** What goes next, or why nobody can say. */
export type NextView =
  /** What would leave if a pass ran now. */
  | ({ readonly type: 'planned' } & LeavingView)
  /** A pass would run and take nothing, or find nothing worth its price. */
  | { readonly type: 'nothing' }
  /** At a past step: what left by the passes that ran right after it, seldom more than one. */
  | ({ readonly type: 'ran'; readonly passes: readonly number[] } & LeavingView)
  /** Told in a moment: of a long window everything else is told first. */
  | { readonly type: 'workingOut' }
  /** `why` is a sentence. */
  | { readonly type: 'notWorkedOut'; readonly why: string };

/** What leaves by one pass. */
export interface LeavingView {
  readonly blocks: number;
  readonly freedTokens: number;
  readonly rungs: readonly RungGain[];
}
