import { isInWindow, type Block } from '../contextWindow/block';
import type { ContextWindow } from '../contextWindow/contextWindow';
import { labelOf } from '../contextWindow/label';
import { categoryOfBlock } from '../contextWindow/ledger';
import { weightOf, type Measurement } from '../contextWindow/measure';
import type { BlockView, ContextView } from '../protocol/contextPanel';
import type { Account } from './account';
import { blockReason } from './blockReason';
import { modelName } from './modelName';
import { passViews } from './passViews';
import { sessionTitle } from './sessionTitle';
import type { ValidSettings } from './windowBudget';

/** What the Context panel is drawn from. */
export interface ContextFacts {
  readonly window: ContextWindow;
  readonly account: Account;
  readonly inForce: ValidSettings;
  readonly busy: boolean;
  /** What is wrong with the settings. */
  readonly problem: string | undefined;
}

/** Draws the Context panel's state: the same window the next request is built from. */
export function contextView(facts: ContextFacts): ContextView {
  const { window, account, inForce, busy } = facts;
  const problem = facts.problem ?? whyStuck(window);
  return {
    title: sessionTitle(window),
    model: modelName(inForce.settings),
    offline: inForce.settings.provider === 'offline',
    windowSource: inForce.windowSource,
    policy: 'ladder',
    turn: window.turn,
    step: window.step,
    busy,
    balance: account.balance,
    blocks: window.blocks.map((block) => blockView(window, account.measured, block)),
    passes: passViews(window),
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

function whyStuck({ lastOutcome }: ContextWindow): string | undefined {
  return lastOutcome?.type === 'contextFull' ? lastOutcome.message : undefined;
}
