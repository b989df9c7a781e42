import type { ContextSettings } from '../settings/settings';
import { type PolicyName, POLICY_NAMES } from '../contextWindow/plan';
import type { Estimate } from '../contextWindow/truncate';
import type { PlanView } from '../protocol/passView';
import type { WhatIfSettings, WhatIfView } from '../protocol/whatIf';
import { amountText, tokenText } from '../contextWindow/amountText';
import { accountOf, type Account } from './account';
import { withInForce } from '../settings/modelSettings';
import { withContext } from '../settings/readSettings';
import { budgetOf, type ValidSettings } from '../settings/windowBudget';
import type { ContextWindow } from '../contextWindow/contextWindow';
import { plannedPass, planView } from './nextPass';
import { refused, type Result } from '../contextWindow/result';

/** The settings a scratch copy begins with. */
export function whatIfSettings(context: ContextSettings, policy: PolicyName): WhatIfSettings {
  const { windowTokens, highWatermark, lowWatermark } = context;
  const { maxMessages, keepTurns, keepRecentTurns, maxHistoryTurns } = context;
  const { fileViews, fileViewShare } = context;
  return {
    windowTokens,
    highWatermark,
    lowWatermark,
    policy,
    maxMessages,
    keepTurns,
    keepRecentTurns,
    maxHistoryTurns,
    fileViews,
    fileViewShare,
  };
}

/**
 * Works out what other settings would lead to for a window; the window and the settings stay as
 * they are.
 */
export function whatIf(
  window: ContextWindow,
  inForce: ValidSettings,
  wished: WhatIfSettings,
  estimate: Estimate,
): WhatIfView {
  const tried = tryOut(inForce, wished);
  if (!tried.ok) return { ...tried, settings: wished };
  const { inputBudget, highTokens, lowTokens } = tried.valid.budget;
  const marks = { inputBudget, highTokens, lowTokens };
  // A step-down was forced under the window setting of that time; another setting means another
  // window.
  const account = accountOf(window, tried.valid.budget, estimate);
  const { policy } = wished;
  const planned = plannedPass({ window, account, inForce: tried.valid, policy, estimate });
  if (planned === undefined) {
    const message = `${policy} exists only in replays: apply it to see what it would have done.`;
    return { ok: false, settings: wished, marks, message };
  }
  const plan = planView(planned, window.fileChoices);
  const why = whyTooFull(plan, account);
  return {
    ok: true,
    settings: wished,
    marks,
    balance: account.balance,
    due: planned.due !== undefined,
    plan,
    ...(why === undefined ? {} : { whyTooFull: why }),
  };
}

/** How many of the heaviest blocks are named. */
const NAMED = 3;

/** Says what would not leave, where the window would exceed the input budget all the same. */
function whyTooFull({ after, kept }: PlanView, { balance }: Account): string | undefined {
  const { inputBudget, categories } = balance;
  if (after.tokens <= inputBudget) return undefined;
  const parts = [
    { label: 'tools', tokens: categories.tools },
    { label: 'system prompt', tokens: categories.system },
    ...kept.map(({ label, after: { tokens } }) => ({ label, tokens })),
  ];
  const heaviest = parts
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, NAMED)
    .map(({ label, tokens }) => `${label} ${amountText({ tokens, exact: false })}`);
  return (
    `It would still not fit: after a pass ${amountText(after)} tokens would stay, and the input ` +
    `budget would be ${tokenText(inputBudget)}. Heaviest of what stays: ${heaviest.join(', ')}.`
  );
}

/**
 * Checks scratch settings as if they were set, each where it counts now: for the model, or for all.
 */
export function tryOut(
  inForce: ValidSettings,
  wished: WhatIfSettings,
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
