import { describe, expect, it } from 'vitest';
import type { BlockView } from '../../../../src/editor/contextPanel/state';
import { balanceOf, sampleBlocks, sampleContext, sampleRecording } from '../contextViews';
import { drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

const only = (...blocks: readonly Partial<BlockView>[]): readonly BlockView[] =>
  blocks.map((changes, index) => ({ ...sampleBlocks()[11]!, id: `b${index + 1}`, ...changes }));

const drawn = (...blocks: readonly Partial<BlockView>[]) =>
  drawPanel(sampleContext({ blocks: only(...blocks), balance: balanceOf([]) }));

const LEFT: NonNullable<BlockView['left']> = {
  was: { tokens: 675, exact: false },
  whole: { tokens: 1_948, exact: true },
  pass: 4,
  beforeStep: 27,
};

const textOf = (row: HTMLElement, part: string) => row.querySelector(part)?.textContent;

const stateOf = (row: HTMLElement) => textOf(row, '[data-testid="state"]');

describe('the list of blocks', () => {
  it('has a row for each block, with removed ones in their place', () => {
    const { shownIds, row } = drawPanel(sampleContext());
    expect(shownIds()).toEqual(sampleBlocks().map(({ id }) => id));
    expect(row('step-11').dataset['state']).toBe('evicted');
    expect(row('step-11').classList.contains('out')).toBe(true);
  });

  it('counts blocks in the window and removed blocks in its title', () => {
    expect(drawPanel(sampleContext()).root.querySelector('.blocks .counts')?.textContent).toBe(
      '14 in the window · 7 removed · 2 pinned',
    );
  });

  it('shows number, name, reason, tokens and state of each', () => {
    const { row } = drawPanel(sampleContext());
    const deckPlan = row('step-12');
    expect(textOf(deckPlan, '.place')).toBe('10');
    expect(textOf(deckPlan, '.label')).toBe('read_file src/deckPlan.js');
    expect(textOf(deckPlan, '.reason')).toMatch(/^Kept: the low watermark/);
    expect(textOf(deckPlan, '.weight')).toBe('1,914');
    expect(stateOf(deckPlan)).toBe('whole');
    expect(textOf(row('anchor-1'), '.place')).toBe('T1');
  });

  it('marks an estimate, and shows no tokens for a removed block', () => {
    const { row } = drawPanel(sampleContext());
    expect(textOf(row('step-20'), '.weight')).toBe('≈\u00a01,344');
    expect(row('step-20').dataset['exact']).toBe('false');
    expect(textOf(row('step-11'), '.weight')).toBe('Restore');
  });

  it.each([
    [{ state: 'whole', pinned: true }, 'pinned'],
    [{ state: 'whole', pinned: false }, 'whole'],
    [{ state: 'truncated', pinned: true }, 'truncated'],
    [{ state: 'trimmed' }, 'trimmed'],
    [{ state: 'cleared' }, 'cleared'],
    [{ state: 'summarised' }, 'summarised'],
    [{ state: 'evicted' }, 'evicted'],
    [{ state: 'excluded' }, 'excluded'],
  ] as const)('gives %o the word %s', (changes, word) => {
    expect(stateOf(drawn(changes).row('b1'))).toBe(word);
  });

  it.each([
    [{ all: 3, cleared: 2, clearedNext: 3 }, '2 of 3 cleared', 'next: clear the rest'],
    [{ all: 4, cleared: 2, clearedNext: 3 }, '2 of 4 cleared', 'next: clear 1 more'],
    [{ all: 3, cleared: 3, clearedNext: 3 }, 'cleared', undefined],
  ])('counts the results of a step that keeps some of them: %o', (results, state, next) => {
    const { row } = drawn({
      state: 'cleared',
      results,
      ...(next === undefined ? {} : { leavesNext: 'clear' as const }),
    });
    expect(stateOf(row('b1'))).toBe(state);
    expect(row('b1').querySelector('.next')?.textContent.trim()).toBe(next);
  });

  it('says how many of several results a pass would clear', () => {
    const { row } = drawn({
      leavesNext: 'clear',
      results: { all: 3, cleared: 0, clearedNext: 1 },
    });
    expect(textOf(row('b1'), '.next')).toBe('next: clear 1 of 3');
    expect(row('b1').querySelector<HTMLElement>('.next')!.title).toContain(
      '1 result by a placeholder;',
    );
  });

  it('shows no state for a whole block, except to a screen reader', () => {
    const isSpoken = (state: BlockView['state'], left?: BlockView['left']) =>
      drawn({ state, ...(left === undefined ? {} : { left }) })
        .row('b1')
        .querySelector('[data-testid="state"]')!
        .classList.contains('spoken');
    expect(isSpoken('whole')).toBe(true);
    expect(isSpoken('cleared')).toBe(false);
    expect(isSpoken('evicted')).toBe(false);
    expect(isSpoken('evicted', LEFT)).toBe(true);
  });

  it('gives the former size of a removed block, when it was removed, and what a restore adds', () => {
    const { row } = drawn(
      { state: 'evicted', left: LEFT, canComeBack: true, reason: 'Least relevant' },
      { state: 'excluded', left: { ...LEFT, pass: undefined! }, canComeBack: true },
    );
    expect(textOf(row('b1'), '.reason')).toBe(
      'was ≈\u00a0675 · removed by pass 4, before step 27 · Least relevant',
    );
    expect(textOf(row('b1'), '.restore')).toBe('Restore (+1,948)');
    expect(textOf(row('b2'), '.reason')).toMatch(
      /^was ≈\u00a0675 · removed by you, before step 27/,
    );
  });

  it('offers a restore only if something can be restored', () => {
    const { row, all } = drawn(
      { state: 'evicted', canComeBack: true },
      { state: 'evicted', canComeBack: false },
    );
    expect(all('restore', row('b1'))).toHaveLength(1);
    expect(all('restore', row('b2'))).toHaveLength(0);
  });

  it('scales the weight to the heaviest block', () => {
    const { row } = drawn(
      { tokens: { tokens: 400, exact: true } },
      { tokens: { tokens: 100, exact: true } },
      { tokens: { tokens: 0, exact: true } },
    );
    const weights = ['b1', 'b2', 'b3'].map(
      (id) => row(id).querySelector<HTMLElement>('.rail > span')!.style.width,
    );
    expect(weights).toEqual(['100%', '25%', '0%']);
  });

  it('redraws only the rows that changed', () => {
    const { tell, row } = drawn({}, { reason: 'before' });
    const kept = row('b1');
    tell({
      type: 'contextChanged',
      context: sampleContext({ blocks: only({}, { reason: 'after' }), balance: balanceOf([]) }),
    });
    expect(row('b1')).toBe(kept);
    expect(textOf(row('b2'), '.reason')).toBe('after');
  });

  it('says that a block is pinned if its state does not', () => {
    const { row } = drawn({ state: 'truncated', pinned: true }, { state: 'truncated' });
    expect(textOf(row('b1'), '.held')).toBe('pinned');
    expect(row('b2').querySelector('.held')).toBeNull();
  });

  it.each([
    ['truncate', 'next: truncate', /shorten it/],
    ['trim', 'next: trim', /remove its thinking/],
    ['clear', 'next: clear', /replace its results by a placeholder/],
    ['summarise', 'next: summarise', /summarise it/],
    ['evict', 'next: evict', /evict it/],
  ] as const)('marks what a pass would do now: %s', (leavesNext, word, sentence) => {
    const mark = drawn({ leavesNext }).row('b1').querySelector<HTMLElement>('.next');
    expect(mark?.textContent).toBe(word);
    expect(mark?.title).toMatch(sentence);
  });

  it('has no mark if a pass would leave a block alone', () => {
    const { root } = drawn({ leavesNext: 'keep' }, {});
    expect(root.querySelector('.block .next')).toBeNull();
  });

  it('says that it is empty, and leads to the agent', () => {
    const { all, one, click, wishes } = drawn();
    expect(all('block-row')).toEqual([]);
    click(one('open-agent'));
    expect(wishes).toEqual([{ type: 'openAgentView' }]);
  });

  it("does not lead to the agent for another agent's recording", () => {
    const { root, all } = drawPanel(
      sampleContext({ blocks: [], balance: balanceOf([]), source: sampleRecording() }),
    );
    expect(root.querySelector('.blocks .empty')?.textContent).toBe(
      'This file holds no conversation.',
    );
    expect(all('open-agent')).toEqual([]);
  });
});

describe('an icon', () => {
  it.each([
    [{ kind: 'note', step: undefined! }, 'codicon-note'],
    [{ kind: 'anchor', step: undefined! }, 'codicon-target'],
    [{ kind: 'summary', step: undefined! }, 'codicon-combine'],
    [{ callKind: 'command' }, 'codicon-terminal'],
    [{ callKind: 'other' }, 'codicon-tools'],
    [{ callKind: undefined! }, 'codicon-comment-discussion'],
  ] as const)('shows the kind: %o', (changes, name) => {
    const icon = drawn(changes).row('b1').querySelector('.kind .codicon');
    expect(icon?.classList.contains(name)).toBe(true);
    expect(icon?.getAttribute('aria-hidden')).toBe('true');
  });
});

describe('names from outside Plimsoll', () => {
  it('are shown as plain text everywhere', () => {
    const evil = '<img src=x onerror="steal()"><script>steal()</script>';
    const block = { ...sampleBlocks()[0]!, label: evil, reason: evil, tools: [evil] };
    const { root, one, row, click } = drawPanel(
      sampleContext({ title: evil, model: evil, policy: evil, problem: evil, blocks: [block] }),
    );
    click(row(block.id));
    click(one('by-turn'));
    click(one('block-menu'));
    expect(root.querySelector('img, script')).toBeNull();
    expect(root.querySelector('.block .label')?.textContent).toBe(evil);
    expect(root.querySelector('.block-details h3')?.textContent).toBe(evil);
    expect(root.querySelector('.turn-row')?.textContent).toContain(evil);
    expect(one('block-actions').getAttribute('aria-label')).toBe(`Actions: ${evil}`);
    expect(root.querySelector('.chip')?.textContent).toBe(evil);
  });
});
