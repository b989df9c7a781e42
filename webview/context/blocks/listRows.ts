import type { Amount, BlockView } from '../../../src/protocol/contextPanel';
import { filterBlocks } from './filterBlocks';
import type { Look } from '../look';
import { sortBlocks } from './sortBlocks';
import { stateFilterOf } from './stateFilter';

/** One row of the list: a block, or the turn that those behind it belong to. */
export type ListRow =
  | { readonly type: 'block'; readonly key: string; readonly block: BlockView }
  | ({ readonly type: 'turn'; readonly key: string } & TurnSum);

/** What the row of a turn says. */
export interface TurnSum {
  readonly turn: number;
  /** First words of its prompt; '' where the log has lost it. */
  readonly prompt: string;
  readonly blocks: number;
  /** What those take in the window now. */
  readonly tokens: Amount;
  readonly collapsed: boolean;
}

export type ListLook = Pick<Look, 'query' | 'states' | 'sort' | 'byTurn' | 'collapsedTurns'>;

/** Lists what the user chose to see, in the order they chose. */
export function listRows(blocks: readonly BlockView[], look: ListLook): readonly ListRow[] {
  const { query, states, sort, byTurn, collapsedTurns } = look;
  const shown = sortBlocks(filterBlocks(blocks, query, stateFilterOf(states)), sort);
  if (!byTurn) return shown.map(blockRow);
  const prompts = promptsOf(blocks);
  // Who searches wants to see what is found.
  const collapsed = new Set(query.trim() === '' ? collapsedTurns : []);
  return [...byTurnOf(shown)]
    .toSorted(([a], [b]) => (sort === 'age' ? b - a : a - b))
    .flatMap(([turn, members]): readonly ListRow[] => {
      const isCollapsed = collapsed.has(turn);
      const sum = { turn, prompt: prompts.get(turn) ?? '', collapsed: isCollapsed };
      const header: ListRow = { type: 'turn', key: turnKey(turn), ...sum, ...sumOf(members) };
      return isCollapsed ? [header] : [header, ...members.map(blockRow)];
    });
}

/** Names the row of a turn. */
export function turnKey(turn: number): string {
  return `turn ${turn}`;
}

/** Names the row of a block. */
export function blockKey(blockId: string): string {
  return `block ${blockId}`;
}

function blockRow(block: BlockView): ListRow {
  return { type: 'block', key: blockKey(block.id), block };
}

function byTurnOf(blocks: readonly BlockView[]): ReadonlyMap<number, readonly BlockView[]> {
  const turns = new Map<number, BlockView[]>();
  for (const block of blocks) {
    const members = turns.get(block.turn);
    if (members === undefined) turns.set(block.turn, [block]);
    else members.push(block);
  }
  return turns;
}

function promptsOf(blocks: readonly BlockView[]): ReadonlyMap<number, string> {
  return new Map(
    blocks
      .filter(({ kind }) => kind === 'anchor' || kind === 'prompt')
      .map(({ turn, label }): [number, string] => [turn, label.replace(/^(Task|Prompt): /, '')]),
  );
}

function sumOf(members: readonly BlockView[]): Pick<TurnSum, 'blocks' | 'tokens'> {
  return {
    blocks: members.length,
    tokens: {
      tokens: members.reduce((sum, { tokens }) => sum + tokens.tokens, 0),
      exact: members.every(({ tokens }) => tokens.exact),
    },
  };
}
