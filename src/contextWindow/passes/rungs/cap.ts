import type { Block, BlockKind } from '../../block';
import { blocksInWindow, type ContextWindow } from '../../window';
import { messagesOf } from '../../request/blockMessages';
import { summariseTurns } from './summariseOldest';
import { isOut, takeable, changeAll, type Draft, type Rung } from './draft';

/** A pass for the limit on turns leaves this share of it, so that the next one is far off. */
const LOW_SHARE = 0.8;

/**
 * Takes out every turn but the newest `turns`; a turn is a prompt and everything until the next. A
 * summary is not a turn: it tells of turns that have left.
 */
export function capTurns(turns: number): Rung {
  return (draft) => {
    const last = turnsOf(standingIn(draft)).at(-turns - 1);
    if (last === undefined) return draft;
    return evictUpTo(draft, last, `only the newest ${count(turns, 'turn')} stay`);
  };
}

/**
 * Takes out the oldest turns where there are more than `most`, down to a lower mark: at exactly the
 * limit the next prompt would be over it again, and each pass breaks the prompt cache. A summary
 * takes their place where summaries are on and one is smaller than they are.
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
    const because = `more than ${count(most, 'turn')}, so only the newest ${count(left, 'turn')} stay`;
    return evictUpTo(summariseTurns(draft, last, because), last, because);
  };
}

/** The turns a pass for the limit leaves: fewer than it allows, and never none. */
function lowTurns(most: number): number {
  return Math.max(1, Math.min(most - 1, Math.floor(most * LOW_SHARE)));
}

/** Takes out the turns up to the last one given. */
function evictUpTo(draft: Draft, last: number, because: string): Draft {
  const old = takeable(draft).filter(({ kind, turn }) => kind !== 'summary' && turn <= last);
  return evictOver(draft, old, because);
}

/** Takes out the oldest blocks until at most `messages` messages are left; pairs go whole. */
export function capMessages(
  messages: number,
  because = `only the newest ${messages} messages stay`,
): Rung {
  return (draft) => {
    let left = messagesOfAll(standingIn(draft));
    const old = takeable(draft).filter((block) => {
      if (left <= messages) return false;
      left -= messagesOf(block).length;
      return true;
    });
    return evictOver(draft, old, because);
  };
}

/** The messages the blocks of the window make, before neighbours of one role are joined. */
export function messagesIn(window: ContextWindow): number {
  return messagesOfAll(blocksInWindow(window));
}

function messagesOfAll(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + messagesOf(block).length, 0);
}

/** How many turns have a block in the window that is neither pinned nor a summary nor a note. */
export function turnsIn(window: ContextWindow): number {
  return turnsOf(blocksInWindow(window)).length;
}

/** What tells of turns, or comes in between, is no turn. */
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

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function evictOver(draft: Draft, blocks: readonly Block[], because: string): Draft {
  const what = { action: 'evict', rule: 'evictOverCap', because } as const;
  const touched = blocks.map(({ id }) => ({ id, weight: 0, what }));
  // A limit holds even where the line that says what left takes more tokens than that did.
  return changeAll(draft, touched);
}
