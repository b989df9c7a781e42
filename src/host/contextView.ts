import { isInWindow, type Block, type BlockId } from '../contextWindow/block';
import { blocksInWindow, type ContextWindow, type Refault } from '../contextWindow/contextWindow';
import { labelOf } from '../contextWindow/label';
import { categoryOfBlock, type Balance } from '../contextWindow/ledger';
import { weightOf, type Measurement } from '../contextWindow/measure';
import type { Action, Plan, PolicyName, SalienceFactors } from '../contextWindow/plan';
import { salienceOf } from '../contextWindow/salience';
import type { Estimate } from '../contextWindow/truncate';
import type { BlockView, ContextView, NextView, TravelView } from '../protocol/contextPanel';
import type { Account } from './account';
import { blockReason } from './blockReason';
import { displayState } from './displayState';
import { nameOf, type Inspected } from './inspection/inspected';
import { plannedPass, whyNothing } from './inspection/plannedPass';
import { whatIfSettings } from './inspection/whatIf';
import { passViews, type UsageOfStep } from './passViews';
import { reviewView } from './reviewView';

/** What the Context panel is drawn from. */
export interface ContextFacts {
  readonly inspected: Inspected;
  readonly travel: TravelView;
  /** The window of the moment travelled to. */
  readonly window: ContextWindow;
  readonly account: Account;
  readonly showIntro: boolean;
  readonly estimate: Estimate;
}

/** Draws the Context panel's state: the same window the request is built from. */
export function contextView(facts: ContextFacts): ContextView {
  const { inspected, travel, window, account, estimate } = facts;
  const { source, title, model, offline, inForce, policy, busy, pendingPass } = inspected;
  const isNow = travel.at === 'now';
  const why = whyReadOnly(inspected, travel);
  const problem = inspected.problem ?? (isNow ? whyStuck(window) : undefined);
  const planned = isNow ? plannedPass({ window, account, inForce, policy, estimate }) : undefined;
  const plan =
    planned === undefined || whyNothing(planned.plan) !== undefined ? undefined : planned.plan;
  const { beforeEdits, tokens: afterEdits = 0 } = window.baseline ?? {};
  return {
    session: nameOf(inspected),
    source,
    travel,
    showIntro: facts.showIntro,
    settings: whatIfSettings(inForce.settings.context, policy),
    title,
    model,
    offline,
    windowSource: inForce.windowSource,
    policy,
    compaction: inForce.settings.context.compaction,
    passAbove: passAbove(account.balance, policy),
    turn: window.turn,
    step: window.step,
    busy,
    balance: account.balance,
    blocks: blockViews(window, account.measured, plan),
    passes: passViews(window, usageByStep(inspected)),
    refaults: refaultsOf(window),
    ...(plan === undefined ? {} : { next: nextView(plan) }),
    ...(beforeEdits === undefined || !isNow
      ? {}
      : { apiEdits: { before: beforeEdits, after: afterEdits } }),
    scratchpad: window.scratchpad,
    memory: (window.preamble.memory ?? []).map(({ path, text, chars }) => ({
      path,
      shownChars: text.length,
      chars,
    })),
    ...(pendingPass === undefined || !isNow ? {} : { review: reviewView(pendingPass, estimate) }),
    ...(problem === undefined ? {} : { problem }),
    ...(why === undefined ? {} : { whyReadOnly: why }),
  };
}

/** Why nothing can be changed; undefined where it can. */
export function whyReadOnly(
  { source }: Pick<Inspected, 'source'>,
  { at }: Pick<TravelView, 'at'>,
): string | undefined {
  if (source.type === 'recording') return 'A recording of another agent can be looked at only.';
  return at === 'now' ? undefined : `Step ${at} is past: go back to now to change the window.`;
}

function blockViews(
  window: ContextWindow,
  measured: Measurement,
  plan: Plan | undefined,
): readonly BlockView[] {
  const weights = new Map(
    blocksInWindow(window).map(({ id }) => [id, weightOf(measured, id).tokens] as const),
  );
  const aids: RowAids = {
    salienceOf: salienceOf(window, weights),
    leavesNext: new Map(
      (plan?.decisions ?? []).flatMap(({ blockId, action }) =>
        action === 'keep' ? [] : [[blockId, action] as const],
      ),
    ),
  };
  return window.blocks.map((block) => blockView(window, measured, block, aids));
}

/** What rows show that is worked out for all of them at once. */
interface RowAids {
  readonly salienceOf: ReadonlyMap<BlockId, SalienceFactors>;
  readonly leavesNext: ReadonlyMap<BlockId, Action>;
}

function nextView({ decisions, rungs, before, estimatedAfter }: Plan): NextView {
  return {
    blocks: decisions.filter(({ action }) => action !== 'keep').length,
    freedTokens: before.tokens - estimatedAfter,
    rungs,
  };
}

function usageByStep({ events, recordedUsage }: Inspected): UsageOfStep {
  const replies = new Map(
    events.flatMap((event) =>
      event.type === 'replyReceived' ? [[event.step, event.usage] as const] : [],
    ),
  );
  return (step) => recordedUsage?.get(step) ?? replies.get(step);
}

function blockView(
  window: ContextWindow,
  measured: Measurement,
  block: Block,
  { salienceOf, leavesNext }: RowAids,
): BlockView {
  const salience = salienceOf.get(block.id);
  const next = leavesNext.get(block.id);
  return {
    id: block.id,
    kind: block.kind,
    turn: block.turn,
    label: labelOf(block),
    reason: blockReason(window, block),
    state: displayState(window, block),
    pinned: block.pinned,
    tokens: weightOf(measured, block.id),
    tools: block.kind === 'step' ? block.pairs.map(({ use }) => use.name) : [],
    ...(block.kind === 'step' ? { step: block.step } : {}),
    ...(isInWindow(block) ? { category: categoryOfBlock(window, block) } : {}),
    ...(salience === undefined ? {} : { salience }),
    ...(next === undefined ? {} : { leavesNext: next }),
  };
}

/** The API's own editing begins at the high watermark; a pass is run only where it falls short. */
function passAbove({ highTokens, inputBudget }: Balance, policy: PolicyName): number {
  return policy === 'server' ? inputBudget : highTokens;
}

function refaultsOf({ refaults }: ContextWindow): ContextView['refaults'] {
  const count = (by: Refault['by']) => refaults.filter((refault) => refault.by === by).length;
  return { recalls: count('recall'), reads: count('read'), restores: count('user') };
}

function whyStuck({ lastOutcome }: ContextWindow): string | undefined {
  return lastOutcome?.type === 'contextFull' ? lastOutcome.message : undefined;
}
