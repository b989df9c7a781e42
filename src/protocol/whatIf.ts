import type { Balance } from '../contextWindow/account/balance';
import type { Amount, PolicyName, RungGain, Trigger } from '../contextWindow/plan';
import type { DecisionView } from './decisionView';

export { POLICY_NAMES } from '../contextWindow/plan';
export { isWatermark, LEAST_WATERMARK_TOKENS, watermarkTokens } from '../contextWindow/budget';

/** The settings a scratch copy can try, by their names under `plimsoll.context.`. */
export interface WhatIfSettings {
  /** Tokens; null: the size of the model's window. */
  readonly windowTokens: number | null;
  /** Below 1 a fraction of the input budget, else tokens; so is the low one. */
  readonly highWatermark: number;
  readonly lowWatermark: number;
  readonly policy: PolicyName;
  readonly maxMessages: number;
  readonly keepTurns: number;
  readonly maxHistoryTurns: number;
}

/** A plan, drawn before it runs: nothing has changed. */
export interface PlanView {
  readonly trigger: Trigger;
  readonly policy: PolicyName;
  readonly before: Amount;
  /** With each summary at its largest. */
  readonly after: Amount;
  readonly target: number;
  readonly rungs: readonly RungGain[];
  /** What would change. */
  readonly decisions: readonly DecisionView[];
  /** What would stay, each with the reason. */
  readonly kept: readonly DecisionView[];
  /** Why nothing would leave; absent where something would. */
  readonly whyNothing?: string;
}

/** What the scratch settings would come to. */
export type WhatIfView = {
  readonly settings: WhatIfSettings;
  /** Tokens, before any step-down: what watermarks are set in. Absent where the settings do not fit together. */
  readonly inputBudget?: number;
} & (
  | { readonly ok: false; readonly problem: string }
  | {
      readonly ok: true;
      readonly balance: Balance;
      /** Whether a pass would begin before the next step. */
      readonly due: boolean;
      readonly plan: PlanView;
    }
);
