import { describe, expect, it } from 'vitest';
import type { ContextWish } from '../../../../src/editor/contextPanel/wishes';
import type { BlockView, ContextView } from '../../../../src/editor/contextPanel/state';
import { keyAction } from '../../../../webview/contextPanel/blocks/rowEvents';
import { balanceOf, sampleBlocks, sampleContext } from '../contextViews';
import { ALL, drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

/** The user's wishes, without the automatic fetch of a block's life. */
const asked = (wishes: readonly ContextWish[]) =>
  wishes.filter(({ type }) => type !== 'fetchLives');

const drawn = (
  count: number,
  changes: Partial<BlockView> = {},
  context: Partial<ContextView> = {},
) =>
  drawPanel(
    sampleContext({
      blocks: Array.from({ length: count }, (_, index) => ({
        ...sampleBlocks()[11]!,
        id: `b${index + 1}`,
        ...changes,
      })),
      balance: balanceOf([]),
      ...context,
    }),
    ALL,
  );

const focusedId = () => (document.activeElement as HTMLElement | null)?.dataset['blockId'];

describe('a key', () => {
  it.each([
    ['ArrowDown', 4, 5],
    ['ArrowUp', 4, 3],
    ['PageDown', 4, 7],
    ['PageUp', 4, 1],
    ['PageDown', 8, 9],
    ['PageUp', 1, 0],
    ['ArrowUp', 0, 0],
    ['ArrowDown', 9, 9],
    ['Home', 4, 0],
    ['End', 4, 9],
  ])('%s moves from row %i to row %i of ten, three in view', (key, at, to) => {
    expect(keyAction(key, { at, count: 10, page: 3 })).toEqual({ type: 'go', to });
  });
});

describe('the keyboard', () => {
  it('stops at one row with Tab: the first, then the last one visited', () => {
    const { all, row, press } = drawn(3);
    const stops = () => all('block-row').map((each) => each.tabIndex);
    expect(stops()).toEqual([0, -1, -1]);
    row('b1').focus();
    press('ArrowDown');
    expect(document.activeElement).toBe(row('b2'));
    expect(stops()).toEqual([-1, 0, -1]);
  });

  it('moves up and down to the ends, and not beyond', () => {
    const { row, press } = drawn(3);
    row('b1').focus();
    const reached = ['ArrowUp', 'ArrowDown', 'End', 'ArrowDown', 'ArrowUp', 'Home'].map((key) => {
      press(key);
      return focusedId();
    });
    expect(reached).toEqual(['b1', 'b2', 'b3', 'b3', 'b2', 'b1']);
  });

  it('shows details with Enter, as a click does; a double click opens the text', () => {
    const { row, press, click, one, store, wishes } = drawn(2);
    row('b1').focus();
    press('Enter');
    expect(one('block-details').dataset['blockId']).toBe('b1');
    expect(store.look.value.tab).toBe('block');
    expect(row('b1').getAttribute('aria-selected')).toBe('true');
    click(row('b2').querySelector<HTMLElement>('.label')!);
    expect(one('block-details').dataset['blockId']).toBe('b2');
    expect(row('b1').getAttribute('aria-selected')).toBe('false');
    expect(asked(wishes)).toEqual([]);
    row('b2').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }));
    expect(asked(wishes)).toEqual([{ type: 'openBlock', blockId: 'b2' }]);
  });

  it.each([
    ['o', {}, { type: 'openBlock', blockId: 'b1' }],
    ['P', {}, { type: 'pinBlock', blockId: 'b1' }],
    ['p', { pinned: true }, { type: 'unpinBlock', blockId: 'b1' }],
    ['t', { kind: 'prompt' }, { type: 'moveAnchor', blockId: 'b1' }],
    ['x', {}, { type: 'excludeBlock', blockId: 'b1' }],
    ['r', { state: 'evicted', canComeBack: true }, { type: 'restoreBlock', blockId: 'b1' }],
    ['c', {}, { type: 'clearBlock', blockId: 'b1' }],
    ['e', { kind: 'summary' }, { type: 'fetchSummary', blockId: 'b1' }],
  ] as const)('%s on %o runs its action', (key, changes, wish) => {
    const { row, press, wishes } = drawn(2, changes);
    press(key, row('b1'));
    expect(wishes).toEqual([wish]);
  });

  it('says why a key did nothing', () => {
    const { row, press, wishes, root } = drawn(2, {
      pinned: true,
      whyHeld: 'This block is pinned. Unpin it first.',
    });
    press('x', row('b1'));
    expect(asked(wishes)).toEqual([]);
    expect(root.querySelector('.banner.refusal .message')?.textContent).toBe(
      '“Exclude” was not done. This block is pinned. Unpin it first.',
    );
  });

  it('ignores letters without an action', () => {
    const { row, press, wishes, root } = drawn(2);
    for (const key of ['t', 'e', 'r', 'z']) press(key, row('b1'));
    expect(asked(wishes)).toEqual([]);
    expect(root.querySelector('.banner')).toBeNull();
  });

  it('leaves Enter on a button to the button, and key combinations to the editor', () => {
    const { one, row, press, wishes, all } = drawn(1);
    press('Enter', one('block-menu', row('b1')));
    press('p', row('b1'), { ctrlKey: true });
    expect(all('block-details')).toEqual([]);
    expect(asked(wishes)).toEqual([]);
  });

  it('changes nothing at a past step, but still opens texts', () => {
    const { row, press, wishes } = drawn(2, {}, { whyReadOnly: 'This is the past.' });
    press('p', row('b1'));
    press('o', row('b1'));
    expect(wishes).toEqual([{ type: 'openBlock', blockId: 'b1' }]);
  });

  it('lists its keys on request, and hides them again', () => {
    const { row, press, one, all } = drawn(1);
    press('?', row('b1'));
    expect(one('block-keys').textContent).toContain('Xexclude');
    press('?', row('b1'));
    expect(all('block-keys')).toEqual([]);
  });
});

describe('focus', () => {
  it('stays on its row while the rows around it change', () => {
    const { row, tell } = drawn(3);
    const blocks = sampleContext().blocks;
    const held = row('b2');
    held.focus();
    const others = [blocks[3]!, { ...sampleBlocks()[11]!, id: 'b2', why: 'after' }, blocks[4]!];
    tell({ type: 'contextChanged', context: sampleContext({ blocks: others }) });
    expect(document.activeElement).toBe(held);
    expect(held.textContent).toContain('after');
  });

  it('moves to the row in its place if the filter hides its row', () => {
    const { row, tell, store } = drawn(3);
    store.look.value = { ...store.look.value, chip: 'in' };
    row('b2').focus();
    const [b1, b2, b3] = ['b1', 'b2', 'b3'].map((id) => ({ ...sampleBlocks()[11]!, id }));
    const blocks = [b1!, { ...b2!, state: 'excluded' as const }, b3!];
    tell({ type: 'contextChanged', context: sampleContext({ blocks }) });
    expect(focusedId()).toBe('b3');
  });

  it('moves to the row if its button is removed', () => {
    const { one, row, tell } = drawn(1, { state: 'evicted', canComeBack: true });
    one('verb-restore', row('b1')).focus();
    const blocks = [{ ...sampleBlocks()[11]!, id: 'b1', keepable: false }];
    tell({ type: 'contextChanged', context: sampleContext({ blocks }) });
    expect(document.activeElement).toBe(row('b1'));
  });
});
