import * as z from 'zod/mini';
import type { Balance } from '../../../contextWindow/account/balance';
import type { Budget } from '../../../contextWindow/budget';
import { POLICY_NAMES } from '../../../contextWindow/plan';
import type { RecentTurns } from '../bar/state';
import type { PlanView } from '../ledger/state';
import type { Result } from '../../../contextWindow/result';

/** The other policies of replays only measure, so no session is shown under them. */
export const TRIED_POLICIES = [...POLICY_NAMES, 'recorded'] as const;

/** The settings a scratch copy can try, by their names under `plimsoll.context.`. */
export const WHAT_IF = z.strictObject({
  /** Tokens; null: the size of the model's window. */
  windowTokens: z.nullable(z.number()),
  /** Below 1 a fraction of the input budget, else tokens; null: automatic. The same for the low one. */
  highWatermark: z.nullable(z.number()),
  lowWatermark: z.nullable(z.number()),
  policy: z.enum(TRIED_POLICIES),
  maxMessages: z.number(),
  keepTurns: z.number(),
  keepRecentTurns: z.number(),
  maxHistoryTurns: z.number(),
  excerpts: z.boolean(),
  /** A fraction of the low watermark. */
  excerptShare: z.number(),
});

export type WhatIfSettings = Readonly<z.output<typeof WHAT_IF>>;

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
