import { describe, expect, it } from 'vitest';
import type { BlockView } from '../../../../src/editor/contextPanel/state';
import { balanceOf, sampleBlocks, sampleContext, sampleRecording } from '../contextViews';
import { ALL, drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

const only = (...blocks: readonly Partial<BlockView>[]): readonly BlockView[] =>
  blocks.map((changes, index) => ({ ...sampleBlocks()[11]!, id: `b${index + 1}`, ...changes }));

const drawn = (...blocks: readonly Partial<BlockView>[]) =>
  drawPanel(sampleContext({ blocks: only(...blocks), balance: balanceOf([]) }), ALL);

const LEFT: NonNullable<BlockView['left']> = {
  was: { tokens: 675, exact: false },
  pass: 4,
  beforeStep: 27,
};

const textOf = (row: HTMLElement, part: string) => row.querySelector(part)?.textContent;

const titleOf = (row: HTMLElement) => row.querySelector<HTMLElement>('.why')?.title;

const stateOf = (row: HTMLElement) => textOf(row, '[data-testid="state"]');

describe('the list of blocks', () => {
  it('has a row for each block, with removed ones in their place', () => {
    const { shownIds, row } = drawPanel(sampleContext(), ALL);
    expect(shownIds()).toEqual(sampleBlocks().map(({ id }) => id));
    expect(row('step-11').dataset['state']).toBe('evicted');
    expect(row('step-11').classList.contains('out')).toBe(true);
  });

  it('shows number, name, reason, tokens and action of each', () => {
    const { row } = drawPanel(sampleContext());
    const deckPlan = row('step-12');
    expect(textOf(deckPlan, '.place')).toBe('10');
    expect(textOf(deckPlan, '.label')).toBe('Read src/deckPlan.js');
    expect(textOf(deckPlan, '.why')).toMatch(/^kept /);
    expect(deckPlan.querySelector<HTMLElement>('.why')?.title).toMatch(/^Kept: the low watermark/);
    expect(textOf(deckPlan, '.weight')).toBe('1,914');
    expect(textOf(deckPlan, '.verb')).toBe('Keep');
    expect(stateOf(deckPlan)).toBe(' whole');
    expect(textOf(row('anchor-1'), '.place')).toBe('T1');
  });

  it('marks an estimate, and shows no tokens for a removed block', () => {
    const { row } = drawPanel(sampleContext(), ALL);
    expect(textOf(row('step-20'), '.weight')).toBe('≈\u00a01,344');
    expect(row('step-20').dataset['exact']).toBe('false');
    expect(textOf(row('step-11'), '.weight')).toBe('');
    expect(textOf(row('step-11'), '.verb')).toBe('Restore');
  });

  it.each([
    [{ state: 'whole', pinned: true }, 'pinned'],
    [{ state: 'whole', pinned: false }, 'whole'],
    [{ state: 'truncated', pinned: true }, 'truncated, pinned'],
    [{ state: 'trimmed' }, 'trimmed'],
    [{ state: 'cleared' }, 'cleared'],
    [{ state: 'cleared', results: { all: 3, cleared: 2, clearedNext: 3 } }, '2 of 3 cleared'],
    [{ state: 'summarised' }, 'summarised'],
    [{ state: 'evicted' }, 'removed'],
    [{ state: 'excluded' }, 'excluded'],
  ] as const)('tells a screen reader the state of %o: %s', (changes, word) => {
    expect(stateOf(drawn(changes).row('b1'))).toBe(` ${word}`);
  });

  it.each([
    [{ all: 3, cleared: 2, clearedNext: 3 }, '1 more result by a placeholder;'],
    [{ all: 3, cleared: 0, clearedNext: 1 }, '1 result by a placeholder;'],
    [{ all: 3, cleared: 0, clearedNext: 3 }, 'its results by a placeholder;'],
  ])('says how many of several results a pass would clear: %o', (results, words) => {
    const { row } = drawn({ leavesNext: 'clear', results });
    expect(titleOf(row('b1'))).toContain(words);
  });

  it('gives the reason of a removed block, and when it was removed in the tooltip', () => {
    const { row } = drawn(
      { state: 'evicted', left: LEFT, canComeBack: true, why: 'least relevant', reason: 'Large' },
      { state: 'excluded', left: { ...LEFT, pass: undefined! }, canComeBack: true },
    );
    expect(textOf(row('b1'), '.why')).toMatch(/^least relevant/);
    expect(titleOf(row('b1'))).toBe('was ≈\u00a0675 · removed by pass 4, before step 27 · Large');
    expect(titleOf(row('b2'))).toMatch(/^was ≈\u00a0675 · removed by you, before step 27/);
  });

  it('shows the former tokens of a removed block where nothing can be restored', () => {
    const blocks = only({ state: 'evicted', left: LEFT, canComeBack: true });
    const { row } = drawPanel(
      sampleContext({ blocks, balance: balanceOf([]), whyReadOnly: 'Step 4 is past.' }),
      ALL,
    );
    expect(textOf(row('b1'), '.weight')).toBe('≈\u00a0675');
    expect(textOf(row('b1'), '.verb')).toBe('');
  });

  it('redraws only the rows that changed', () => {
    const { tell, row } = drawn({}, { why: 'before' });
    const kept = row('b1');
    tell({
      type: 'contextChanged',
      context: sampleContext({ blocks: only({}, { why: 'after' }), balance: balanceOf([]) }),
    });
    expect(row('b1')).toBe(kept);
    expect(textOf(row('b2'), '.why')).toMatch(/^after/);
  });

  it.each([
    ['truncate', /shorten it/],
    ['trim', /remove its thinking/],
    ['clear', /replace its results by a placeholder/],
    ['summarise', /summarise it/],
    ['evict', /remove it/],
  ] as const)('says first that a pass would remove it now: %s', (leavesNext, sentence) => {
    const row = drawn({ leavesNext, why: 'large' }).row('b1');
    expect(textOf(row, '.why')).toMatch(/^next: large /);
    expect(titleOf(row)).toMatch(sentence);
  });

  it('says nothing of a pass that would leave a block alone', () => {
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
    [{ callKinds: ['command'] }, 'codicon-terminal'],
    [{ callKinds: ['other'] }, 'codicon-tools'],
    [{ callKinds: [] }, 'codicon-comment-discussion'],
  ] as const)('shows the kind: %o', (changes, name) => {
    const icon = drawn(changes).row('b1').querySelector('.kind .codicon');
    expect(icon?.classList.contains(name)).toBe(true);
    expect(icon?.getAttribute('aria-hidden')).toBe('true');
  });
});

describe('names from outside Plimsoll', () => {
  it('are shown as plain text everywhere', () => {
    const evil = '<img src=x onerror="steal()"><script>steal()</script>';
    const block = { ...sampleBlocks()[0]!, label: evil, reason: evil, why: evil, tools: [evil] };
    const { root, one, row, click } = drawPanel(
      sampleContext({ title: evil, model: evil, policy: evil, problem: evil, blocks: [block] }),
    );
    click(row(block.id));
    click(one('show-filter'));
    click(one('by-turn'));
    click(one('block-menu'));
    expect(root.querySelector('img, script')).toBeNull();
    expect(root.querySelector('.block .label')?.textContent).toBe(evil);
    expect(root.querySelector('.block-details h3')?.textContent).toBe(evil);
    expect(root.querySelector('.turn-row')?.textContent).toContain(evil);
    expect(one('block-actions').getAttribute('aria-label')).toBe(`Actions: ${evil}`);
    expect(root.querySelector('.session-title')?.textContent).toBe(evil);
  });
});
