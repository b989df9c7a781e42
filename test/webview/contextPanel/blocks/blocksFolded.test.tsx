import { act } from 'preact/test-utils';
import { describe, expect, it } from 'vitest';
import type { BlockView } from '../../../../src/editor/contextPanel/state';
import { balanceOf, sampleBlocks, sampleContext } from '../contextViews';
import { ALL, drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

const [, SUMMARY, COMPACTED] = sampleBlocks();

const left = (pass: number): NonNullable<BlockView['left']> => ({
  was: { tokens: 100, exact: true },
  pass,
  beforeStep: 9,
});

const summary = (id: string, covers: readonly string[], changes: Partial<BlockView> = {}) => ({
  ...SUMMARY!,
  id,
  label: `Summary ${id}`,
  covers,
  ...changes,
});

const gone = (id: string, pass = 1): BlockView => ({ ...COMPACTED!, id, left: left(pass) });

const here = (id: string): BlockView => ({ ...sampleBlocks()[11]!, id });

/** The newest summary replaces an earlier one, which replaced a and b. */
const BLOCKS: readonly BlockView[] = [
  summary('new', ['old', 'c', 'pinned'], {}),
  summary('old', ['a', 'b'], { state: 'summarised', left: left(2) }),
  gone('a'),
  gone('b'),
  here('pinned'),
  gone('c', 2),
  { ...gone('lone'), state: 'evicted' },
  here('last'),
];

const drawn = (blocks = BLOCKS) =>
  drawPanel(sampleContext({ blocks, balance: balanceOf([]) }), ALL);

describe('the blocks that a summary replaced', () => {
  it('are folded below it, including those of an earlier summary', () => {
    const { shownIds, row, one } = drawn();
    expect(shownIds()).toEqual(['new', 'pinned', 'lone', 'last']);
    expect(row('new').getAttribute('aria-expanded')).toBe('false');
    expect(one('unfold').title).toBe('Show the 4 blocks it stands for');
  });

  it('unfold on a click, one level deeper, and fold on the next', () => {
    const { shownIds, click, one, row } = drawn();
    click(one('unfold'));
    expect(shownIds()).toEqual(['new', 'old', 'a', 'b', 'c', 'pinned', 'lone', 'last']);
    expect(row('a').getAttribute('aria-level')).toBe('2');
    expect(row('new').getAttribute('aria-level')).toBe('1');
    expect(row('a').textContent).not.toContain('now in');
    click(one('unfold'));
    expect(shownIds()).toEqual(['new', 'pinned', 'lone', 'last']);
  });

  it('unfold and fold by keyboard, which first moves up to the summary', () => {
    const { shownIds, press, row } = drawn();
    row('new').focus();
    press('ArrowRight');
    expect(shownIds()).toContain('a');
    press('ArrowDown');
    press('ArrowDown');
    expect(document.activeElement).toBe(row('a'));
    press('ArrowLeft');
    expect(document.activeElement).toBe(row('new'));
    press('ArrowLeft');
    expect(shownIds()).not.toContain('a');
  });

  it('have a row while selected; folding selects the summary instead', () => {
    const { shownIds, store, click, one } = drawn();
    click(one('unfold'));
    void act(() => {
      store.look.value = { ...store.look.value, openSummaries: [], blockId: 'b' };
    });
    expect(shownIds()).toContain('b');
    click(one('unfold'));
    expect(store.look.value.blockId).toBe('new');
    expect(shownIds()).not.toContain('b');
  });

  it('are found by a filter, with their place', () => {
    const { shownIds, type, row } = drawn();
    type('pass 2');
    expect(shownIds()).toEqual(['old', 'c']);
    expect(row('c').querySelector<HTMLElement>('.why')?.title).toContain(
      'before step 9 · now in “Summary new”',
    );
  });

  it('stay in their turn if the list is grouped by turn', () => {
    const { shownIds, click, one } = drawn();
    click(one('show-filter'));
    click(one('by-turn'));
    expect(shownIds()).toHaveLength(BLOCKS.length);
  });

  it('are also beneath it in “In the window”, which counts only the summary', () => {
    const { shownIds, click, one } = drawn();
    click(one('chip-in'));
    expect(shownIds()).toEqual(['new', 'pinned', 'last']);
    expect(one('chip-in').textContent).toBe('In the window 3');
    click(one('unfold'));
    expect(shownIds()).toEqual(['new', 'old', 'a', 'b', 'c', 'pinned', 'last']);
  });
});
