import type { Balance } from '../../../contextWindow/account/balance';
import type { Budget } from '../../../contextWindow/budget';
import type { WhatIfSettings } from '../../whatIfSettings';
import type { RecentTurns } from '../state';
import type { PlanView } from '../ledger/state';
import type { Result } from '../../../contextWindow/result';

export type { WhatIfSettings };

/** The input budget that watermarks are set in, and where they stand, in tokens. */
export type BudgetMarks = Pick<Budget, 'inputBudget' | 'highTokens' | 'lowTokens'>;

/** What the scratch settings would lead to. */
export type WhatIfView = {
  readonly settings: WhatIfSettings;
  /** Tokens, before any step-down. Absent where the settings do not fit together. */
  readonly marks?: BudgetMarks;
} & Result<{
  readonly balance: Balance;
  readonly recent?: RecentTurns;
  /** Whether a pass would begin before the next step. */
  readonly due: boolean;
  readonly plan: PlanView;
  /** Why the window would not fit even after the pass; absent where it would. */
  readonly whyTooFull?: string;
}>;
