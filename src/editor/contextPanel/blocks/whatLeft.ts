import type { BlockId } from '../../../contextWindow/block';
import type { ContextWindow, LedgerEntry } from '../../../contextWindow/window';
import { PersistentMap } from '../../../contextWindow/persistentMap';
import { rememberedFold } from '../../../contextWindow/persistentList';
import type { Action, Amount, Decision, Pass } from '../../../contextWindow/plan';
import type { LeftView } from './state';

/** What is known of the blocks that left, by block. */
interface WhatLeft {
  readonly left: PersistentMap<BlockId, LeftView>;
  /** What a block was while it was whole: an earlier pass may have cleared it before one took it. */
  readonly whole: PersistentMap<BlockId, Amount>;
}

const whatLeftIn = rememberedFold(
  { left: PersistentMap.of(), whole: PersistentMap.of() } as WhatLeft,
  (known, { pass, undone }: LedgerEntry) => {
    if (undone === true) return known;
    const { left, whole } = known;
    const taken = pass.decisions.filter(({ action }) => TAKES[action] !== undefined);
    return {
      left: left.with(taken.map((decision) => [decision.blockId, leftBy(pass, decision, whole)])),
      whole: whole.with(
        taken.map(({ blockId, action, before }) => [
          blockId,
          action === 'restore' ? undefined : (whole.get(blockId) ?? before),
        ]),
      ),
    };
  },
);

/** Which pass took each block that left the window, and what the block was before. */
export function whatLeft({
  ledger,
}: Pick<ContextWindow, 'ledger'>): ReadonlyMap<BlockId, LeftView> {
  return whatLeftIn(ledger).left;
}

/** What takes something of a block away, or brings it back whole. */
const TAKES: Readonly<Partial<Record<Action, true>>> = {
  truncate: true,
  trim: true,
  clear: true,
  summarise: true,
  evict: true,
  restore: true,
  undoPrompt: true,
};

function leftBy(
  { ordinal, beforeStep, trigger }: Pass,
  { blockId, action, before }: Decision,
  whole: PersistentMap<BlockId, Amount>,
): LeftView | undefined {
  if (action !== 'summarise' && action !== 'evict' && action !== 'undoPrompt') return undefined;
  const once = whole.get(blockId) ?? before;
  return {
    // What an earlier pass had taken is taken back too, from outside the window.
    was: action === 'undoPrompt' && before.tokens === 0 ? once : before,
    whole: once,
    beforeStep,
    ...(trigger === 'byHand' ? {} : { pass: ordinal }),
  };
}
