import {
  type PolicyName,
  type Plan,
  type Trigger,
  changesWindow,
  POLICY_NAMES,
  type Decision,
  type Pass,
} from '../../../contextWindow/plan';
import type { ContextWindow } from '../../../contextWindow/window';
import { policyFacts, type PolicySettings } from '../../../contextWindow/passes/rungs/policyInput';
import { planPass } from '../../../contextWindow/passes/policies/policies';
import { reachOf, reachText } from '../../../contextWindow/passes/reach';
import { rungGains } from '../../../contextWindow/passes/rungGains';
import { dueTrigger, isWorthwhile } from '../../../contextWindow/passes/pipeline';
import type { Estimate } from '../../../contextWindow/truncate';
import type { FileChoices } from '../../../contextWindow/files/fileChoices';
import type { PlanView, LeavingBlockView, LeavingView, NextView } from './state';
import type { Account } from '../../session/derive';
import { decisionView } from './derive';
import { excerptsView } from '../files/derive';
import { policySettings as policySettingsOf } from '../../../settings/turnSettings';
import type { ContextSettings } from '../../../settings/settings';
import type { ValidSettings } from '../../../settings/windowBudget';
import type { FileModel } from '../../../contextWindow/files/knownFile';

/** Inputs for planning a pass. */
export interface PlanFacts {
  readonly window: ContextWindow;
  readonly account: Account;
  readonly inForce: ValidSettings;
  readonly policy: PolicyName;
  readonly estimate: Estimate;
  /** The files as they are now; absent: as in the log. */
  readonly files?: FileModel;
}

/** A plan that has not run, and what would have triggered it. */
export interface PlannedPass {
  readonly plan: Plan;
  /** Why a pass would run before the next step; undefined if none would. */
  readonly due: Trigger | undefined;
  /** It shows the files from the log instead of from disk. */
  readonly filesByLog: boolean;
}

/**
 * Plans the pass that would run next under the current policy: the due one, otherwise Compact Now,
 * or one with this `trigger`. It would remove exactly what is shown. Undefined for a policy that
 * exists only in replays.
 */
export function plannedPass(facts: PlanFacts, trigger?: Trigger): PlannedPass | undefined {
  const { window, account, inForce, estimate, files } = facts;
  const settings = policySettings(facts);
  if (settings === undefined) return undefined;
  const { measured } = account;
  const now = policyFacts({ window, measured, budget: inForce.budget, estimate, settings });
  const due = dueTrigger(now);
  const asNow = files === undefined ? {} : { files };
  const plan = planPass({ ...now, ...asNow, trigger: trigger ?? due ?? 'manual' });
  return { plan, due, filesByLog: files === undefined };
}

function policySettings({ inForce, policy }: PlanFacts): PolicySettings | undefined {
  const named = POLICY_NAMES.find((name) => name === policy);
  return named === undefined
    ? undefined
    : { ...policySettingsOf(inForce.settings.context), policy: named };
}

/** Says whether the passes of a policy show excerpts under these settings. */
export function showsFilesUnder(context: ContextSettings, policy: PolicyName): boolean {
  return policy === 'ladder' && policySettingsOf(context).excerptShare !== undefined;
}

/** Draws a plan; this changes nothing. `choices` are the user's choices about files. */
export function planView({ plan, filesByLog }: PlannedPass, choices: FileChoices): PlanView {
  const { trigger, policy, before, target, decisions, estimatedAfter } = plan;
  const why = whyNothing(plan);
  return {
    trigger,
    policy,
    before,
    after: why === undefined ? { tokens: estimatedAfter, exact: false } : before,
    reach: why === undefined ? reachText(reachOf(plan, estimatedAfter), 'plan') : '',
    target,
    rungs: why === undefined ? rungGains(plan) : [],
    decisions: why === undefined ? decisions.filter(isChange).map(decisionView) : [],
    kept: decisions.filter((decision) => !isChange(decision)).map(decisionView),
    ...(why !== undefined || plan.excerpts === undefined
      ? {}
      : { shows: excerptsView(plan.excerpts, choices), ...(filesByLog ? { filesByLog } : {}) }),
    whyNothing: why,
  };
}

/** Says why a plan would not run; undefined if it would. */
function whyNothing(plan: Plan): string | undefined {
  if (isWorthwhile(plan)) return undefined;
  return changesWindow(plan)
    ? 'Nothing would be removed: a pass would free too little to be worth the lost prompt cache.'
    : 'Nothing would be removed: the remaining blocks must stay, or removing them would free nothing.';
}

function isChange({ action }: Plan['decisions'][number]): boolean {
  return action !== 'keep';
}

/** Draws what a pass would remove now; a policy that exists only in replays has no plan. */
export function plannedNext(plan: Plan | undefined, policy: PolicyName): NextView {
  if (plan === undefined) {
    const message = `The policy ${policy} exists only in replays. It plans nothing ahead.`;
    return { type: 'notWorkedOut', message };
  }
  if (whyNothing(plan) !== undefined) return { type: 'nothing' };
  const { before, estimatedAfter } = plan;
  return {
    type: 'planned',
    due: plan.trigger !== 'manual',
    afterTokens: estimatedAfter,
    ...leaving(plan.decisions, before.tokens - estimatedAfter),
  };
}

/** Draws what was removed right after a past step; this is known only if a pass ran there. */
export function ranNext(ran: readonly Pass[]): NextView {
  if (ran.length === 0) return { type: 'notWorkedOut', message: NONE_RAN };
  const freed = ran.reduce((sum, { cache }) => sum + cache.freedTokens, 0);
  return {
    type: 'ran',
    passes: ran.map(({ number }) => number),
    ...leaving(lastDecisions(ran), freed),
  };
}

/** The final effect of several passes on each block. */
export function lastDecisions(passes: readonly Pass[]): readonly Decision[] {
  const changes = passes.flatMap(({ decisions }) => decisions.filter(isChange));
  return [...new Map(changes.map((decision) => [decision.blockId, decision])).values()];
}

const NONE_RAN = 'No pass ran right after this step, so it is unknown what one would have removed.';

/** The passes between a step and the next that were not undone; changes by hand freed nothing. */
export function passesAfter({ ledger }: ContextWindow, step: number): readonly Pass[] {
  return ledger
    .filter(({ undone }) => undone !== true)
    .map(({ pass }) => pass)
    .filter(({ beforeStep, trigger }) => beforeStep === step + 1 && trigger !== 'byHand');
}

function leaving(decisions: readonly Decision[], freedTokens: number): LeavingView {
  const changes = decisions.filter(isChange);
  return {
    blocks: changes.length,
    shortens: changes.some(({ action }) => action === 'trim' || action === 'truncate'),
    freedTokens,
    largest: changes.map(leavingBlock).toSorted(byTokens).slice(0, LARGEST),
  };
}

/** How many of the blocks that leave are named. */
const LARGEST = 3;

function leavingBlock({ blockId, label, before, after }: Decision): LeavingBlockView {
  const tokens = { tokens: before.tokens - after.tokens, exact: before.exact && after.exact };
  return { blockId, label, tokens };
}

function byTokens(one: LeavingBlockView, other: LeavingBlockView): number {
  return other.tokens.tokens - one.tokens.tokens;
}
