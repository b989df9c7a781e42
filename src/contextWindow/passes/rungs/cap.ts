import type { Block, BlockKind } from '../../block';
import { blocksInWindow, type ContextWindow } from '../../window';
import { messagesOf } from '../../request/blockMessages';
import type { Cap } from '../../reasons';
import { summariseTurns } from './summariseOldest';
import { isOut, takeable, changeAll, type Draft, type Rung } from './draft';

/** A pass for the limit on turns leaves this share of it, so that the next pass is far off. */
const LOW_SHARE = 0.8;

/**
 * Evicts all turns but the newest `turns`; a turn is a prompt and everything until the next. A
 * summary is not a turn: it stands for removed turns.
 */
export function capTurns(turns: number): Rung {
  return (draft) => {
    const last = turnsOf(standingIn(draft)).at(-turns - 1);
    if (last === undefined) return draft;
    return evictUpTo(draft, last, { of: 'turns', left: turns });
  };
}

/**
 * Removes the oldest turns above `most`, down to a lower mark: at exactly the limit the next prompt
 * would exceed it again, and each pass breaks the prompt cache. Replaces them by a summary if
 * summaries are on and one is smaller.
 */
export function capHistory(most: number): Rung {
  return (draft) => {
    const { turnsToCome = 0 } = draft.input;
    const turns = turnsOf(standingIn(draft));
    const left = Math.max(lowTurns(most), Math.min(most, draft.input.settings.keepRecentTurns));
    const last = turns.at(turnsToCome - left - 1);
    if (turns.length + turnsToCome <= most || left <= turnsToCome || last === undefined) {
      return draft;
    }
    const cap = { of: 'turns', left, most } as const;
    return evictUpTo(summariseTurns(draft, last, cap), last, cap);
  };
}

/** The turns that a pass for the limit leaves: fewer than the limit, and at least one. */
function lowTurns(most: number): number {
  return Math.max(1, Math.min(most - 1, Math.floor(most * LOW_SHARE)));
}

/** Evicts the turns up to the given one. */
function evictUpTo(draft: Draft, last: number, cap: Cap): Draft {
  const old = takeable(draft).filter(({ kind, turn }) => kind !== 'summary' && turn <= last);
  return evictOver(draft, old, cap);
}

/** Evicts the oldest blocks until at most `messages` messages are left; pairs leave whole. */
export function capMessages(messages: number, withHead?: true): Rung {
  return (draft) => {
    let left = messagesOfAll(standingIn(draft));
    const old = takeable(draft).filter((block) => {
      if (left <= messages) return false;
      left -= messagesOf(block).length;
      return true;
    });
    return evictOver(draft, old, { of: 'messages', left: messages, withHead });
  };
}

/** The messages that the blocks of the window make, before neighbours of one role are joined. */
export function messagesIn(window: ContextWindow): number {
  return messagesOfAll(blocksInWindow(window));
}

function messagesOfAll(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + messagesOf(block).length, 0);
}

/** The turns with a block in the window that is neither pinned nor a summary nor a note. */
export function turnsIn(window: ContextWindow): number {
  return turnsOf(blocksInWindow(window)).length;
}

/** Summaries, notes and excerpts belong to no turn. */
const COMES_BETWEEN: ReadonlySet<BlockKind> = new Set<BlockKind>(['summary', 'note', 'excerpts']);

/** The numbers of those turns, oldest first. */
function turnsOf(blocks: readonly Block[]): readonly number[] {
  const turns = blocks
    .filter(({ pinned, kind }) => !pinned && !COMES_BETWEEN.has(kind))
    .map(({ turn }) => turn);
  return [...new Set(turns)].toSorted((a, b) => a - b);
}

function standingIn(draft: Draft): readonly Block[] {
  return blocksInWindow(draft.input.window).filter(({ id }) => !isOut(draft, id));
}

function evictOver(draft: Draft, blocks: readonly Block[], cap: Cap): Draft {
  const what = { action: 'evict', reason: { rule: 'evictOverCap', cap } } as const;
  const touched = blocks.map(({ id }) => ({ id, weight: 0, what }));
  // A limit is enforced even if the gap line takes more tokens than the blocks did.
  return changeAll(draft, touched);
}
