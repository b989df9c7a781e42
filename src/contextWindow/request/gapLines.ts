import { isInWindow, type Block, type BlockId } from '../block';
import type { ContextWindow } from '../window';
import { byChunk, type PersistentList } from '../persistentList';

/**
 * What is left of a block: `in` the window, only `told` of by a summary that is in the window, or
 * `out`. Of what was `undonePrompt` the model is told nothing.
 */
export type Presence = 'in' | 'told' | 'out' | 'undone';

/** What is left of a block now, apart from what a summary may tell of it. */
export function presenceOf(block: Block): Presence {
  if (isInWindow(block)) return 'in';
  return block.state === 'undone' ? 'undone' : 'out';
}

/** Where whole turns left: the block of the window that comes next, and how many they were. */
export interface Gap {
  readonly before: BlockId;
  readonly turns: number;
}

/**
 * Finds where whole turns left: those of which no prompt and no step is in the window, and none is
 * told of by a summary there. A turn that was taken
 * back left no gap. Where the window goes on behind them, one gap stands for all of them. `presence` may
 * be another than `presenceOf` for blocks in the window; for others only where it `isOtherOutside`.
 */
export function gapsIn(
  blocks: PersistentList<Block>,
  presence: (block: Block) => Presence,
  isOtherOutside = false,
): readonly Gap[] {
  const stretches = stretchesOf(blocks, isOtherOutside);
  const told = turnsToldOf(stretches, presence);
  const gaps: Gap[] = [];
  const gone = new Set<number>();
  let counted = 0;
  const leave = (turn: number): void => void (told.has(turn) || gone.add(turn));
  for (const { blocks: some, turnsGone } of stretches) {
    if (turnsGone !== undefined) {
      turnsGone.forEach(leave);
      continue;
    }
    // Most blocks are of the turn of the one before: it is asked about once.
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

/** Blocks that stand together. */
interface Stretch {
  readonly blocks: readonly Block[];
  /** Their turns, without what was taken back, where none of them is in the window; else absent. */
  readonly turnsGone?: readonly number[];
}

/** Most blocks have left, and few turns are many blocks: so there is little to look at. */
const stretchesIn = byChunk((blocks: readonly Block[]): Stretch => {
  if (blocks.some(isInWindow)) return { blocks };
  const turns = blocks.filter((block) => isOfTurn(block) && block.state !== 'undone');
  return { blocks, turnsGone: [...new Set(turns.map(({ turn }) => turn))] };
});

function stretchesOf(blocks: PersistentList<Block>, isOtherOutside: boolean): readonly Stretch[] {
  return isOtherOutside ? [{ blocks: blocks.toArray() }] : stretchesIn(blocks);
}

/** The turns that the window still shows something of, or tells of in a summary. */
function turnsToldOf(
  stretches: readonly Stretch[],
  presence: (block: Block) => Presence,
): ReadonlySet<number> {
  const turns = new Set<number>();
  const covered = new Set<BlockId>();
  // A summary stands before what it covers, an earlier summary among it: one look is enough.
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

/** A summary tells of turns, a note or a view comes in between: none of them makes one. */
function isOfTurn({ kind }: Block): boolean {
  return kind !== 'summary' && kind !== 'note' && kind !== 'excerpts';
}

/** Stands in the request where whole turns left, so that nothing leaves in silence. */
export function gapText({ turns }: Gap): string {
  const what = turns === 1 ? '1 whole turn' : `${turns} whole turns`;
  return (
    `[${what} left the context window here. Call recall for a list of what left, or with a ` +
    'pattern to search it.]'
  );
}

/** A cache, since a list is immutable, and a request and its measurement ask for its lines. */
const LINES = new WeakMap<ContextWindow['blocks'], ReadonlyMap<BlockId, string>>();

/** The lines of the next request that say where whole turns left, each by the block behind it. */
export function gapLines({ blocks }: ContextWindow): ReadonlyMap<BlockId, string> {
  const known = LINES.get(blocks);
  if (known !== undefined) return known;
  const gaps = gapsIn(blocks, presenceOf);
  const lines = new Map(gaps.map((gap) => [gap.before, gapText(gap)]));
  LINES.set(blocks, lines);
  return lines;
}
