import type { Amount, PolicyName, Trigger } from '../contextWindow/plan';
import type { DecisionView } from './decisionView';

/** A pass as it would apply. */
export interface ReviewView {
  /** Told back with the user's word, so that it is of this draft and no other. */
  readonly draft: number;
  readonly trigger: Trigger;
  readonly policy: PolicyName;
  readonly before: Amount;
  readonly after: Amount;
  readonly target: number;
  readonly highTokens: number;
  /** What would change; kept blocks are left out. */
  readonly decisions: readonly DecisionView[];
  readonly summaries: readonly ProposedSummaryView[];
}

/** A summary that would stand for `covers` blocks, to be read and edited. */
export interface ProposedSummaryView {
  readonly id: string;
  readonly covers: number;
  readonly text: string;
  /** "written by claude-haiku-4-5", or that it is a work note and why. */
  readonly writtenBy: string;
}
