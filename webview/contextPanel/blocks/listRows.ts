import { byStretch, mappedByStretch } from '../../../src/editor/chunks';
import type { ExportForm, ShownBlocks } from '../../../src/editor/contextPanel/exports/wishes';
import type { Amount, BlockView, ContextView } from '../../../src/editor/contextPanel/state';
import type { ContextWish } from '../../../src/editor/contextPanel/wishes';
import { saidLabel } from '../../kit/callWords';
import { type Chip, CHIPS, DEFAULT_LOOK, type Look, type Sort } from '../store/keptState';
import { isOut, leftWords, stateWord } from './words';

/** One row of the list: a block, or the turn of the blocks after it. */
export type ListRow =
  | ({ readonly type: 'block'; readonly key: string; readonly block: BlockView } & SummaryPlace)
  | ({ readonly type: 'turn'; readonly key: string } & TurnSum);

/** How summaries concern the row of a block. */
interface SummaryPlace {
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

type ListLook = Pick<
  Look,
  'query' | 'chip' | 'sort' | 'byTurn' | 'collapsedTurns' | 'openSummaries' | 'blockId'
>;

/** The blocks, and those of them whose removed content was needed again. */
type ListContext = Pick<ContextView, 'blocks' | 'neededAgain'>;

/** Lists the blocks in the user's filter and order. */
export function listRows(context: ListContext, look: ListLook): readonly ListRow[] {
  const { blocks } = context;
  const { query, chip, sort, byTurn, collapsedTurns } = look;
  const shown = sortBlocks(filterBlocks(blocksOf(context, chip), query), sort);
  const telling = summariesTelling(blocks);
  const blockRow = (block: BlockView): ListRow => {
    const summary = telling.get(block.id);
    return summary === undefined ? plainRow(block) : { ...plainRow(block), toldIn: summary.label };
  };
  if (!byTurn) {
    // A summary holds its blocks beneath it, unless a filter looks for single blocks.
    const isWhole = sort === 'order' && query.trim() === '' && (chip === 'all' || chip === 'in');
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
  { chip, openSummaries, blockId }: ListLook,
): readonly ListRow[] {
  if (telling.size === 0) return plainRows(chip === 'in' ? joined(inWindow(blocks)) : blocks);
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
    if (telling.has(block.id) || (chip === 'in' && isOut(block))) return [];
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
function filterBlocks(blocks: readonly BlockView[], query: string): readonly BlockView[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return blocks;
  return blocks.filter((block) => {
    const text = textOf(block);
    return words.every((word) => text.includes(word));
  });
}

/** A cache: every key typed looks at all blocks again, and they seldom change in between. */
const TEXTS = new WeakMap<BlockView, string>();

function textOf(block: BlockView): string {
  const known = TEXTS.get(block);
  if (known !== undefined) return known;
  const { label, reason, why, kind, tools, state, left } = block;
  const where = left === undefined ? '' : leftWords(left, undefined);
  const parts = [
    label,
    saidLabel(block),
    reason,
    why,
    kind,
    ...tools,
    state,
    stateWord(block),
    where,
  ];
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

export const CHIP_LABELS: Readonly<Record<Chip, string>> = {
  in: 'In the window',
  out: 'Removed',
  pinned: 'Pinned',
  again: 'Needed again',
  all: 'All',
};

const inWindow = byStretch((blocks: readonly BlockView[]) =>
  blocks.filter((block) => !isOut(block)),
);
const removed = byStretch((blocks: readonly BlockView[]) => blocks.filter(isOut));
const pinned = byStretch((blocks: readonly BlockView[]) => blocks.filter((block) => block.pinned));

function joined(stretches: readonly (readonly BlockView[])[]): readonly BlockView[] {
  return stretches.flat();
}

/** The blocks of a chip, in order. */
function blocksOf({ blocks, neededAgain }: ListContext, chip: Chip): readonly BlockView[] {
  switch (chip) {
    case 'all':
      return blocks;
    case 'in':
      return joined(inWindow(blocks));
    case 'out':
      return joined(removed(blocks));
    case 'pinned':
      return joined(pinned(blocks));
    case 'again': {
      const ids = new Set(neededAgain.map(({ blockId }) => blockId));
      return blocks.filter(({ id }) => ids.has(id));
    }
  }
}

/** How many blocks each chip shows. */
export function chipCounts(context: ListContext): Readonly<Record<Chip, number>> {
  const counted = CHIPS.map((chip) => [chip, blocksOf(context, chip).length] as const);
  return Object.fromEntries(counted) as Record<Chip, number>;
}

/** The wish to export the shown blocks, in their order; all blocks in the first view of the list. */
export function exportWish(
  form: ExportForm,
  context: ListContext,
  look: Look,
): Extract<ContextWish, { readonly type: 'exportView' }> {
  const words = choiceWords(look);
  // A log always covers the whole session.
  if (form === 'jsonl' || words === '') return { type: 'exportView', form };
  const shown: ShownBlocks = { ids: idsShown(context, look), words };
  return { type: 'exportView', form, shown };
}

/** The blocks of a folded turn count as shown, because the turn has a row. */
function idsShown(context: ListContext, look: Look): readonly string[] {
  return listRows(context, { ...look, collapsedTurns: [] }).flatMap((row) =>
    row.type === 'block' ? [row.block.id] : [],
  );
}

/** Describes the filter and the order; '' if all blocks, or the first view of the list, is shown. */
function choiceWords({ query, chip, sort, byTurn }: Look): string {
  const isSorted = sort !== DEFAULT_LOOK.sort;
  const words = [
    ...(query.trim() === '' ? [] : [`filter “${query.trim()}”`]),
    ...(isSorted ? [`order “${SORT_LABELS[sort]}”`] : []),
    ...(isSorted && byTurn ? ['by turn'] : []),
  ];
  if (chip === 'all' || (chip === 'in' && words.length === 0)) return words.join(', ');
  return [`“${CHIP_LABELS[chip]}”`, ...words].join(', ');
}
