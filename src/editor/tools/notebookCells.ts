import { diffArrays } from 'diff';
import * as z from 'zod/mini';
import { refused, type Result } from '../../contextWindow/result';

/** A cell of a notebook file; other fields are kept as they are. */
const CELL = z.looseObject({
  cell_type: z.enum(['code', 'markdown', 'raw']),
  source: z.union([z.string(), z.array(z.string())]),
});
const NOTEBOOK = z.looseObject({ cells: z.array(CELL) });

interface Cell {
  readonly type: 'code' | 'markdown' | 'raw';
  readonly source: string;
}

/** A change of one cell; `at` is its index before all changes. */
export type CellChange =
  | { readonly type: 'text'; readonly at: number; readonly source: string }
  | { readonly type: 'insert'; readonly at: number; readonly cell: Cell }
  | { readonly type: 'delete'; readonly at: number };

/** The changes that lead from one text of a notebook file to another, last cell first. */
export function cellChanges(
  before: string,
  after: string,
): Result<{ readonly changes: readonly CellChange[] }> {
  const [from, to] = [notebookIn(before), notebookIn(after)];
  if (from === undefined) return refused('it is not a notebook that can be read');
  if (to === undefined) return refused('the new text is not a notebook');
  if (!isSame(without(from, 'cells'), without(to, 'cells'))) return refused(ONLY_CELLS);
  const [old, now] = [from.cells.map(cellOf), to.cells.map(cellOf)];
  const changes: CellChange[] = [];
  let [at, next] = [0, 0];
  let removed: number[] = [];
  for (const part of diffArrays(old.map(keyOf), now.map(keyOf))) {
    if (part.removed) removed = part.value.map((_key, index) => at + index);
    else if (part.added) {
      const added = now.slice(next, next + part.value.length);
      changes.push(...paired(old, removed, added, at + removed.length));
      at += removed.length;
      removed = [];
      next += part.value.length;
    } else {
      changes.push(...removed.map((index) => ({ type: 'delete', at: index }) as const));
      at += removed.length + part.value.length;
      removed = [];
      next += part.value.length;
    }
  }
  changes.push(...removed.map((index) => ({ type: 'delete', at: index }) as const));
  const touched = new Set(changes.flatMap((change) => (change.type === 'insert' ? [] : change.at)));
  const kept = from.cells.filter((_cell, index) => !touched.has(index));
  const added = changes.filter(({ type }) => type !== 'delete').map(sourceOf);
  const others = to.cells.filter((cell) => !added.includes(cellOf(cell).source));
  const hasOther = others.length === kept.length && !isSame(kept, others);
  return hasOther ? refused(ONLY_CELLS) : { ok: true, changes: changes.toReversed() };
}

const ONLY_CELLS = 'in a notebook only the text of cells can be edited, inserted or deleted';

/** Changed cells keep their outputs; the others are inserted or deleted. */
function paired(
  old: readonly Cell[],
  removed: readonly number[],
  added: readonly Cell[],
  end: number,
): readonly CellChange[] {
  const changes: CellChange[] = [];
  const most = Math.max(removed.length, added.length);
  for (let index = 0; index < most; index += 1) {
    const [at, cell] = [removed[index], added[index]];
    if (at !== undefined && cell !== undefined && old[at]?.type === cell.type) {
      changes.push({ type: 'text', at, source: cell.source });
      continue;
    }
    if (at !== undefined) changes.push({ type: 'delete', at });
    if (cell !== undefined) changes.push({ type: 'insert', at: at ?? end, cell });
  }
  return changes;
}

function sourceOf(change: CellChange): string | undefined {
  return change.type === 'text'
    ? change.source
    : change.type === 'insert'
      ? change.cell.source
      : undefined;
}

function notebookIn(text: string): z.output<typeof NOTEBOOK> | undefined {
  try {
    return NOTEBOOK.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function cellOf({ cell_type: type, source }: z.output<typeof CELL>): Cell {
  return { type, source: typeof source === 'string' ? source : source.join('') };
}

function keyOf({ type, source }: Cell): string {
  return `${type} ${source}`;
}

function without(value: object, key: string): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
