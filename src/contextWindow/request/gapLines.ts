import { isInWindow, type Block, type BlockId } from '../block';
import type { ContextWindow } from '../window';
import { byChunk, type PersistentList } from '../persistentList';

/**
 * The presence of a block: `in` the window, only `covered` by a summary in the window, or `out`. The
 * model is told nothing about an undone prompt.
 */
export type Presence = 'in' | 'covered' | 'out' | 'undone';

/** The presence of a block, without regard to summaries. */
export function presenceOf(block: Block): Presence {
  if (isInWindow(block)) return 'in';
  return block.state === 'undone' ? 'undone' : 'out';
}

/**
 * A place where whole turns were removed: the next block in the window, and the number of turns.
 */
interface Gap {
  readonly before: BlockId;
  readonly turns: number;
}

/**
 * Finds the places where whole turns were removed: turns without any prompt or step in the window,
 * and not covered by a summary there. Undone turns leave no gap. One gap stands for all turns
 * before the next block in the window. `presence` may differ from `presenceOf` for blocks in the
 * window; for other blocks only with `isOtherOutside`.
 */
export function gapsIn(
  blocks: PersistentList<Block>,
  presence: (block: Block) => Presence,
  isOtherOutside = false,
): readonly Gap[] {
  const stretches = stretchesOf(blocks, isOtherOutside);
  const seen = turnsCovered(stretches, presence);
  const gaps: Gap[] = [];
  const gone = new Set<number>();
  let counted = 0;
  const leave = (turn: number): void => void (seen.has(turn) || gone.add(turn));
  for (const { blocks: some, turns, turnsGone } of stretches) {
    if (turnsGone !== undefined) {
      turnsGone.forEach(leave);
      continue;
    }
    if (gone.size === counted && turns?.every((one) => seen.has(one)) === true) continue;
    // Most blocks belong to the turn of the block before, so each turn is looked up once.
    let turn: number | undefined;
    for (const block of some) {
      if (block.turn !== turn && isOfTurn(block) && presence(block) !== 'undone') {
        turn = block.turn;
        leave(turn);
      }
      if (gone.size === counted || presence(block) !== 'in') continue;
      gaps.push({ before: block.id, turns: gone.size - counted });
      counted = gone.size;
    }
  }
  return gaps;
}

/** Consecutive blocks. */
interface Stretch {
  readonly blocks: readonly Block[];
  /** Their turns, and those that the window shows; undone ones excluded, absent if unknown. */
  readonly turns?: readonly number[];
  readonly turnsShown?: readonly number[];
  /** Their turns, undone ones excluded, if none of them is in the window; else absent. */
  readonly turnsGone?: readonly number[];
}

/** In a long session most blocks are gone and belong to few turns, so there is little to search. */
const stretchesIn = byChunk((blocks: readonly Block[]): Stretch => {
  const ofTurns = blocks.filter((block) => isOfTurn(block) && block.state !== 'undone');
  const turns = turnsIn(ofTurns);
  return blocks.some(isInWindow)
    ? { blocks, turns, turnsShown: turnsIn(ofTurns.filter(isInWindow)) }
    : { blocks, turns, turnsGone: turns };
});

function turnsIn(blocks: readonly Block[]): readonly number[] {
  return [...new Set(blocks.map(({ turn }) => turn))];
}

function stretchesOf(blocks: PersistentList<Block>, isOtherOutside: boolean): readonly Stretch[] {
  return isOtherOutside ? [{ blocks: blocks.toArray() }] : stretchesIn(blocks);
}

/** The turns that the window shows in part or in whole, or that a summary covers. */
function turnsCovered(
  stretches: readonly Stretch[],
  presence: (block: Block) => Presence,
): ReadonlySet<number> {
  const turns = new Set<number>();
  const covered = new Set<BlockId>();
  if (presence === presenceOf) {
    // Most windows show something of every turn, and then no summary need be looked at.
    for (const { turnsShown = [] } of stretches) for (const turn of turnsShown) turns.add(turn);
    if (stretches.every((some) => some.turns?.every((turn) => turns.has(turn)))) return turns;
  }
  // A summary comes before what it covers, earlier summaries included, so one pass is enough.
  for (const { blocks, turnsGone } of stretches) {
    if (turnsGone !== undefined && covered.size === 0) continue;
    for (const block of blocks) {
      const left = presence(block);
      if (left === 'undone') continue;
      if (left === 'out' && (covered.size === 0 || !covered.has(block.id))) continue;
      if (isOfTurn(block)) turns.add(block.turn);
      if (block.kind === 'summary') for (const id of block.covers) covered.add(id);
    }
  }
  return turns;
}

/** Summaries, notes and excerpts belong to no turn of their own. */
function isOfTurn({ kind }: Block): boolean {
  return kind !== 'summary' && kind !== 'note' && kind !== 'excerpts';
}

/** The line that stands for removed whole turns in the request, so that the model knows of them. */
export function gapText({ turns }: Gap): string {
  const what = turns === 1 ? '1 whole turn' : `${turns} whole turns`;
  return (
    `[${what} left the context window here. Call recall for a list of what left, or with a ` +
    'pattern to search it.]'
  );
}

/** A cache: a list is immutable, and both the request and its measurement need its lines. */
const LINES = new WeakMap<ContextWindow['blocks'], ReadonlyMap<BlockId, string>>();

/** The gap lines of the next request, each by the block after it. */
export function gapLines({ blocks }: ContextWindow): ReadonlyMap<BlockId, string> {
  const known = LINES.get(blocks);
  if (known !== undefined) return known;
  const gaps = gapsIn(blocks, presenceOf);
  const lines = new Map(gaps.map((gap) => [gap.before, gapText(gap)]));
  LINES.set(blocks, lines);
  return lines;
}
