import { byStretch, mappedByStretch } from '../../../src/editor/chunks';
import type { ExportForm, ShownBlocks } from '../../../src/editor/contextPanel/exports/wishes';
import type { Amount, BlockView } from '../../../src/editor/contextPanel/state';
import type { ContextWish } from '../../../src/editor/contextPanel/wishes';
import { DEFAULT_LOOK, type Look, type Sort } from '../store/keptState';
import { isOut, leftWords, stateWord } from './words';

/** One row of the list: a block, or the turn of the blocks after it. */
export type ListRow =
  | ({ readonly type: 'block'; readonly key: string; readonly block: BlockView } & SummaryPlace)
  | ({ readonly type: 'turn'; readonly key: string } & TurnSum);

/** How summaries concern the row of a block. */
export interface SummaryPlace {
  /** For a summary: how many blocks it stands for, and whether their rows are folded away. */
  readonly folds?: { readonly count: number; readonly isFolded: boolean };
  /** The key of the row of the summary that this row is nested under. */
  readonly beneath?: string;
  /** The name of the summary in the window that covers it, if it is not nested under it. */
  readonly toldIn?: string;
}

/** What the row of a turn says. */
export interface TurnSum {
  readonly turn: number;
  /** First words of its prompt; '' if the log has lost it. */
  readonly prompt: string;
  readonly blocks: number;
  /** The tokens of its blocks in the window now. */
  readonly tokens: Amount;
  readonly collapsed: boolean;
}

export type ListLook = Pick<
  Look,
  'query' | 'states' | 'sort' | 'byTurn' | 'collapsedTurns' | 'openSummaries' | 'blockId'
>;

/** Lists the blocks in the user's filter and order. */
export function listRows(blocks: readonly BlockView[], look: ListLook): readonly ListRow[] {
  const { query, states, sort, byTurn, collapsedTurns } = look;
  const filter = stateFilterOf(states);
  const shown = sortBlocks(filterBlocks(blocks, query, filter), sort);
  const telling = summariesTelling(blocks);
  const blockRow = (block: BlockView): ListRow => {
    const summary = telling.get(block.id);
    return summary === undefined ? plainRow(block) : { ...plainRow(block), toldIn: summary.label };
  };
  if (!byTurn) {
    const isWhole = shown === blocks && filter === 'all';
    return isWhole ? foldedRows(blocks, telling, look) : shown.map(blockRow);
  }
  const prompts = promptsOf(blocks);
  // A search also finds folded blocks.
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

/** Most blocks of a long session never change again: cache their rows. */
const ROWS = new WeakMap<BlockView, BlockListRow>();

type BlockListRow = Extract<ListRow, { readonly type: 'block' }>;

function plainRow(block: BlockView): BlockListRow {
  const known = ROWS.get(block);
  if (known !== undefined) return known;
  const row: BlockListRow = { type: 'block', key: blockKey(block.id), block };
  ROWS.set(block, row);
  return row;
}

const plainRows = mappedByStretch(plainRow);

const summariesIn = byStretch((blocks: readonly BlockView[]) =>
  blocks.filter(({ kind }) => kind === 'summary'),
);

/**
 * For each removed block, the summary in the window that covers it. A summary may replace an
 * earlier one, and then covers all of its blocks too.
 */
function summariesTelling(blocks: readonly BlockView[]): ReadonlyMap<string, BlockView> {
  const summaries = new Map(
    summariesIn(blocks)
      .flat()
      .map((block) => [block.id, block] as const),
  );
  if (summaries.size === 0) return NO_SUMMARIES;
  const telling = new Map<string, BlockView>();
  for (const summary of summaries.values()) {
    if (isOut(summary)) continue;
    const covered = [...(summary.covers ?? [])];
    for (let id = covered.pop(); id !== undefined; id = covered.pop()) {
      if (telling.has(id)) continue;
      telling.set(id, summary);
      covered.push(...(summaries.get(id)?.covers ?? []));
    }
  }
  for (const block of blocks) if (!isOut(block)) telling.delete(block.id);
  return telling;
}

const NO_SUMMARIES: ReadonlyMap<string, BlockView> = new Map();

/**
 * Lists all blocks in order, with the blocks of a summary nested under it, folded until the user
 * opens it.
 */
function foldedRows(
  blocks: readonly BlockView[],
  telling: ReadonlyMap<string, BlockView>,
  { openSummaries, blockId }: ListLook,
): readonly ListRow[] {
  if (telling.size === 0) return plainRows(blocks);
  const told = new Map<string, BlockView[]>();
  for (const block of blocks) {
    const summary = telling.get(block.id);
    if (summary === undefined) continue;
    const others = told.get(summary.id);
    if (others === undefined) told.set(summary.id, [block]);
    else others.push(block);
  }
  // The chosen block keeps its row.
  const open = new Set([...openSummaries, telling.get(blockId ?? '')?.id]);
  return blocks.flatMap((block): readonly ListRow[] => {
    if (telling.has(block.id)) return [];
    const row = plainRow(block);
    const covered = told.get(block.id);
    if (covered === undefined) return [row];
    const isFolded = !open.has(block.id);
    const summary = { ...row, folds: { count: covered.length, isFolded } };
    const beneath = isFolded
      ? []
      : covered.map((each) => ({ ...plainRow(each), beneath: row.key }));
    return [summary, ...beneath];
  });
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

/** Keeps the blocks whose name, state, reason, kind or tools contain every word of the query. */
function filterBlocks(
  blocks: readonly BlockView[],
  query: string,
  states: StateFilter = 'all',
): readonly BlockView[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const some = states === 'all' ? blocks : blocks.filter((block) => passesFilter(states, block));
  if (words.length === 0) return some;
  return some.filter((block) => {
    const text = textOf(block);
    return words.every((word) => text.includes(word));
  });
}

/** A cache: every key typed looks at all blocks again, and they seldom change in between. */
const TEXTS = new WeakMap<BlockView, string>();

function textOf(block: BlockView): string {
  const known = TEXTS.get(block);
  if (known !== undefined) return known;
  const { label, reason, kind, tools, state, left } = block;
  const where = left === undefined ? '' : leftWords(left, undefined);
  const parts = [label, reason, kind, ...tools, state, stateWord(block), where];
  const text = parts.join('\n').toLowerCase();
  TEXTS.set(block, text);
  return text;
}

/** The orders that can be chosen, in words. */
export const SORT_LABELS: Readonly<Record<Sort, string>> = {
  order: 'In order',
  tokens: 'Largest first',
  salience: 'Least relevant first',
  age: 'Newest first',
};

/** Orders the blocks; equal ones stay in the order in which the model reads them. */
function sortBlocks(blocks: readonly BlockView[], sort: Sort): readonly BlockView[] {
  switch (sort) {
    case 'order':
      return blocks;
    case 'tokens':
      return blocks.toSorted((a, b) => b.tokens.tokens - a.tokens.tokens);
    case 'salience':
      return blocks.toSorted((a, b) => weight(a) - weight(b));
    case 'age':
      return blocks.toReversed();
  }
}

/** A removed block has no relevance and sorts last. */
function weight({ salience }: BlockView): number {
  return salience?.salience ?? 2;
}

/** Which blocks a state filter shows; the words are those of the rows. */
export const STATE_FILTERS = [
  { name: 'all', label: 'All states' },
  { name: 'in', label: 'In the window' },
  { name: 'out', label: 'Removed' },
  { name: 'whole', label: 'Whole' },
  { name: 'truncated', label: 'Truncated' },
  { name: 'trimmed', label: 'Trimmed' },
  { name: 'cleared', label: 'Cleared' },
  { name: 'summarised', label: 'Compacted' },
  { name: 'evicted', label: 'Evicted' },
  { name: 'excluded', label: 'Excluded' },
  { name: 'pinned', label: 'Pinned' },
] as const;

type StateFilter = (typeof STATE_FILTERS)[number]['name'];

/** Reads the name of a stored filter; an unknown one shows everything. */
export function stateFilterOf(kept: string): StateFilter {
  return STATE_FILTERS.find(({ name }) => name === kept)?.name ?? 'all';
}

function passesFilter(filter: StateFilter, block: BlockView): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'in':
      return !isOut(block);
    case 'out':
      return isOut(block);
    case 'pinned':
      return block.pinned;
    case 'whole':
    case 'truncated':
    case 'trimmed':
    case 'cleared':
    case 'summarised':
    case 'evicted':
    case 'excluded':
      return block.state === filter;
  }
}

/** The wish to export the shown blocks, in their order. */
export function exportWish(
  form: ExportForm,
  blocks: readonly BlockView[],
  look: Look,
): Extract<ContextWish, { readonly type: 'exportView' }> {
  const words = choiceWords(look);
  // A log always covers the whole session.
  if (form === 'jsonl' || words === '') return { type: 'exportView', form };
  const shown: ShownBlocks = { ids: idsShown(blocks, look), words };
  return { type: 'exportView', form, shown };
}

/** The blocks of a folded turn count as shown, because the turn has a row. */
function idsShown(blocks: readonly BlockView[], look: Look): readonly string[] {
  return listRows(blocks, { ...look, collapsedTurns: [] }).flatMap((row) =>
    row.type === 'block' ? [row.block.id] : [],
  );
}

/** Describes the filter and the order; '' if all blocks are shown in order. */
function choiceWords({ query, states, sort, byTurn }: Look): string {
  const filter = stateFilterOf(states);
  const state = STATE_FILTERS.find(({ name }) => name === filter)?.label ?? '';
  const isSorted = sort !== DEFAULT_LOOK.sort;
  return [
    ...(query.trim() === '' ? [] : [`filter “${query.trim()}”`]),
    ...(filter === 'all' ? [] : [`state “${state}”`]),
    ...(isSorted ? [`order “${SORT_LABELS[sort]}”`] : []),
    ...(isSorted && byTurn ? ['by turn'] : []),
  ].join(', ');
}
