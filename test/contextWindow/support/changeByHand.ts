import type { BlockId } from '../../../src/contextWindow/block';
import type { ContextWindow } from '../../../src/contextWindow/window';
import type { NewEvent } from '../../../src/contextWindow/event';
import { measure } from '../../../src/contextWindow/account/measure';
import {
  clearByHand,
  excludeByHand,
  restoreByHand,
  rewriteByHand,
  type ByHand,
} from '../../../src/contextWindow/passes/byHand';
import type { PolicyFacts } from '../../../src/contextWindow/passes/rungs/policyInput';
import type { Pass } from '../../../src/contextWindow/plan';
import { toRequest } from '../../../src/contextWindow/request/request';
import { pricePass } from '../../../src/contextWindow/passes/pipeline';
import { POLICY_SETTINGS } from '../../support/agentSettings';
import { budgetOf, countDots, drawnEvents, foldNew } from '../../support/drawing';
import type { Planned } from './planned';

export const SESSION = drawnEvents(`
  1 anchor task 10
  1 read   a.ts 400
  1 read   b.ts 300
  2 prompt next 10
  2 read   c.ts 10 thinks5
  2 read   d.ts 10
`);

export const COMPACT: Planned = { policy: 'summarise', inputBudget: 800, summaries: true };

export type Events = readonly NewEvent[];

type Change = (input: PolicyFacts) => ByHand;

export const exclude =
  (id: string): Change =>
  (input) =>
    excludeByHand(input, id);

export const clear =
  (id: string): Change =>
  (input) =>
    clearByHand(input, id);

export const restore =
  (id: string): Change =>
  (input) =>
    restoreByHand(input, id);

export const rewrite =
  (id: string, text: string): Change =>
  (input) =>
    rewriteByHand(input, id, text);

export const undo = (number: number): NewEvent => ({ type: 'passUndone', number });

export const pinned = (id: string): NewEvent => ({ type: 'blockPinned', blockId: id as BlockId });

export function inputOf(window: ContextWindow, inputBudget = 2_000): PolicyFacts {
  return {
    window,
    measured: measure(window, countDots),
    budget: budgetOf(inputBudget),
    estimate: countDots,
    settings: { ...POLICY_SETTINGS, policy: 'salience' },
  };
}

/** The pass of a change. */
export function passOf(events: Events, change: Change, inputBudget?: number): Pass {
  const window = foldNew(events);
  const made = change(inputOf(window, inputBudget));
  if (!made.ok || made.plan === undefined) throw new Error(`No pass: ${JSON.stringify(made)}`);
  return pricePass(made.plan, [], window, countDots);
}

/** The events, followed by the changes. */
export function after(events: Events, ...changes: readonly Change[]): Events {
  return changes.reduce<Events>(
    (so, change) => [...so, { type: 'passApplied', pass: passOf(so, change) }],
    events,
  );
}

export function refusal(events: Events, change: Change, inputBudget?: number): string {
  const made = change(inputOf(foldNew(events), inputBudget));
  if (!made.ok) return made.message;
  return made.plan === undefined ? 'nothing' : 'plan';
}

export const request = (events: Events) => JSON.stringify(toRequest(foldNew(events)));

export const used = (events: Events) => measure(foldNew(events), countDots).used.tokens;

export const blockIn = (events: Events, id: string) =>
  foldNew(events).blocks.find((block) => block.id === id)!;

export const decisionOn = (events: Events, id: string) =>
  foldNew(events).decisions.get(id as BlockId);
