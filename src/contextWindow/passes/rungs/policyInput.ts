import type { BlockId } from '../../block';
import { type Budget, effectiveBudget } from '../../budget';
import type { ContextWindow } from '../../window';
import type { ColdCache } from '../../account/promptCache';
import { measure, type Measurement } from '../../account/measure';
import type { Plan, POLICY_NAMES, UndonePrompt, Trigger } from '../../plan';
import type { Estimate } from '../../truncate';
import type { WrittenSummary } from './summary';
import type { FileModel } from '../../files/knownFile';

/** The settings of policies; each policy reads its own. */
export interface PolicySettings {
  readonly policy: (typeof POLICY_NAMES)[number];
  /**
   * `slidingWindow` keeps this many of the newest messages; `headTail` too, with the head among
   * them.
   */
  readonly maxMessages: number;
  /** `lastTurns` keeps this many of the newest turns. */
  readonly keepTurns: number;
  /** `ladder`, `summarise` and the limit on turns keep this many of the newest turns verbatim. */
  readonly keepRecentTurns: number;
  /** Under any policy the window holds at most this many turns; 0 for no limit. */
  readonly maxHistoryTurns: number;
  /** False when summaries are off. */
  readonly summaries: boolean;
  /** Most tokens of one summary; by default a share of the input budget. */
  readonly summaryTokens?: number;
  /**
   * `ladder` shows excerpts at each pass at most until the window is full to this share of the
   * target; absent for none.
   */
  readonly excerptShare?: number;
}

/** The facts of a session for planning a pass or a change by hand. */
export interface PolicyFacts {
  readonly window: ContextWindow;
  readonly measured: Measurement;
  /** The current budget. */
  readonly budget: Budget;
  readonly estimate: Estimate;
  readonly settings: PolicySettings;
}

/** What a policy looks at: readonly, and nothing from outside the session. */
export interface PolicyInput extends PolicyFacts {
  readonly trigger: Trigger;
  /** Blocks that the user spared: this pass keeps them. */
  readonly spared?: ReadonlySet<BlockId>;
  /** Turns that will have begun when the pass runs, if a summary is written ahead. */
  readonly turnsToCome?: number;
  /** The lost part of the prompt cache; absent while it is warm. */
  readonly cold?: ColdCache;
  /** A summary written ahead. */
  readonly prepared?: WrittenSummary;
  /** How much each block matters, 0..1, if a model rated them; replaces the computed salience. */
  readonly ratings?: ReadonlyMap<BlockId, number>;
  /** The files as they are now; by default as in the log. */
  readonly files?: FileModel;
  /** The prompt that the user undoes; absent in a pass of a policy. */
  readonly undonePrompt?: UndonePrompt;
}

/**
 * Gathers the facts; `budget` is the one in the settings, which an overflow may have lowered since.
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

/** Decides for every block in the window whether it stays, and why. */
export type Policy = (input: PolicyInput) => Plan;

/** Tokens above which a pass starts; `server` needs one only if the API leaves too much. */
export function passStart(budget: Budget, { policy }: PolicySettings): number {
  return policy === 'server' ? budget.inputBudget : budget.highTokens;
}
