import type { Block, BlockId, ToolPair } from '../../block';
import { callEffectOf } from '../../callEffect';
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
 * Climbs the rungs with the newest turns and the newest search protected. If older blocks cannot make
 * enough room, unprotects the oldest of those turns, and so on to the newest: so the low watermark can
 * always be reached, and a single long turn can be summarised. The search leaves only if the window
 * stays above the low watermark of the budget without that.
 */
export function keepRecentTurns(rungs: readonly Rung[]): Rung {
  return (draft) => {
    const { window, settings } = draft.input;
    let next = draft;
    const always = withNewestSearch(draft);
    for (let kept = Math.min(settings.keepRecentTurns, window.turn); kept >= 0; kept--) {
      const keeping = protectTurns(next, always, kept);
      if (kept > 0 && !canHold(keeping)) continue;
      next = climbed(rungs, keeping);
      if (next.used <= next.target) break;
    }
    const { lowTokens } = draft.input.budget;
    if (next.used > Math.max(lowTokens, next.target)) {
      next = climbed(rungs, { ...next, protections: draft.protections });
    }
    return markRecent(draft, next);
  };
}

function climbed(rungs: readonly Rung[], draft: Draft): Draft {
  return rungs.reduce((before, rung) => trimBehindEdit(rung(before)), draft);
}

/** An agent edits what a search found within this many steps. Chosen on recorded sessions. */
export const SEARCH_STEPS = 6;

/** A larger step is not kept for its search; as a share of the low watermark, and in tokens. */
const SEARCH_SHARE = 0.3;
const SEARCH_TOKENS = 4_000;

/** Protects the step with the newest search that shows lines of files, in addition to other protections. */
function withNewestSearch(draft: Draft): Draft['protections'] {
  const { window, budget } = draft.input;
  const found = blocksInWindow(window).findLast(
    (block) => block.kind === 'step' && block.pairs.some(showsFoundLines),
  );
  if (found?.kind !== 'step' || found.step <= window.step - SEARCH_STEPS) return draft.protections;
  const most = Math.min(SEARCH_TOKENS, budget.lowTokens * SEARCH_SHARE);
  const isLarge = weightIn(draft, found.id) > most;
  if (isLarge || draft.protections.has(found.id)) return draft.protections;
  return new Map(draft.protections).set(found.id, 'keep:newestSearch');
}

/** A line of a search result: path, number, text. */
const FOUND_LINE = /^(?:[A-Za-z]:)?[^:\n]+:\d+:/gm;

/** Says whether a search shows at least two lines of files. */
export function showsFoundLines({ use, result, cleared }: ToolPair): boolean {
  if (cleared || result === undefined || callEffectOf(use).kind !== 'search') return false;
  return (result.text.match(FOUND_LINE)?.length ?? 0) > 1;
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
