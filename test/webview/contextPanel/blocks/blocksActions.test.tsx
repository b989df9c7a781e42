import { act } from 'preact/test-utils';
import { WHY_HELD } from '../../../../src/contextWindow/reasons';
import { describe, expect, it } from 'vitest';
import type { BlockView } from '../../../../src/editor/contextPanel/state';
import {
  actionsOf,
  type ActionContext,
} from '../../../../webview/contextPanel/blocks/blockActions';
import { sampleBlocks, sampleContext } from '../contextViews';
import { ALL, drawPanel } from '../drawnPanel';
import { saidLabel } from '../../../../webview/kit/callWords';

// @vitest-environment happy-dom

const block = (id: string, changes: Partial<BlockView> = {}): BlockView => ({
  ...sampleBlocks().find((each) => each.id === id)!,
  ...changes,
});

const actions = (of: BlockView, changes: Partial<ActionContext> = {}) =>
  actionsOf(of, sampleContext(changes));

const names = (of: BlockView) => actions(of).map(({ name }) => name);

const whyNot = (of: BlockView, changes: Partial<ActionContext> = {}) =>
  Object.fromEntries(
    actions(of, changes).flatMap((action) =>
      action.whyNot === undefined ? [] : [[action.name, action.whyNot]],
    ),
  );

describe('the actions of a block', () => {
  it.each([
    ['a whole step', block('step-12'), ['open', 'pin', 'clear', 'exclude']],
    ['a reply', block('step-18'), ['open', 'pin', 'exclude']],
    ['a pinned step', block('step-14'), ['open', 'unpin', 'clear', 'exclude']],
    ['a cleared step', block('step-9'), ['open', 'pin', 'restore', 'recall', 'exclude']],
    ['a truncated step', block('step-13'), ['open', 'pin', 'clear', 'exclude']],
    [
      'a truncated step a pass has cut',
      block('step-13', { canComeBack: true }),
      ['open', 'pin', 'restore', 'recall', 'clear', 'exclude'],
    ],
    [
      'a step with a result left to clear',
      block('step-9', { results: { all: 2, cleared: 1, clearedNext: 1 } }),
      ['open', 'pin', 'restore', 'recall', 'clear', 'exclude'],
    ],
    ['an evicted step', block('step-11'), ['open', 'pin', 'restore', 'recall']],
    ['a compacted step', block('step-3'), ['open', 'pin', 'restore', 'recall']],
    [
      'an excluded step',
      block('step-12', { state: 'excluded', canComeBack: true }),
      ['open', 'pin', 'restore', 'recall'],
    ],
    ['a summary', block('summary-2'), ['open', 'pin', 'rewrite', 'exclude']],
    [
      'a summary that left',
      block('summary-2', { state: 'evicted', canComeBack: true }),
      ['open', 'pin', 'restore', 'recall'],
    ],
    ['the task', block('anchor-1'), ['open', 'unpin', 'exclude']],
    ['a prompt', block('prompt-19'), ['open', 'pin', 'task', 'exclude']],
  ] as const)('are only those that make sense for %s', (_what, of, expected) => {
    expect(names(of)).toEqual(expected);
  });

  it('send the wish of the same name', () => {
    const wishes = (of: BlockView) => actions(of).map(({ wish }) => wish);
    expect(wishes(block('step-9'))).toEqual([
      { type: 'openBlock', blockId: 'step-9' },
      { type: 'pinBlock', blockId: 'step-9' },
      { type: 'restoreBlock', blockId: 'step-9' },
      { type: 'recallBlock', blockId: 'step-9' },
      { type: 'excludeBlock', blockId: 'step-9' },
    ]);
    expect(wishes(block('step-14'))).toContainEqual({ type: 'clearBlock', blockId: 'step-14' });
    expect(wishes(block('step-14'))).toContainEqual({ type: 'unpinBlock', blockId: 'step-14' });
    expect(wishes(block('summary-2'))).toContainEqual({
      type: 'fetchSummary',
      blockId: 'summary-2',
    });
    expect(wishes(block('prompt-19'))).toContainEqual({ type: 'moveAnchor', blockId: 'prompt-19' });
  });

  it('say in advance what the host would refuse', () => {
    const pinned = WHY_HELD['keep:pinned'];
    expect(whyNot(block('step-14'))).toEqual({ clear: pinned, exclude: pinned });
    expect(whyNot(block('anchor-1'))).toEqual({ exclude: WHY_HELD['keep:anchor'] });
    expect(whyNot(block('step-11'))).toEqual({ pin: 'It was removed: restore it first.' });
    expect(whyNot(block('prompt-19')).exclude).toBe(WHY_HELD['keep:latestPrompt']);
    expect(whyNot(block('step-12'))).toEqual({});
  });

  it('leave the newest results alone until they are read', () => {
    const unread = WHY_HELD['keep:openStep'];
    expect(whyNot(block('step-21'))).toEqual({ clear: unread, exclude: unread });
    expect(whyNot(block('step-20'))).toEqual({});
  });

  it('change nothing in a read-only panel, but still open texts', () => {
    const why = 'This is step 12: go back to now to change anything.';
    expect(whyNot(block('step-9'), { whyReadOnly: why })).toEqual({
      pin: why,
      restore: why,
      recall: why,
      exclude: why,
    });
  });
});

describe('the menu of a row', () => {
  const opened = (id: string, changes: Partial<ActionContext> = {}) => {
    const panel = drawPanel(sampleContext(changes));
    const opener = panel.one('block-menu', panel.row(id));
    opener.focus();
    panel.click(opener);
    const item = (name: string) =>
      panel.all('block-action').find((each) => each.dataset['action'] === name)!;
    return { ...panel, opener, item };
  };
  const focused = () => (document.activeElement as HTMLElement).dataset['action'];

  it('lists the actions with their keys and effects', () => {
    const { one, item } = opened('step-12');
    expect(one('block-actions').getAttribute('role')).toBe('menu');
    expect(item('pin').textContent).toBe('KeepPPins it: no pass removes it.');
    expect(item('pin').getAttribute('aria-keyshortcuts')).toBe('P');
    expect(item('pin').getAttribute('role')).toBe('menuitem');
  });

  it('moves with the arrow keys, and wraps around', () => {
    const { press } = opened('step-12');
    const reached = ['ArrowDown', 'End', 'ArrowDown', 'ArrowUp', 'Home'].map((key) => {
      press(key);
      return focused();
    });
    expect(reached).toEqual(['pin', 'exclude', 'open', 'exclude', 'open']);
  });

  it('returns the focus to its button on Escape', () => {
    const { press, all, opener } = opened('step-12');
    press('Escape');
    expect(all('block-actions')).toEqual([]);
    expect(document.activeElement).toBe(opener);
  });

  it('runs the chosen action, and closes', () => {
    const { click, item, all, wishes, opener } = opened('step-12');
    click(item('exclude'));
    expect(wishes).toEqual([{ type: 'excludeBlock', blockId: 'step-12' }]);
    expect(all('block-actions')).toEqual([]);
    expect(document.activeElement).toBe(opener);
  });

  it('reacts to the letters of its items', () => {
    const { press, wishes, all } = opened('step-12');
    press('c');
    expect(wishes).toEqual([{ type: 'clearBlock', blockId: 'step-12' }]);
    expect(all('block-actions')).toEqual([]);
  });

  it('shows a disabled action with the reason, and does not run it', () => {
    const { click, item, wishes, all } = opened('step-14');
    expect(item('exclude').getAttribute('aria-disabled')).toBe('true');
    expect(item('exclude').textContent).toContain('This block is pinned. Unpin it first.');
    click(item('exclude'));
    expect(wishes).toEqual([]);
    expect(all('block-actions')).toHaveLength(1);
  });

  it('opens on a right click, and closes on a click elsewhere', () => {
    const { row, all, root } = drawPanel(sampleContext());
    const asked = new MouseEvent('contextmenu', { bubbles: true, cancelable: true });
    void act(() => void row('step-12').dispatchEvent(asked));
    expect(asked.defaultPrevented).toBe(true);
    expect(all('block-actions')).toHaveLength(1);
    void act(() => void root.dispatchEvent(new Event('pointerdown', { bubbles: true })));
    expect(all('block-actions')).toEqual([]);
  });
});

describe('the action on a row', () => {
  const LEFT = { tokens: 1_948, exact: true };
  const left = { was: LEFT, whole: LEFT, beforeStep: 9 };

  it.each([
    ['a step that a pass may remove', block('step-12'), 'Keep', { type: 'pinBlock' }],
    ['a pinned step', block('step-14'), 'Unpin', { type: 'unpinBlock' }],
    ['the task', block('anchor-1'), 'Unpin', { type: 'unpinBlock' }],
    ['a summary', block('summary-2'), 'Read', { type: 'openBlock' }],
    ['a removed step', block('step-11', { left }), 'Restore 1,948', { type: 'restoreBlock' }],
    ['a cleared step', block('step-9'), 'Restore', { type: 'restoreBlock' }],
  ] as const)('of %s does what it says', (_what, of, words, wish) => {
    const { row, click, wishes, all } = drawPanel(
      sampleContext({
        blocks: [of],
        moves: { 'step-11': { restore: LEFT }, 'step-9': { restore: LEFT } },
      }),
      ALL,
    );
    const verb = row(of.id).querySelector<HTMLElement>('.verb button')!;
    expect([verb.textContent, verb.getAttribute('aria-label')]).toEqual([
      words,
      `${words}: ${saidLabel(of)}`,
    ]);
    click(verb);
    expect(wishes).toEqual([{ ...wish, blockId: of.id }]);
    expect(all('block-details')).toEqual([]);
  });

  it.each([
    ['the newest prompt', block('prompt-19'), {}],
    ['the newest step', block('step-21'), {}],
    ['what cannot be restored', block('step-11', { canComeBack: false }), {}],
    ['a removed step at a past step', block('step-11'), { whyReadOnly: 'Step 4 is past.' }],
    ['a step of a recording', block('step-12'), { whyReadOnly: 'A recording.' }],
  ] as const)('is absent for %s', (_what, of, changes) => {
    const { row } = drawPanel(sampleContext({ blocks: [of], ...changes }), ALL);
    expect(row(of.id).querySelector('.verb')?.textContent).toBe('');
  });
});
