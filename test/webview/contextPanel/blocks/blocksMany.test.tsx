import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BlockView } from '../../../../src/editor/contextPanel/state';
import { layoutFor, rowHeights } from '../../../../webview/contextPanel/blocks/blockGrid';
import { layOut } from '../../support/layOut';
import { balanceOf, manyBlocks, sampleBlocks, sampleContext } from '../contextViews';
import { ALL, drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

const HEIGHT = 600;
const COUNT = 10_000;
const BLOCKS = manyBlocks(COUNT);
const BALANCE = balanceOf(sampleBlocks());

let takeBack: () => void;
beforeEach(() => {
  takeBack = layOut(HEIGHT);
});
afterEach(() => takeBack());

const showing = (blocks: readonly BlockView[]) => sampleContext({ blocks, balance: BALANCE });

/** Draws the list and scrolls to the start: it opens at the newest block. */
const drawn = (blocks: readonly BlockView[] = BLOCKS) => {
  const panel = drawPanel(showing(blocks), ALL);
  const list = panel.root.querySelector<HTMLElement>('.list')!;
  const scrollTo = (top: number): void =>
    void act(() => {
      list.scrollTop = top;
    });
  const tellBlocks = (next: readonly BlockView[]): void =>
    panel.tell({ type: 'contextChanged', context: showing(next) });
  const opensAt = list.scrollTop;
  scrollTo(0);
  const row = Math.round(parseFloat(panel.row('many-1').style.height));
  return { ...panel, list, scrollTo, tellBlocks, rowHeight: row, opensAt };
};

const focusedIndex = () => document.activeElement?.getAttribute('aria-rowindex');

describe('the height of a row', () => {
  it('follows the font size, in whole pixels', () => {
    expect(rowHeights(13, 'lines')).toEqual({ block: 44, turn: 29 });
    expect(rowHeights(20, 'lines')).toEqual({ block: 68, turn: 44 });
    expect(rowHeights(13, 'line')).toEqual({ block: 25, turn: 25 });
    expect(rowHeights(13, 'narrow').block).toBe(44);
  });

  it('grows if one line would cut the meaning of a reason', () => {
    const layouts = [1_000, 580, 579, 420, 419].map(layoutFor);
    expect(layouts).toEqual(['line', 'line', 'lines', 'lines', 'narrow']);
  });
});

describe('10,000 blocks', () => {
  it('are drawn only in view, in a list as long as all of them', () => {
    const { all, list, rowHeight } = drawn();
    expect(all('block-row').length).toBeLessThan(40);
    expect(list.scrollHeight).toBe(COUNT * rowHeight);
    expect(list.getAttribute('aria-rowcount')).toBe('10000');
  });

  it('open at the newest', () => {
    const { opensAt, rowHeight } = drawn();
    expect(opensAt).toBe(COUNT * rowHeight - HEIGHT);
  });

  it('stay at the newest as more arrive, until the user scrolls away', () => {
    const { root, tell } = drawPanel(showing(BLOCKS.slice(0, 100)), ALL);
    const list = root.querySelector<HTMLElement>('.list')!;
    const isAtEnd = () => list.scrollTop === list.scrollHeight - HEIGHT;
    tell({ type: 'contextChanged', context: showing(BLOCKS.slice(0, 103)) });
    expect(isAtEnd()).toBe(true);
    void act(() => {
      list.scrollTop -= 200;
    });
    tell({ type: 'contextChanged', context: showing(BLOCKS.slice(0, 105)) });
    expect(isAtEnd()).toBe(false);
  });

  it('appear in their place as the user scrolls', () => {
    const { row, scrollTo, rowHeight, shownIds } = drawn();
    scrollTo(5_000 * rowHeight);
    expect(shownIds()).not.toContain('many-1');
    const first = row('many-5001');
    expect(first.getAttribute('aria-rowindex')).toBe('5001');
    expect(first.style.transform).toBe(`translateY(${5_000 * rowHeight}px)`);
  });

  it('are reached by keys before they are drawn', () => {
    const { row, press, list, rowHeight } = drawn();
    row('many-1').focus();
    const reached = ['End', 'ArrowUp', 'PageUp', 'Home', 'PageDown'].map((key) => {
      press(key);
      return Number(focusedIndex());
    });
    const page = 9_999 - reached[2]!;
    expect(page).toBeGreaterThan(5);
    expect(reached).toEqual([10_000, 9_999, 9_999 - page, 1, 1 + page]);
    press('End');
    expect(list.scrollTop).toBe(COUNT * rowHeight - HEIGHT);
  });

  it('scroll to the row with the keyboard focus', () => {
    const { row, press, list, rowHeight } = drawn();
    row('many-1').focus();
    for (let times = 0; times < 50; times++) press('ArrowDown');
    expect(focusedIndex()).toBe('51');
    expect(list.scrollTop).toBe(51 * rowHeight - HEIGHT);
  });

  it('keep the focus on its row while it is out of view, through new facts and back', () => {
    const { row, scrollTo, tellBlocks, shownIds, rowHeight } = drawn();
    const held = row('many-3');
    held.focus();
    scrollTo(5_000 * rowHeight);
    expect(shownIds()).toContain('many-3');
    expect(document.activeElement).toBe(held);
    tellBlocks(structuredClone(BLOCKS));
    scrollTo(0);
    expect(document.activeElement).toBe(held);
    expect(focusedIndex()).toBe('3');
  });

  it('move on from the focused row, wherever the user has scrolled', () => {
    const { row, scrollTo, press, list, rowHeight } = drawn();
    row('many-3').focus();
    scrollTo(5_000 * rowHeight);
    press('ArrowDown');
    expect(focusedIndex()).toBe('4');
    expect(list.scrollTop).toBe(3 * rowHeight);
  });

  it('follow the end only after the user scrolled there', () => {
    const { list, scrollTo, tellBlocks, press, row, rowHeight } = drawn(BLOCKS.slice(0, 100));
    const end = () => list.scrollHeight - HEIGHT;
    tellBlocks(BLOCKS.slice(0, 101));
    expect(list.scrollTop).toBe(0);
    scrollTo(end());
    tellBlocks(BLOCKS.slice(0, 102));
    expect(list.scrollTop).toBe(102 * rowHeight - HEIGHT);
    row('many-102').focus();
    press('ArrowUp');
    scrollTo(end() - 100);
    tellBlocks(BLOCKS.slice(0, 103));
    expect(list.scrollTop).toBe(102 * rowHeight - HEIGHT - 100);
  });

  it('stay still while a menu is open, and catch up when it closes', () => {
    const { list, scrollTo, tellBlocks, press, click, row, one, all } = drawn(BLOCKS.slice(0, 100));
    const end = () => list.scrollHeight - HEIGHT;
    scrollTo(end());
    const before = end();
    click(one('block-menu', row('many-100')));
    tellBlocks(BLOCKS.slice(0, 102));
    expect([all('block-actions').length, list.scrollTop]).toEqual([1, before]);
    press('Escape');
    expect([all('block-actions').length, list.scrollTop]).toEqual([0, end()]);
  });

  it('scroll to the top after sorting, and to the selected row after filtering', () => {
    const { store, list, click, row, scrollTo, type, shownIds, rowHeight } = drawn();
    scrollTo(5_000 * rowHeight);
    click(row('many-5003'));
    type('#');
    expect(shownIds()).toContain('many-5003');
    void act(() => {
      store.look.value = { ...store.look.value, sort: 'tokens' };
    });
    expect(list.scrollTop).toBe(0);
  });

  it('redraw only the rows that changed', () => {
    const { row, tellBlocks } = drawn();
    const kept = row('many-1').querySelector('.label')!.firstChild!;
    let changes = 0;
    const observer = new MutationObserver((records) => (changes += records.length));
    observer.observe(row('many-1').parentElement!, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    const next = structuredClone(BLOCKS).map((block) =>
      block.id === 'many-2' ? { ...block, why: 'pinned by you', reason: 'Pinned by you' } : block,
    );
    tellBlocks(next);
    changes += observer.takeRecords().length;
    observer.disconnect();
    expect(row('many-2').textContent).toContain('pinned by you');
    expect(row('many-1').querySelector('.label')!.firstChild).toBe(kept);
    // The text and the tooltip of one reason.
    expect(changes).toBe(2);
  });

  it('are filtered, and keep their place', () => {
    const { type, shownIds, list, rowHeight } = drawn();
    type('deckplan #1272');
    expect(shownIds()).toEqual(['many-1272']);
    expect(list.scrollHeight).toBe(rowHeight);
  });
});
