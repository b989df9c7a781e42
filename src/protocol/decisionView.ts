import type { Action, Amount, SalienceFactors } from '../contextWindow/plan';

/** What was decided for one block, and why. */
export interface DecisionView {
  readonly blockId: string;
  readonly label: string;
  readonly action: Action;
  readonly reason: string;
  readonly before: Amount;
  readonly after: Amount;
  readonly salience?: SalienceFactors;
}
