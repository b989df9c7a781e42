import { describe, expect, it } from 'vitest';
import { cellChanges } from '../../../src/editor/tools/notebookCells';

interface RawCell {
  readonly cell_type: string;
  readonly source: string | readonly string[];
  readonly outputs?: readonly string[];
}

const code = (source: string | readonly string[], ...outputs: readonly string[]): RawCell => ({
  cell_type: 'code',
  source,
  outputs,
});
const words = (source: string): RawCell => ({ cell_type: 'markdown', source });
const notebook = (cells: readonly RawCell[], metadata = {}) =>
  JSON.stringify({ cells, metadata, nbformat: 4 });

const BEFORE = [words('# Tides'), code(['a = 1\n', 'a'], '1'), code('b = 2'), words('End')];

const changes = (after: readonly RawCell[]) => {
  const found = cellChanges(notebook(BEFORE), notebook(after));
  return found.ok ? found.changes : found.message;
};

describe('the changes of a notebook', () => {
  it('are the text of each changed cell, last cell first; its outputs are not touched', () => {
    const after = [words('# Tides'), code('a = 5', '1'), code('b = 3'), words('End')];
    expect(changes(after)).toEqual([
      { type: 'text', at: 2, source: 'b = 3' },
      { type: 'text', at: 1, source: 'a = 5' },
    ]);
  });

  it('are inserted and deleted cells, by their index before', () => {
    const [title, first, , end] = BEFORE;
    expect(changes([title!, code('new'), first!, end!])).toEqual([
      { type: 'delete', at: 2 },
      { type: 'insert', at: 1, cell: { type: 'code', source: 'new' } },
    ]);
  });

  it('replace a cell that changes its kind', () => {
    const [title, first, , end] = BEFORE;
    expect(changes([title!, first!, words('b = 2'), end!])).toEqual([
      { type: 'insert', at: 2, cell: { type: 'markdown', source: 'b = 2' } },
      { type: 'delete', at: 2 },
    ]);
  });

  it('are none for the same cells in another form', () => {
    const [title, , ...rest] = BEFORE;
    expect(changes([title!, code(['a = 1\n', 'a'], '1'), ...rest])).toEqual([]);
  });

  it.each([
    ['outputs', [BEFORE[0]!, code(['a = 1\n', 'a'], '2'), BEFORE[2]!, BEFORE[3]!], {}],
    ['the metadata of the notebook', BEFORE, { kernel: 'other' }],
  ])('are refused for %s', (_what, cells, metadata) => {
    const found = cellChanges(notebook(BEFORE), notebook(cells, metadata));
    expect(found).toEqual({
      ok: false,
      message: 'in a notebook only the text of cells can be edited, inserted or deleted',
    });
  });

  it.each(['{', '{"cells": 3}'])('are refused for the text %s', (text) => {
    expect(cellChanges(notebook(BEFORE), text)).toMatchObject({
      message: 'the new text is not a notebook',
    });
  });
});
