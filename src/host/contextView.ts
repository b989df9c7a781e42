import { isInWindow, type Block } from '../contextWindow/block';
import type { ContextWindow } from '../contextWindow/contextWindow';
import { labelOf } from '../contextWindow/label';
import { categoryOfBlock, type Balance } from '../contextWindow/ledger';
import { weightOf, type Measurement } from '../contextWindow/measure';
import type { PolicyName } from '../contextWindow/plan';
import type { Estimate } from '../contextWindow/truncate';
import type { BlockView, ContextView } from '../protocol/contextPanel';
import type { Account } from './account';
import { blockReason } from './blockReason';
import { modelName } from './modelName';
import type { PendingPass } from './passDesk';
import { passViews } from './passViews';
import { reviewView } from './reviewView';
import { sessionTitle } from './sessionTitle';
import type { ValidSettings } from './windowBudget';

/** What the Context panel is drawn from. */
export interface ContextFacts {
  readonly window: ContextWindow;
  readonly account: Account;
  readonly inForce: ValidSettings;
  readonly busy: boolean;
  /** The pass that waits for the user's word. */
  readonly pendingPass: PendingPass | undefined;
  readonly estimate: Estimate;
  /** What is wrong with the settings. */
  readonly problem: string | undefined;
}

/** Draws the Context panel's state: the same window the next request is built from. */
export function contextView(facts: ContextFacts): ContextView {
  const { window, account, inForce, busy, pendingPass, estimate } = facts;
  const { policy, compaction } = inForce.settings.context;
  const problem = facts.problem ?? whyStuck(window);
  return {
    title: sessionTitle(window),
    model: modelName(inForce.settings),
    offline: inForce.settings.provider === 'offline',
    windowSource: inForce.windowSource,
    policy,
    compaction,
    passAbove: passAbove(account.balance, policy),
    turn: window.turn,
    step: window.step,
    busy,
    balance: account.balance,
    blocks: window.blocks.map((block) => blockView(window, account.measured, block)),
    passes: passViews(window),
    refaults: refaultsOf(window),
    memory: (window.preamble.memory ?? []).map(({ path, text, chars }) => ({
      path,
      shownChars: text.length,
      chars,
    })),
    ...(pendingPass === undefined ? {} : { review: reviewView(pendingPass, estimate) }),
    ...(problem === undefined ? {} : { problem }),
  };
}

function blockView(window: ContextWindow, measured: Measurement, block: Block): BlockView {
  return {
    id: block.id,
    kind: block.kind,
    turn: block.turn,
    label: labelOf(block),
    reason: blockReason(window, block),
    state: block.state,
    pinned: block.pinned,
    tokens: weightOf(measured, block.id),
    tools: block.kind === 'step' ? block.pairs.map(({ use }) => use.name) : [],
    ...(block.kind === 'step' ? { step: block.step } : {}),
    ...(isInWindow(block) ? { category: categoryOfBlock(window, block) } : {}),
  };
}

/** The API's own editing begins at the high watermark; a pass is run only where it falls short. */
function passAbove({ highTokens, inputBudget }: Balance, policy: PolicyName): number {
  return policy === 'server' ? inputBudget : highTokens;
}

function refaultsOf({ refaults }: ContextWindow): ContextView['refaults'] {
  const recalls = refaults.filter(({ by }) => by === 'recall').length;
  return { recalls, reads: refaults.length - recalls };
}

function whyStuck({ lastOutcome }: ContextWindow): string | undefined {
  return lastOutcome?.type === 'contextFull' ? lastOutcome.message : undefined;
}
