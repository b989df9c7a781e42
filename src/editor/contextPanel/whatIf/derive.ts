import type { ContextSettings } from '../../../settings/settings';
import { heaviestText } from '../../../contextWindow/account/balance';
import { type PolicyName, POLICY_NAMES } from '../../../contextWindow/plan';
import type { Estimate } from '../../../contextWindow/truncate';
import type { PlanView } from '../ledger/state';
import { TRIED_POLICIES, tryOut } from '../../whatIfSettings';
import type { WhatIfSettings, WhatIfView } from './state';
import { amountText, tokenText } from '../../../contextWindow/amount';
import { type Account, accountOf } from '../../session/derive';
import { recentTurns } from '../bar/derive';
import type { ValidSettings } from '../../../settings/windowBudget';
import type { ContextWindow } from '../../../contextWindow/window';
import { plannedPass, planView, type PlannedPass } from '../ledger/nextPass';
import type { Refusal, Result } from '../../../contextWindow/result';
import type { FileModel } from '../../../contextWindow/files/knownFile';

/** The settings a scratch copy begins with. */
export function whatIfSettings(context: ContextSettings, policy: PolicyName): WhatIfSettings {
  const { windowTokens, highWatermark, lowWatermark } = context;
  const { maxMessages, keepTurns, keepRecentTurns, maxHistoryTurns } = context;
  const { excerpts, excerptShare } = context;
  return {
    windowTokens,
    highWatermark,
    lowWatermark,
    // A stored replay may have run under a policy that only measures.
    policy: TRIED_POLICIES.find((name) => name === policy) ?? context.policy,
    maxMessages,
    keepTurns,
    keepRecentTurns,
    maxHistoryTurns,
    excerpts,
    excerptShare,
  };
}

/** What scratch settings lead to, before it is drawn; no plan under a policy that only replays know. */
interface TriedPlan {
  readonly valid: ValidSettings;
  readonly account: Account;
  readonly planned: PlannedPass | undefined;
}

/** Plans under other settings, which change nothing; `files` as for a preview. */
export function triedPlan(
  window: ContextWindow,
  inForce: ValidSettings,
  wished: WhatIfSettings,
  estimate: Estimate,
  files: FileModel | undefined,
): Result<TriedPlan> {
  const tried = tryOut(inForce, wished);
  if (!tried.ok) return tried;
  const { valid } = tried;
  // A step-down was forced under the window setting of that time; another setting means another
  // window.
  const account = accountOf(window, valid.budget, estimate);
  const { policy } = wished;
  const facts = { window, account, inForce: valid, policy, estimate };
  const planned = plannedPass({ ...facts, files });
  return { ok: true, valid, account, planned };
}

/** Draws what scratch settings lead to. */
export function whatIfView(
  tried: Result<TriedPlan>,
  window: ContextWindow,
  wished: WhatIfSettings,
): WhatIfView {
  if (!tried.ok) return { ...tried, settings: wished };
  const { account, planned } = tried;
  const { inputBudget, highTokens, lowTokens } = tried.valid.budget;
  const marks = { inputBudget, highTokens, lowTokens };
  if (planned === undefined) {
    return { ok: false, settings: wished, marks, message: onlyReplayed(wished.policy) };
  }
  const plan = planView(planned, window.fileChoices);
  const why = whyTooFull(plan, account);
  return {
    ok: true,
    settings: wished,
    marks,
    balance: account.balance,
    recent: recentTurns(window, account.measured, wished),
    due: planned.due !== undefined,
    plan,
    whyTooFull: why,
  };
}

/** Says why scratch settings cannot be those of a session; undefined where they can. */
export function whyNotInForce(inForce: ValidSettings, wished: WhatIfSettings): Refusal {
  const tried = tryOut(inForce, wished);
  if (!tried.ok) return tried.message;
  const { policy } = wished;
  return POLICY_NAMES.some((name) => name === policy) ? undefined : onlyReplayed(policy);
}

function onlyReplayed(policy: WhatIfSettings['policy']): string {
  return `${policy} exists only in replays: apply it to see what it would have done.`;
}

/** Says what would not leave, where the window would exceed the input budget all the same. */
function whyTooFull({ after, kept }: PlanView, { balance }: Account): string | undefined {
  const { inputBudget, categories } = balance;
  if (after.tokens <= inputBudget) return undefined;
  const parts = [
    { label: 'tool definitions', tokens: categories.tools, exact: false },
    { label: 'system prompt', tokens: categories.system, exact: false },
    ...kept.map(({ label, after: { tokens } }) => ({ label, tokens, exact: false })),
  ];
  return (
    `It would still not fit: after a pass ${amountText(after)} tokens would stay, and the input ` +
    `budget would be ${tokenText(inputBudget)}. ${heaviestText(parts)}`
  );
}
