import { act } from 'preact/test-utils';
import { describe, expect, it } from 'vitest';
import type { ContextWish } from '../../../../src/editor/contextPanel/wishes';
import type { BlockView, ContextView } from '../../../../src/editor/contextPanel/state';
import type { Look } from '../../../../webview/contextPanel/store/keptState';
import { sampleBlocks, sampleContext } from '../contextViews';
import { ALL, drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

/** The user's wishes, without the automatic fetch of a block's life. */
const asked = (wishes: readonly ContextWish[]) =>
  wishes.filter(({ type }) => type !== 'fetchLives');

const details = (
  id: string,
  changes: Partial<BlockView> = {},
  context: Partial<ContextView> = {},
) => {
  const blocks = sampleBlocks().map((block) =>
    block.id === id ? { ...block, ...changes } : block,
  );
  const panel = drawPanel(sampleContext({ blocks, ...context }), ALL);
  panel.click(panel.row(id));
  const section = panel.one('block-details');
  const facts = Object.fromEntries(
    [...section.querySelectorAll('.fact')].map((fact) => [
      fact.querySelector('dt')?.textContent,
      fact.querySelector('dd')?.textContent,
    ]),
  );
  const factors = panel.all('factor', section).map((factor) => factor.textContent);
  return { ...panel, section, facts, factors };
};

const RAN = {
  type: 'ran',
  passes: [4],
  blocks: 1,
  freedTokens: 9,
  shortens: false,
  largest: [],
} as const;

describe('the details of a block', () => {
  it('ask the user to select a block while none is selected', () => {
    const ask = 'Choose a block to see why it was kept or removed.';
    const { root, store, click, row, all } = drawPanel(sampleContext());
    const lookAt = (look: Partial<Look>): void =>
      void act(() => {
        store.look.value = { ...store.look.value, ...look };
      });
    lookAt({ tab: 'block' });
    expect(root.querySelector('.side')?.textContent).toContain(ask);
    click(row('step-12'));
    expect(all('block-details')).toHaveLength(1);
    lookAt({ blockId: 'of another session' });
    expect(all('block-details')).toEqual([]);
    expect(root.querySelector('.side')?.textContent).toContain(ask);
  });

  it('give name, reason, place, age and weight of a block', () => {
    const { section, facts } = details('step-12');
    expect(section.querySelector('h3')?.textContent).toBe('Read src/deckPlan.js');
    expect(section.querySelector('.reason')?.textContent).toMatch(/^Kept: the low watermark/);
    expect(facts).toEqual({
      State: 'whole',
      Where: 'turn 1, step 10',
      Age: '8 steps ago',
      Tokens: '1,914, counted by the server · 7\u00a0% of the input budget',
      Next: 'A pass that ran now would keep it.',
    });
  });

  it('mark an estimate, and a share too small to write', () => {
    const { facts } = details('step-12', { tokens: { tokens: 41, exact: false } });
    expect(facts['Tokens']).toBe('≈\u00a041, estimated · less than 1\u00a0% of the input budget');
  });

  it('say that nothing of a removed block is sent', () => {
    const { facts, section, factors } = details('step-11');
    expect(facts['Tokens']).toBe('none: it is not sent');
    expect(factors).toEqual([]);
    expect(section.textContent).toContain('it has no relevance');
    expect(facts['Next']).toBe('It was removed, so no pass touches it.');
  });

  it('count the age of a summary from its pass, not from its place', () => {
    expect(details('step-12', { writtenBeforeStep: 17 }).facts['Age']).toBe('2 steps ago');
    expect(details('step-12', { writtenBeforeStep: 19 }).facts['Age']).toBe('no step since');
  });

  it.each([
    ['step-21', 'the newest step'],
    ['prompt-19', '2 steps ago'],
    ['step-20', '1 step ago'],
  ])('give the age of %s in words', (id, words) => {
    expect(details(id).facts['Age']).toBe(words);
  });

  it.each([
    [{ type: 'workingOut' }, {}, 'Planning…'],
    [{ type: 'notWorkedOut', message: 'No pass ran.' }, {}, 'Not planned. No pass ran.'],
    [RAN, {}, 'Pass 4 ran right after this step and kept it.'],
    [RAN, { tookNext: 'evict' }, 'Pass 4 ran right after this step and removed it.'],
    [{ type: 'nothing' }, {}, 'A pass that ran now would keep it.'],
  ] as const)('say what happened next, or that it is unknown: %j', (next, changes, words) => {
    expect(details('step-12', changes, { next }).facts['Next']).toBe(words);
  });

  it('say what a pass would do', () => {
    expect(details('step-12', { leavesNext: 'clear' }).facts['Next']).toBe(
      'A pass that ran now would replace its results by a placeholder; the calls stay.',
    );
  });

  it('draw every factor of the relevance with its number', () => {
    const salience = {
      salience: 0.61,
      recency: 0.5,
      reuse: 1,
      kind: 0.7,
      size: 0.25,
      errors: 1,
      decisions: 0,
    };
    const { factors, section } = details('step-12', { salience });
    expect(factors).toEqual([
      'Overall0.61',
      'Recency0.50',
      'Mentioned again1.00',
      'Kind of work0.70',
      'Smallness0.25',
      'Failures1.00',
      'Own words0.00',
    ]);
    const meter = section.querySelectorAll('[role="meter"]')[1]!;
    expect(meter.getAttribute('aria-label')).toBe('Recency');
    expect(meter.getAttribute('aria-valuenow')).toBe('0.5');
    expect(meter.querySelector<HTMLElement>('span')?.style.width).toBe('50%');
  });

  it.each([
    [{ pinned: true }, 'Pinned: its relevance is 1, whatever the factors say.'],
    [{ rated: 0.9 }, "The model's rating replaces the other factors."],
  ] as const)('say what overrides the sum: %o', (more, words) => {
    const salience = {
      salience: 1,
      recency: 0,
      reuse: 0,
      kind: 0,
      size: 0,
      errors: 0,
      decisions: 0,
      ...more,
    };
    expect(details('step-12', { salience }).section.textContent).toContain(words);
  });

  it('offer the same actions as the menu', () => {
    const { one, click, wishes } = details('step-9');
    for (const name of ['open', 'pin', 'restore', 'recall', 'exclude']) click(one(`block-${name}`));
    expect(asked(wishes).map(({ type }) => type)).toEqual([
      'openBlock',
      'pinBlock',
      'restoreBlock',
      'recallBlock',
      'excludeBlock',
    ]);
  });

  it('say why actions are disabled, once if the reason is the same for all', () => {
    expect(details('step-14').section.textContent).toContain(
      'Clear results, Exclude: This block is pinned. Unpin it first.',
    );
    const { section, one, click, wishes } = details('step-9', {}, { whyReadOnly: 'A recording.' });
    expect(section.textContent?.split('A recording.')).toHaveLength(2);
    click(one('block-exclude'));
    expect(asked(wishes)).toEqual([]);
  });

  it('update with new facts', () => {
    const { tell, one } = details('step-12');
    const blocks = sampleBlocks().map((block) =>
      block.id === 'step-12' ? { ...block, state: 'cleared' as const } : block,
    );
    tell({ type: 'contextChanged', context: sampleContext({ blocks }) });
    expect(one('block-details').querySelector('.pill')?.textContent).toBe('cleared');
  });
});
