import type { Block, BlockId } from '../../block';
import { blocksInWindow, firstOfNewest, type ContextWindow } from '../../window';
import {
  takeable,
  draftDecisionOf,
  weightIn,
  type Draft,
  type DraftProtection,
  type Rung,
} from './draft';
import { trimBehindEdit } from './trimThinking';

/**
 * Climbs the rungs with the newest turns protected. If older blocks cannot make enough room,
 * unprotects the oldest of those turns, and so on to the newest: so the low watermark can always be
 * reached, and a single long turn can be summarised.
 */
export function keepRecentTurns(rungs: readonly Rung[]): Rung {
  return (draft) => {
    const { window, settings } = draft.input;
    let next = draft;
    for (let kept = Math.min(settings.keepRecentTurns, window.turn); kept >= 0; kept--) {
      const keeping = protectTurns(next, draft.protections, kept);
      if (kept > 0 && !canHold(keeping)) continue;
      next = rungs.reduce((before, rung) => trimBehindEdit(rung(before)), keeping);
      if (next.used <= next.target) break;
    }
    return markRecent(draft, next);
  };
}

/** Protects the newest turns, in addition to other protections. */
function protectTurns(draft: Draft, always: Draft['protections'], turns: number): Draft {
  const protections = new Map<BlockId, DraftProtection>(always);
  const first = firstOfNewest(draft.input.window, turns);
  for (const block of blocksInWindow(draft.input.window)) {
    if (staysFrom(first, block) && !protections.has(block.id)) {
      protections.set(block.id, 'keep:recentTurns');
    }
  }
  return { ...draft, protections };
}

/** Says whether a block stays with the turns from `first` on. */
export function staysFrom(first: number, { kind, turn }: Block): boolean {
  // A summary replaces blocks of its turn: it is not evicted before the blocks that are still
  // there.
  return kind !== 'note' && kind !== 'excerpts' && turn >= first;
}

/**
 * Says whether the rest could leave room for the protected turns. If they alone exceed the high
 * watermark, everything older would be evicted for nothing.
 */
function canHold(draft: Draft): boolean {
  const free = takeable(draft).reduce((sum, { id }) => sum + weightIn(draft, id), 0);
  return draft.used - free <= draft.input.budget.highTokens;
}

/** Marks the blocks of the newest turns that the pass had to change. */
function markRecent(before: Draft, after: Draft): Draft {
  const { window, settings } = after.input;
  const changes = new Map(after.changes);
  for (const block of blocksInWindow(window)) {
    const change = changes.get(block.id);
    if (change === undefined || change.what === draftDecisionOf(before, block.id)) continue;
    // Thinking after a change is removed in any case, and is not text that stays verbatim.
    if (change.what.action === 'trim' || !isOfNewest(window, block, settings.keepRecentTurns))
      continue;
    changes.set(block.id, { ...change, what: { ...change.what, isOfRecentTurn: true } });
  }
  return { ...after, changes };
}

/** Says whether a prompt or step belongs to the newest turns. */
function isOfNewest(window: ContextWindow, block: Block, turns: number): boolean {
  const isWords = block.kind === 'anchor' || block.kind === 'prompt' || block.kind === 'step';
  return isWords && block.turn >= firstOfNewest(window, turns);
}
