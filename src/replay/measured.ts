import type { PolicyAction, Trigger } from '../contextWindow/plan';
import type { Totals } from './tally';

/** How often a pass did what; what it kept is not counted. */
export type ActionCounts = Readonly<Record<PolicyAction, number>>;

/** One pass in numbers; tokens are estimates. */
export interface PassReport {
  readonly trigger: Trigger;
  readonly before: number;
  /** The pass stops at or below this. */
  readonly target: number;
  readonly after: number;
  readonly actions: ActionCounts;
}

/** The numbers of one replay. */
export interface Measured extends Totals {
  readonly passes: readonly PassReport[];
}
