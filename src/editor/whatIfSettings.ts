import * as z from 'zod/mini';
import { POLICY_NAMES, type PolicyName } from '../contextWindow/plan';
import { withInForce } from '../settings/modelSettings';
import { withContext } from '../settings/readSettings';
import { budgetOf, type ValidSettings } from '../settings/windowBudget';
import { refused, type Result } from '../contextWindow/result';

/** The other policies of replays only measure, so no session uses them. */
export const TRIED_POLICIES = [...POLICY_NAMES, 'recorded'] as const;

/** The settings that a scratch copy can try, by their names under `plimsoll.context.`. */
export const WHAT_IF = z.strictObject({
  /** Null: the size of the model's window. */
  windowTokens: z.nullable(z.number()),
  /**
   * Below 1 a fraction of the input budget, otherwise tokens; null: automatic. Also for the low
   * one.
   */
  highWatermark: z.nullable(z.number()),
  lowWatermark: z.nullable(z.number()),
  policy: z.enum(TRIED_POLICIES),
  maxMessages: z.number(),
  keepTurns: z.number(),
  keepRecentTurns: z.number(),
  maxHistoryTurns: z.number(),
  excerpts: z.boolean(),
  excerptShare: z.number(),
});

export type WhatIfSettings = Readonly<z.output<typeof WHAT_IF>>;

/**
 * Validates scratch settings as if they were set, each where it applies now: for the model, or for
 * all.
 */
export function tryOut(
  inForce: ValidSettings,
  wished: Omit<WhatIfSettings, 'policy'> & { readonly policy: PolicyName },
): Result<{ readonly valid: ValidSettings }> {
  const { policy, ...context } = wished;
  const { asSet, size } = inForce;
  const named = POLICY_NAMES.find((name) => name === policy);
  const changes = { ...context, ...(named === undefined ? {} : { policy: named }) };
  const parsed = withContext(asSet, withInForce(asSet.context, asSet.model, changes));
  const result = parsed.ok ? budgetOf(parsed.settings, size) : parsed;
  return result.ok ? result : refused(sentence(result.problems));
}

function sentence(problems: readonly { readonly message: string }[]): string {
  return problems.map(({ message }) => message).join(' ');
}
