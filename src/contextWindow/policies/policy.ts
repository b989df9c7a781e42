import type { Budget } from '../budget';
import type { ContextWindow } from '../contextWindow';
import type { Measurement } from '../measure';
import type { Plan, Trigger } from '../plan';
import type { Estimate } from '../truncate';

/** What a policy looks at; all of it readonly, nothing of it from outside the session. */
export interface PolicyInput {
  readonly window: ContextWindow;
  readonly measured: Measurement;
  readonly budget: Budget;
  readonly trigger: Trigger;
  readonly estimate: Estimate;
  /** False when the owner switched summaries off. */
  readonly compaction: boolean;
}

/** Decides, for every block in the window, whether it stays, and why. */
export type Policy = (input: PolicyInput) => Plan;
