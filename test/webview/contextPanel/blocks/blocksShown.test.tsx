import { act } from 'preact/test-utils';
import { describe, expect, it } from 'vitest';
import { listRows } from '../../../../webview/contextPanel/blocks/listRows';
import { DEFAULT_LOOK, type Look } from '../../../../webview/contextPanel/store/keptState';
import type { BlockView } from '../../../../src/editor/contextPanel/state';
import { sampleBlocks, sampleContext } from '../contextViews';
import { ALL, drawPanel, numberOn } from '../drawnPanel';

// @vitest-environment happy-dom

type Panel = ReturnType<typeof drawPanel>;

const sortBy = ({ one, all, click }: Panel, value: string): void => {
  if (all('sort').length === 0) click(one('show-filter'));
  void act(() => {
    const field = one('sort') as HTMLSelectElement;
    field.value = value;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  });
};

/** Opens the filter of a panel with all blocks. */
const opened = (): Panel => {
  const panel = drawPanel(sampleContext(), ALL);
  panel.click(panel.one('show-filter'));
  return panel;
};

const ids = (look: Partial<Look>) =>
  listRows(sampleContext(), { ...ALL, ...look }).map((row) =>
    row.type === 'turn' ? row.key : row.block.id,
  );

describe('the filter by words', () => {
  it.each([
    ['deckplan', ['step-12']],
    ['EVICTED', ['step-11']],
    ['pinned', ['anchor-1', 'step-14']],
    ['least relevant', ['step-11']],
    ['ledger truncated', ['step-13']],
    ['search_text tariff', ['step-14']],
    ['no such thing', []],
  ])('finds by name, state and reason: %s', (query, found) => {
    const { type, shownIds } = opened();
    type(query);
    expect(shownIds()).toEqual(found);
  });

  it('counts the matches, keeps the numbers of the chips, and clears on Escape', () => {
    const { type, press, one, root, all } = opened();
    type('cleared');
    expect(root.querySelector('.matches')?.textContent).toBe('2 of 21');
    expect(one('chip-in').textContent).toBe('In the window 14');
    press('Escape', one('filter'));
    expect(all('block-row')).toHaveLength(21);
    expect(root.querySelector('.matches')?.textContent).toBe('');
  });

  it('survives the next fact', () => {
    const { type, tell, shownIds } = opened();
    type('deckplan');
    tell({ type: 'contextChanged', context: sampleContext({ step: 18 }) });
    expect(shownIds()).toEqual(['step-12']);
  });

  it('finds a block by its current text', () => {
    const { type, tell, shownIds } = opened();
    type('found later');
    expect(shownIds()).toEqual([]);
    const [first, ...others] = sampleBlocks();
    const blocks = [{ ...first!, reason: 'Found later' }, ...others];
    tell({ type: 'contextChanged', context: sampleContext({ blocks }) });
    expect(shownIds()).toEqual(['anchor-1']);
  });

  it('is closed at first, and clears when it closes', () => {
    const { all, one, click, type, store } = drawPanel(sampleContext(), ALL);
    expect(all('filter')).toEqual([]);
    type('cleared');
    expect(all('block-row')).toHaveLength(2);
    click(one('show-filter'));
    expect(all('filter')).toEqual([]);
    expect(all('block-row')).toHaveLength(21);
    expect(store.look.value.query).toBe('');
  });
});

describe('the chips', () => {
  const CHIP_NAMES = ['in', 'out', 'pinned', 'again', 'all'] as const;

  it.each(CHIP_NAMES)('show as many blocks as “%s” says', (chip) => {
    const { one, all, click } = drawPanel(sampleContext());
    click(one(`chip-${chip}`));
    expect(all('block-row')).toHaveLength(numberOn(one(`chip-${chip}`)));
  });

  it('name what they show', () => {
    const { root } = drawPanel(sampleContext());
    expect(root.querySelector('.block-chips')?.textContent).toBe(
      'In the window 14Removed 7Pinned 2Needed again 3All 21',
    );
  });

  it('show the blocks that are in the window, removed, pinned, or needed again', () => {
    const { one, click, shownIds } = drawPanel(sampleContext());
    const shownBy = (chip: string) => {
      click(one(`chip-${chip}`));
      return new Set(shownIds());
    };
    const idsOf = (isShown: (block: BlockView) => boolean) =>
      new Set(
        sampleBlocks()
          .filter(isShown)
          .map(({ id }) => id),
      );
    expect(shownBy('in')).toEqual(idsOf(({ category }) => category !== undefined));
    expect(shownBy('out')).toEqual(idsOf(({ category }) => category === undefined));
    expect(shownBy('pinned')).toEqual(idsOf(({ pinned }) => pinned));
    expect(shownBy('again')).toEqual(new Set(['step-9', 'step-11', 'step-4']));
  });

  it('say which step needed a block again, the last one of several', () => {
    const again = { blockId: 'step-9', step: 14, what: 'a', tokens: 1 };
    const neededAgain = [again, { ...again, step: 15 }];
    const { one, click, row } = drawPanel(sampleContext({ neededAgain }));
    click(one('chip-again'));
    expect(row('step-9').querySelector('.why')?.textContent).toBe(
      'needed again at step 15 cleared',
    );
  });

  it('are absent if they have no blocks, but those in the window, removed and all', () => {
    const blocks = [{ ...sampleBlocks()[11]!, id: 'b1' }];
    const { root } = drawPanel(sampleContext({ blocks, neededAgain: [] }));
    expect(root.querySelector('.block-chips')?.textContent).toBe('In the window 1Removed 0All 1');
  });

  it('count a block once however often it was needed, and none that the log has lost', () => {
    const again = { blockId: 'step-9', step: 14, what: 'a', tokens: 1 };
    const neededAgain = [again, { ...again, step: 15 }, { ...again, blockId: 'lost' }];
    const { one } = drawPanel(sampleContext({ neededAgain }));
    expect(one('chip-again').textContent).toBe('Needed again 1');
  });

  it('are one tab stop, and the arrow keys choose', () => {
    const { root, one, press, store } = drawPanel(sampleContext());
    const chips = [...root.querySelectorAll<HTMLElement>('.block-chips > [role="radio"]')];
    expect(chips.map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1, -1, -1]);
    one('chip-in').focus();
    press('ArrowRight');
    expect([store.look.value.chip, document.activeElement]).toEqual(['out', one('chip-out')]);
    expect(one('chip-out').getAttribute('aria-checked')).toBe('true');
    press('End');
    press('ArrowRight');
    expect(document.activeElement).toBe(one('chip-in'));
  });

  it('combine with the words, and one button clears both', () => {
    const panel = drawPanel(sampleContext());
    panel.click(panel.one('chip-out'));
    panel.type('read_file');
    expect(panel.shownIds()).toEqual(['step-4', 'step-5', 'step-8']);
    panel.type('no such thing');
    panel.click(panel.one('show-all'));
    expect(panel.all('block-row')).toHaveLength(21);
  });
});

describe('the order', () => {
  it("is the model's reading order by default", () => {
    expect(ids({})).toEqual(sampleBlocks().map(({ id }) => id));
    expect(ids({ sort: 'tokens' }).slice(0, 3)).toEqual(['step-17', 'step-13', 'step-12']);
    expect(ids({ sort: 'age' }).slice(0, 2)).toEqual(['step-21', 'step-20']);
  });

  it('puts the least relevant first, and unrated blocks last', () => {
    const sorted = ids({ sort: 'salience' });
    expect(sorted.slice(0, 2)).toEqual(['anchor-1', 'summary-2']);
    expect(sorted.slice(-2)).toEqual(['step-8', 'step-11']);
  });

  it('can be chosen in the panel', () => {
    const panel = drawPanel(sampleContext());
    sortBy(panel, 'tokens');
    expect(panel.shownIds()[0]).toBe('step-17');
  });
});

describe('grouping by turn', () => {
  it('has a row for each turn with its prompt, its blocks and their tokens', () => {
    const { one, all, click } = opened();
    click(one('by-turn'));
    expect(all('turn-row').map((row) => row.textContent)).toEqual([
      'Turn 1 Two tests of the harbour module fail. Find out why, fix them, keep the API18 blocks · 11,233 tokens',
      'Turn 2 And why did nobody notice? Look at the report3 blocks · ≈\u00a01,787 tokens',
    ]);
  });

  it('sorts within the turns, newest turn first if newest blocks come first', () => {
    expect(ids({ byTurn: true, sort: 'tokens' }).slice(-3)).toEqual([
      'step-20',
      'step-21',
      'prompt-19',
    ]);
    expect(ids({ byTurn: true, sort: 'age' }).slice(0, 2)).toEqual(['turn 2', 'step-21']);
  });

  it('folds and unfolds a turn by click and by arrow key', () => {
    const { one, all, click, press } = opened();
    click(one('by-turn'));
    const turn = (at: number) => all('turn-row')[at]!;
    click(turn(0));
    expect(all('block-row')).toHaveLength(3);
    expect(turn(0).getAttribute('aria-expanded')).toBe('false');
    turn(1).focus();
    press('ArrowLeft');
    expect(all('block-row')).toEqual([]);
    press('ArrowRight');
    press('Enter', turn(0));
    expect(all('block-row')).toHaveLength(21);
  });

  it('moves from a block to its turn with the left arrow', () => {
    const { one, row, click, press } = opened();
    click(one('by-turn'));
    row('step-20').focus();
    press('ArrowLeft');
    expect((document.activeElement as HTMLElement).dataset['turn']).toBe('2');
  });

  it('shows matches in a folded turn', () => {
    expect(ids({ byTurn: true, collapsedTurns: [1] })).not.toContain('step-12');
    expect(ids({ byTurn: true, collapsedTurns: [1], query: 'deckplan' })).toEqual([
      'turn 1',
      'step-12',
    ]);
  });

  it('counts matches, not rows', () => {
    const { one, root, click, type } = opened();
    click(one('by-turn'));
    type('read_file');
    expect(root.querySelector('.matches')?.textContent).toBe('8 of 21');
  });

  it('is a tree to screen readers, and a grid without turns', () => {
    const { one, root, row, click } = opened();
    const list = root.querySelector('.list')!;
    expect(list.getAttribute('role')).toBe('grid');
    expect(row('step-12').hasAttribute('aria-level')).toBe(false);
    click(one('by-turn'));
    expect(list.getAttribute('role')).toBe('treegrid');
    expect(row('step-12').getAttribute('aria-level')).toBe('2');
    expect(list.getAttribute('aria-rowcount')).toBe('23');
    expect(row('anchor-1').getAttribute('aria-rowindex')).toBe('2');
  });
});

describe('the filter and order of the list', () => {
  it('are one value that can be stored and restored', () => {
    const panel = opened();
    panel.type('read');
    panel.click(panel.one('chip-in'));
    sortBy(panel, 'salience');
    panel.click(panel.one('by-turn'));
    panel.click(panel.row('step-12'));
    expect(panel.store.look.value).toEqual({
      ...DEFAULT_LOOK,
      session: 'session-1',
      query: 'read',
      chip: 'in',
      filterOpen: true,
      sort: 'salience',
      byTurn: true,
      blockId: 'step-12',
      tab: 'block',
    });
  });
});
