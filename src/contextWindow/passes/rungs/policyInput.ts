import type { BlockId } from '../../block';
import { type Budget, effectiveBudget } from '../../budget';
import type { ContextWindow } from '../../window';
import { measure, type Measurement } from '../../account/measure';
import type { Plan, POLICY_NAMES, UndonePrompt, Trigger } from '../../plan';
import type { Estimate } from '../../truncate';
import type { WrittenSummary } from './summary';
import type { FileModel } from '../../files/knownFile';

/** The settings for policies; each policy reads what concerns it. */
export interface PolicySettings {
  readonly policy: (typeof POLICY_NAMES)[number];
  /** `slidingWindow` keeps this many of the newest messages; `headTail` too, the head among them. */
  readonly maxMessages: number;
  /** `lastTurns` keeps this many of the newest turns. */
  readonly keepTurns: number;
  /** `ladder`, `compact` and the cap on turns keep so many of the newest turns as they are. */
  readonly keepRecentTurns: number;
  /** Under any policy the window holds no more turns than this; 0 for no cap. */
  readonly maxHistoryTurns: number;
  /** False when summaries are off. */
  readonly summaries: boolean;
  /** Most tokens of one summary; absent: a share of the input budget. */
  readonly summaryTokens?: number;
  /**
   * At each pass `ladder` shows the files in work, until the window is full to this share of what the
   * pass aims at; absent to show none.
   */
  readonly excerptShare?: number;
}

/** What is known of a session whenever a pass, or a change by hand, is planned. */
export interface PolicyFacts {
  readonly window: ContextWindow;
  readonly measured: Measurement;
  /** The budget in force. */
  readonly budget: Budget;
  readonly estimate: Estimate;
  readonly settings: PolicySettings;
}

/** What a policy looks at: readonly, and nothing from outside the session. */
export interface PolicyInput extends PolicyFacts {
  readonly trigger: Trigger;
  /** Blocks the user took out of the plan: this pass leaves them alone. */
  readonly spared?: ReadonlySet<BlockId>;
  /** Turns that will have begun when the pass runs: a summary is written ahead for that moment. */
  readonly turnsToCome?: number;
  /** A summary that was written ahead. */
  readonly prepared?: WrittenSummary;
  /**
   * How much each block matters, 0..1, where a model was asked; it replaces the computed salience.
   */
  readonly ratings?: ReadonlyMap<BlockId, number>;
  /** The files as they are now; absent: as the log has them. */
  readonly files?: FileModel;
  /** What the user takes back; absent in a pass that a policy decides. */
  readonly undonePrompt?: UndonePrompt;
}

/**
 * Gathers the facts; `budget` is that of the settings, which an overflow may have lowered since.
 */
export function policyFacts({
  window,
  budget,
  estimate,
  settings,
  measured = measure(window, estimate),
}: Omit<PolicyFacts, 'measured'> & { readonly measured?: Measurement }): PolicyFacts {
  return { window, measured, budget: effectiveBudget(window, budget), estimate, settings };
}

/** Decides, for every block in the window, whether it stays, and why. */
export type Policy = (input: PolicyInput) => Plan;

/** Tokens above which a pass starts; the API's own editing needs one only where it falls short. */
export function passStart(budget: Budget, { policy }: PolicySettings): number {
  return policy === 'server' ? budget.inputBudget : budget.highTokens;
}
